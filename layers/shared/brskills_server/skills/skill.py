"""A skill is one declaration, from which everything that callers see of it is made.

The REST routes, the OpenAPI operations, the MCP tool, the tool lists, and the skill's sections in
``llms.txt`` and ``SKILL.md`` come from a ``Skill``; ``perform`` is the only way in which it is called and
counted. Routes, media types and header names stand in it as data; statuses and rendering are for ``web``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from brskills_server.metering.session import Session
from brskills_server.skills.idempotency import faults_of_key, fingerprint
from brskills_server.skills.later import Later
from brskills_server.skills.outcomes import told
from brskills_server.skills.refusals import InvalidRequest, Refusal
from brskills_server.skills.shape import Shape
from brskills_server.telemetry.availability import Calls

if TYPE_CHECKING:
    from pydantic import BaseModel

    from brskills_server.registry.freshness import Freshness

__all__ = ["Call", "Endpoint", "Remark", "Skill", "Texts", "always", "never", "perform"]


Presented = TypeVar("Presented")


def _not_here(*_: Any) -> Any:
    raise NotImplementedError("this caller offers single requests alone")


@dataclass(frozen=True, slots=True)
class Call:
    """Who calls, in which language (``pt`` or ``en``), and what a skill may use of the deployment.

    ``find_company``: canonical number and what is demanded of the answer → ``brskills_server.registry.answer.Answer``; raises as
    ``brskills_server.registry.registry.Registry.look_up`` does. ``find_companies``: as ``brskills_server.registry.registry.Registry.look_up_many``.
    ``repeat_key``: what the caller would repeat this call under, as they sent it, if they did.
    ``tell``: an error → the problem that it is answered with, as data. ``calls``: is told what becomes of it.
    """

    session: Session
    language: str
    find_company: Callable[[str, Freshness], Any]
    find_companies: Callable[[Sequence[str], Freshness], Sequence[Any]] = _not_here
    repeat_key: str | None = None
    tell: Callable[[Exception], dict[str, Any]] = _not_here
    calls: Calls = field(default_factory=Calls)


@dataclass(frozen=True, slots=True)
class Texts:
    """How a skill is described, in Portuguese but for ``english`` and ``guide``.

    ``use`` and ``avoid`` continue "Use" and "Não use". ``english`` is one sentence, for search by words.
    ``guide`` is Markdown on how to call it over HTTP, with the full address of every route: ``{base}`` and
    ``{key}`` are filled in.
    """

    title: str
    purpose: str
    use: str
    avoid: str
    notes: str
    english: str
    guide: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One HTTP route: GET takes the request from path and query, POST from the body.

    ``path`` is a template of API Gateway, ``operation`` the operation's id in OpenAPI, ``examples`` are
    requests by name. ``note``: in Portuguese, when to take this route of several.
    """

    method: str
    path: str
    operation: str
    examples: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """A header for the forms that cannot hold a part of the answer; ``text`` is empty where none is due."""

    header: str
    text: Callable[[Any], str]


def _write(answer: BaseModel) -> str:
    return answer.model_dump_json()


def _not_in_part(_prepared: object) -> bool:
    return False


def _content(answer: BaseModel) -> dict[str, Any]:
    return answer.model_dump(mode="json")


def always(_prepared: object) -> int:
    """Every answer counts as a call."""
    return 1


def never(_prepared: object) -> int:
    """No answer counts: the skill is free."""
    return 0


@dataclass(frozen=True, slots=True)
class Skill:
    """A use case that callers reach by HTTP and as a tool.

    ``prepare`` checks the content of a request (by default against ``request``) and gives what ``answer``
    takes; it raises ``InvalidRequest``. ``result`` is the answer's model, or that of each item of a batch.
    Both may be ``Later``, where a call needs neither: ``prepare`` then checks by the table ``shapes``.
    ``counts`` tells of what was prepared how many calls it costs, and
    ``partial`` whether fewer will do; ``answer`` finds in the session how many there are.
    ``answer`` raises ``Refusal``; whatever it raises releases the call, but for a refusal that counts.
    ``write`` and ``content`` give an answer as JSON text and as data. ``validator``: an answer's entity tag.
    ``forms``: media type → the answer as text or bytes; ``image/png`` is also shown beside a tool's answer.
    ``errors``: machine codes beyond those of every skill. ``uses_external_data``: it asks providers outside.
    ``reads_codes``: its answer holds texts of a code that somebody else may have made.
    ``told``: of an answer to many requests, what became of each (``brskills_server.skills.outcomes``).
    ``body_bytes``: how long a body may be. ``seconds``: how long a call of a custom skill may take; ours keep
    to the limits of what they ask.
    """

    name: str
    scope: str
    texts: Texts
    request: type[BaseModel] | Later
    result: type[BaseModel] | Later
    answer: Callable[[Any, Call], Any]
    endpoints: tuple[Endpoint, ...]
    shapes: Mapping[str, Shape] | None = None
    prepare: Callable[[dict[str, Any]], Any] | None = None
    counts: Callable[[Any], int] = always
    partial: Callable[[Any], bool] = _not_in_part
    write: Callable[[Any], str] = _write
    content: Callable[[Any], dict[str, Any]] = _content
    validator: Callable[[Any], str] | None = None
    forms: Mapping[str, Callable[[Any], str | bytes]] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    errors: tuple[str, ...] = ()
    example: Mapping[str, Any] | None = None
    uses_external_data: bool = False
    reads_codes: bool = False
    told: Callable[[Any], Iterable[str]] | None = None
    body_bytes: int = 16 * 1024
    seconds: float | None = None

    @property
    def request_model(self) -> type[BaseModel]:
        """``request``, loaded."""
        return self.request.load() if isinstance(self.request, Later) else self.request

    @property
    def result_model(self) -> type[BaseModel]:
        """``result``, loaded."""
        return self.result.load() if isinstance(self.result, Later) else self.result

    @property
    def whole_numbers(self) -> dict[str, bool]:
        """The fields of a request, and of each whether it takes whole numbers and no text."""
        if self.shapes is not None:
            return {name: shape.is_whole_number for name, shape in self.shapes.items()}
        from brskills_server.skills.validation import is_whole_number  # pydantic's, as below

        model = self.request_model
        return {name: is_whole_number(model, name) for name in model.model_fields}

    @property
    def is_free(self) -> bool:
        """Whether no call of it ever counts."""
        return self.counts is never

    @property
    def quotes_others(self) -> bool:
        """Whether its answers hold texts that neither its caller nor this service wrote."""
        return self.uses_external_data or self.reads_codes

    @property
    def part(self) -> str:
        """The part of the service that its answers hang on, as ``availability.Calls`` has it.

        Who is paid is looked up in the register; what an account asks of itself is not counted.
        """
        if self.scope == "pix" and self.uses_external_data:
            return "cnpj"
        return "" if self.scope == "conta" else self.scope


@told
def perform(
    skill: Skill, content: dict[str, Any], call: Call, present: Callable[[Any], Presented]
) -> Presented:
    """Check a request, count it, answer it, and ``present`` the answer in the form that is sent.

    Raises ``Refusal``, ``brskills_server.accounts.errors.InvalidKey``, ``brskills_server.accounts.errors.QuotaExceeded``, ``brskills_server.accounts.errors.UncountedLimit`` or
    ``brskills_server.accounts.errors.StoreUnavailable``; then
    nothing is counted, but for a refusal that counts and for a store that fails while a call is released.
    """
    session = call.session
    if skill.is_free and skill.part:  # of others it is not known yet whether they will be counted
        session.allowance.check(session.caller)
    prepared = _prepared(skill, content, call)
    if calls := int(skill.counts(prepared)):  # a store tells True from 1
        if call.repeat_key is not None:
            session.identify(call.repeat_key, fingerprint(skill.name, content))
        session.reserve(calls, partial=skill.partial(prepared))
    elif skill.part:  # refused now or not at all: writing the answer is most of its work
        session.allowance.check(session.caller)
    try:
        presented = present(skill.answer(prepared, call))
        session.settle()  # last, for what was answered is not taken back any more
    except Refusal as refusal:
        _conclude(refusal, session)
        raise
    except BaseException:
        session.release()
        raise
    return presented


def _prepared(skill: Skill, content: dict[str, Any], call: Call) -> Any:
    """What a request is prepared as; the faults of its key and of its content come together."""
    faults = () if skill.is_free else faults_of_key(call.repeat_key)
    try:
        prepared = skill.prepare(content) if skill.prepare else _checked(skill, content)
    except InvalidRequest as invalid:
        raise InvalidRequest(*faults, *invalid.fields, unlisted=invalid.unlisted) from None
    if faults:
        raise InvalidRequest(*faults)
    return prepared


def _checked(skill: Skill, content: dict[str, Any]) -> BaseModel:
    from brskills_server.skills.validation import (
        check_request,  # pydantic's, which skills that prepare may do without
    )

    return check_request(skill.request_model, content)


def _conclude(refusal: Refusal, session: Session) -> None:
    """What a refusal costs: nothing, but for one that tells what was asked for."""
    if refusal.counts:
        session.settle()
        refusal.quota, refusal.replayed = session.quota, session.replayed
    else:
        session.release()

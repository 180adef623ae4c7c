"""The declaration of a skill, from which its routes, OpenAPI operations, tool and documents are made."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from brskills_server.metering.session import Session
from brskills_server.skills.shape import Shape
from brskills_server.telemetry.outcome import CallOutcome

NO_CONTENT = 204
"""The status of an answer without a body."""

BODY_METHODS = frozenset({"POST", "PATCH"})
"""The methods of routes that take a body."""

Model = type[Any]
"""A class of pydantic's ``BaseModel``, which is not imported here: it takes a third of a cold start."""


def unsupported(*_: Any) -> Any:
    """Raise ``NotImplementedError``: this function of a call is not available."""
    raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Call:
    """One call: its session, its language (``pt`` or ``en``), and what a skill may use of the deployment.

    ``find_company``: ``registry.query.Query`` → ``Answer``; raises as ``Registry.look_up``.
    ``find_companies``: as ``Registry.look_up_many``. ``follow``: locations → as many
    ``charges.verification.Verification``; raises ``UncountedLimit``. ``find_history``: a number → as
    ``registry.snapshot.histories.Histories.find``, and raises the same. ``search``: a
    ``registry.search.register_search.RegisterSearch``, if there is one. ``find_account``: → the caller's
    ``Account``; raises ``DemoKey``, ``InvalidKey`` and ``UncountedLimit``. ``watches``:
    ``watches.watches.Watches``, ``webhooks``: ``webhooks.webhooks.Webhooks``; ``store``:
    ``watches.ports.WatchStore`` and ``webhooks.ports.WebhookStore``. ``repeat_key``: the ``Idempotency-Key``.
    ``to_problem``: an error → the problem for it, as data. ``outcome``: set by ``perform``.
    """

    session: Session
    language: str
    find_company: Callable[[Any], Any]
    find_companies: Callable[[Sequence[Any]], Sequence[Any]] = unsupported
    repeat_key: str | None = None
    to_problem: Callable[[Exception], dict[str, Any]] = unsupported
    outcome: CallOutcome = field(default_factory=CallOutcome)
    follow: Callable[[Sequence[str]], Sequence[Any]] = unsupported
    find_history: Callable[[str], dict[str, Any] | None] = unsupported
    search: Any = None
    find_account: Callable[[], Any] = unsupported
    watches: Any = None
    store: Any = None
    webhooks: Any = None


@dataclass(frozen=True, slots=True)
class Texts:
    """Description of a skill, in Portuguese but for ``english`` and ``guide``.

    ``use`` and ``avoid`` continue "Use" and "Não use". ``english`` is one sentence, for search by words.
    ``guide`` is Markdown on calling it over HTTP, with the full address of every route: ``{base}`` and
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
    """One HTTP route: POST and PATCH take the request from body and path, others from path and query.

    ``path`` is a template of API Gateway, ``operation`` the operation's id in OpenAPI, ``examples`` are
    requests by name. ``note``: in Portuguese, when to take this route of several.
    """

    method: str
    path: str
    operation: str
    examples: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""


write_plain = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Return the JSON text of an answer of plain data, as its model would write it."""


def _write(answer: Any) -> str:
    return str(answer.model_dump_json())


def _content(answer: Any) -> dict[str, Any]:
    return dict(answer.model_dump(mode="json"))


def _ok(_answer: Any) -> int:
    return 200


def always(_prepared: object) -> int:
    """Count every answer as a call."""
    return 1


def never(_prepared: object) -> int:
    """Count no answer: the skill is free."""
    return 0


@dataclass(frozen=True, slots=True)
class Skill:
    """Use case that callers reach by HTTP and as a tool.

    ``request`` and ``result``: the models of a request and of an answer, or of each item of a batch;
    ``models``: a function that imports and returns both, for skills that need neither to answer.
    ``prepare``: checks a request's content (by default against ``request``) and returns the argument of
    ``answer``; raises ``InvalidRequest``. ``shapes``: the table of fields that it checks by.
    ``counts``: how many calls a prepared request costs. ``partial``: whether fewer will do; ``answer`` finds
    in the session how many there are. ``answer`` may raise ``ApiError``; any error releases the call, but for
    an ``ApiError`` that counts.
    ``write`` and ``content``: an answer as JSON text and as data. ``validator``: an answer's entity tag.
    ``forms``: media type → the answer as text or bytes; ``image/png`` is also shown beside a tool's answer.
    ``remarks``: header → its text, for a part of the answer that a form cannot hold; not sent if empty.
    ``statuses``: those of its answers, of which ``status`` chooses; 204 has no body. ``effect``: ``adds`` or
    ``ends`` where it changes what the account has. ``needs_body``: whether a POST must have one.
    ``errors``: machine codes beyond those of every skill. ``uses_external_data``: it asks providers outside,
    or quotes the register.
    ``is_provable``: its answer is also given as a signed proof.
    ``reads_codes``: its answer holds texts of a code that a third party may have made.
    ``outcomes``: the outcome of each item of a batch's answer.
    ``body_bytes``: the longest body. ``seconds``: the longest call of a custom skill.
    """

    name: str
    scope: str
    texts: Texts
    answer: Callable[[Any, Call], Any]
    endpoints: tuple[Endpoint, ...]
    request: Model | None = None
    result: Model | None = None
    models: Callable[[], tuple[Model, Model]] | None = None
    shapes: Mapping[str, Shape] | None = None
    prepare: Callable[[dict[str, Any]], Any] | None = None
    counts: Callable[[Any], int] = always
    partial: Callable[[Any], bool] | None = None
    write: Callable[[Any], str] = _write
    content: Callable[[Any], dict[str, Any]] = _content
    validator: Callable[[Any], str] | None = None
    forms: Mapping[str, Callable[[Any], str | bytes]] = field(default_factory=dict)
    remarks: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    statuses: tuple[int, ...] = (200,)
    status: Callable[[Any], int] = _ok
    effect: Literal["", "adds", "ends"] = ""
    needs_body: bool = True
    errors: tuple[str, ...] = ()
    example: Mapping[str, Any] | None = None
    uses_external_data: bool = False
    reads_codes: bool = False
    is_provable: bool = False
    outcomes: Callable[[Any], Iterable[str]] | None = None
    body_bytes: int = 16 * 1024
    seconds: float | None = None

    @property
    def request_model(self) -> Model:
        """Return the model of a request."""
        return self.request or self._models()[0]

    @property
    def result_model(self) -> Model:
        """Return the model of an answer."""
        return self.result or self._models()[1]

    def _models(self) -> tuple[Model, Model]:
        if not self.models:
            raise TypeError(f"{self.name} declares no models")
        return self.models()

    @property
    def query_shapes(self) -> Mapping[str, Shape]:
        """Return the fields of a request, by which a query is read; those of a model are numbers or texts."""
        if self.shapes is not None:
            return self.shapes
        from brskills_server.skills.validation import is_whole_number  # imports pydantic

        model = self.request_model
        return {name: Shape(int if is_whole_number(model, name) else str) for name in model.model_fields}

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
        """Return the part of the service that availability counts its calls for; empty for none.

        A payee is looked up in the register; the scope ``conta`` is not counted.
        """
        if self.scope == "pix" and self.uses_external_data:
            return "cnpj"
        return "" if self.scope == "conta" else self.scope

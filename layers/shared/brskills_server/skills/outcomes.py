"""What became of each call of a skill, told to ``telemetry`` and to the request that it came in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from brskills_server import telemetry
from brskills_server.accounts.errors import InvalidKey
from brskills_server.metering.errors import IdempotencyKeyReused, QuotaExceeded, UncountedLimit
from brskills_server.metering.session import Session
from brskills_server.skills.refusals import Refusal
from brskills_server.telemetry.figures import CALLS

if TYPE_CHECKING:
    from brskills_server.skills.skill import Call, Skill
    from brskills_server.telemetry.availability import Calls

__all__ = ["classify", "told", "track_request"]

Perform = TypeVar("Perform", bound=Callable[..., Any])

_ANSWERS = {"company_not_found"}
"""Refusals that tell a caller what they wanted to know."""

_FAILURES = {"sources_unavailable"}
"""Refusals that are not the caller's fault."""


def told(perform: Perform) -> Perform:
    """``brskills_server.skills.skill.perform``, and each call's outcome is told; of a batch, each item's."""

    @wraps(perform)
    def run(skill: Skill, content: dict[str, Any], call: Call, present: Callable[[Any], Any]) -> Any:
        session, answers = call.session, list[Any]()

        def keep(answer: Any) -> Any:
            answers.append(answer)
            return present(answer)

        try:
            presented = perform(skill, content, call, keep)
        except BaseException as error:
            _tell(skill, _plan_of(error, session), [_outcome(classify(error), session)], call.calls)
            raise
        outcomes = [*skill.told(answers[0])] if skill.told else [_outcome("answered", session)]
        _tell(skill, session.plan, outcomes, call.calls)
        return presented

    return cast("Perform", run)


@contextmanager
def track_request(calls: Calls, part: str) -> Iterator[None]:
    """A request for a skill, from beginning to end: the error that ends it is what its calls came to."""
    try:
        yield
    except Exception as error:
        match classify(error):
            case "failed" if part:
                calls.fail(part)
            case "refused":
                calls.drop()
        raise


def classify(outcome: object) -> str:
    """What an answer, or an error in its place, is: ``answered``, ``refused`` or ``failed``."""
    match outcome:
        case QuotaExceeded() | InvalidKey() | IdempotencyKeyReused() | UncountedLimit():
            return "refused"
        case Refusal() if outcome.repeated:
            return "refused"
        case Refusal() if outcome.counts or outcome.nothing_failed or outcome.code in _ANSWERS:
            return "answered"
        case Refusal() if outcome.code not in _FAILURES:
            return "refused"
        case BaseException():
            return "failed"
    return "answered"


def _tell(skill: Skill, plan: str | None, outcomes: Sequence[str], calls: Calls) -> None:
    for outcome in outcomes:
        telemetry.count(CALLS, skill.name, plan or "unknown", outcome)
    if skill.part:
        failed, refused = outcomes.count("failed"), outcomes.count("refused")
        calls.tell(skill.part, len(outcomes) - failed - refused, failed)


def _plan_of(error: BaseException, session: Session) -> str | None:
    return error.quota.plan if isinstance(error, QuotaExceeded) else session.plan


def _outcome(kind: str, session: Session) -> str:
    if kind != "answered":
        return kind
    return "free" if session.quota is None or session.replayed else "counted"

"""What became of each call of a skill, told to ``telemetry``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import telemetry
from access import IdempotencyKeyReused, InvalidKey, QuotaExceeded, Session
from skills.refusals import Refusal
from telemetry.figures import CALLS

if TYPE_CHECKING:
    from skills.skill import Call, Skill

__all__ = ["told"]

Perform = TypeVar("Perform", bound=Callable[..., Any])

_ANSWERS = {"company_not_found"}
"""Refusals that tell a caller what they wanted to know."""

_FAILURES = {"sources_unavailable"}
"""Refusals that are no fault of the caller's."""


def told(perform: Perform) -> Perform:
    """``skills.skill.perform``, and each call's outcome is told."""

    @wraps(perform)
    def run(skill: Skill, content: dict[str, Any], call: Call, present: Callable[[Any], Any]) -> Any:
        try:
            answer = perform(skill, content, call, present)
        except BaseException as error:
            telemetry.count(CALLS, skill.name, *_told_of(error, call.session))
            raise
        telemetry.count(CALLS, skill.name, call.session.plan or "unknown", _answered(call.session))
        return answer

    return cast("Perform", run)


def _told_of(error: BaseException, session: Session) -> tuple[str, str]:
    """The plan and the outcome of a call that ended so."""
    plan = session.plan or "unknown"
    match error:
        case QuotaExceeded(quota=quota):
            return quota.plan, "refused"
        case InvalidKey() | IdempotencyKeyReused():
            return plan, "refused"
        case Refusal() if error.counts or error.code in _ANSWERS:
            return plan, _answered(session)
        case Refusal() if error.code not in _FAILURES:
            return plan, "refused"
    return plan, "failed"


def _answered(session: Session) -> str:
    return "free" if session.quota is None or session.replayed else "counted"

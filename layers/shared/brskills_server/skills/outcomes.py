"""Which outcome an answer or an error is: the one place that decides it."""

from brskills_server.accounts.errors import InvalidKey
from brskills_server.metering.errors import IdempotencyKeyReused, QuotaExceeded, UncountedLimit
from brskills_server.skills.errors import ApiError

__all__ = ["classify"]

_ANSWERS = {"company_not_found"}
"""Codes that answer what the caller asked for."""

_FAILURES = {"sources_unavailable"}
"""Codes that the caller did not cause."""


def classify(outcome: object) -> str:
    """Return ``answered``, ``refused`` or ``failed`` for an answer, or for the error in its place."""
    match outcome:
        case QuotaExceeded() | InvalidKey() | IdempotencyKeyReused() | UncountedLimit():
            return "refused"
        case ApiError() if outcome.repeated:
            return "refused"
        case ApiError() if outcome.counts or outcome.nothing_failed or outcome.code in _ANSWERS:
            return "answered"
        case ApiError() if outcome.code not in _FAILURES:
            return "refused"
        case BaseException():
            return "failed"
    return "answered"

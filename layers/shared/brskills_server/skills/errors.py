"""Errors that end a request without its answer, by the API's machine codes, and the outcome of each.

Statuses, headers and texts are decided where the answer is rendered (``web.problems``).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from brskills_server.accounts.errors import InvalidKey
from brskills_server.metering.errors import IdempotencyKeyReused, QuotaExceeded, UncountedLimit
from brskills_server.metering.quota import Quota
from brskills_server.skills.issues import FieldIssue

MOST_LISTED = 50
"""Rejected fields that a problem lists; where there are more, ``errors_total`` has their number."""


class ApiError(Exception):
    """A request that ends without its answer.

    ``wording`` selects one of several texts of a code and begins with a colon, as ``:unconfirmed``.
    ``parameters`` fill the text, ``details`` are further members for machines, ``retry_after`` is in seconds.
    ``counts``: the answer is what the caller wanted to know (a confirmed absence) and counts as a call;
    ``quota`` is then the month including it, and ``replayed`` is true where an earlier call was counted.
    ``nothing_failed``: not a failure despite its status, as for sandbox companies and data that no source
    has. ``repeated``: a failure that was already answered and recorded within the last minute.
    """

    def __init__(
        self,
        code: str,
        *,
        wording: str = "",
        parameters: Mapping[str, Any] | None = None,
        details: Mapping[str, Any] | None = None,
        fields: Sequence[FieldIssue] = (),
        retry_after: int | None = None,
        counts: bool = False,
        nothing_failed: bool = False,
        repeated: bool = False,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.wording = wording
        self.parameters = parameters or {}
        self.details = details or {}
        self.fields = fields
        self.retry_after = retry_after
        self.counts = counts
        self.nothing_failed = nothing_failed
        self.repeated = repeated
        self.quota: Quota | None = None
        self.replayed = False


class InvalidRequest(ApiError):
    """All issues of a request, of which the first ``MOST_LISTED`` are kept.

    ``unlisted``: the number of further ones.
    """

    def __init__(self, *fields: FieldIssue, unlisted: int = 0) -> None:
        total = len(fields) + unlisted
        details = {"errors_total": total} if total > MOST_LISTED else {}
        super().__init__("invalid_fields", fields=fields[:MOST_LISTED], details=details)
        self.unlisted = total - len(self.fields)

    def without_frames(self) -> Self:
        """Drop the frames it was raised in: those of a thousand keep the garbage collector long."""
        self.__context__ = None
        return self.with_traceback(None)


_ANSWERS = {"company_not_found"}
"""Codes that answer what the caller asked for."""

_FAILURES = {"sources_unavailable", "copy_unavailable"}
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

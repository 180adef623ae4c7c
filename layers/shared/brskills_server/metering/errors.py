"""Exceptions of calls that are not counted: exhausted limits, and a reused ``Idempotency-Key``."""

from brskills_server.accounts.errors import AccessError
from brskills_server.metering.quota import Quota


class QuotaExceeded(AccessError):
    """The month has no room for ``calls`` more; ``quota``: the month's calls, limit and end."""

    def __init__(self, quota: Quota, calls: int = 1) -> None:
        super().__init__(f"{quota.remaining} of {quota.limit} calls left")
        self.quota = quota
        self.calls = calls


class UncountedLimit(AccessError):
    """The allowance for uncounted work is used up; ``retry_after``: seconds, at least 1."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"try again in {retry_after} s")
        self.retry_after = max(1, retry_after)


class IdempotencyKeyReused(AccessError):
    """The ``Idempotency-Key`` was used for another request."""

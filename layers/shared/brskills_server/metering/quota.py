"""An account's calls and limit in one month, and calls counted in it before their work."""

from datetime import datetime
from typing import NamedTuple

from brskills_server.accounts import calendar
from brskills_server.accounts.account import Account, Caller


class Quota(NamedTuple):
    """Calls of one month. ``limit``: ``None`` is unlimited; ``now``: Unix time of the reading."""

    plan: str
    month: str
    calls: int
    limit: int | None
    now: float

    @property
    def remaining(self) -> int | None:
        """Calls left, never below zero; ``None`` without a limit."""
        return None if self.limit is None else max(0, self.limit - self.calls)

    @property
    def used_up(self) -> bool:
        """Whether the next counted call will be refused."""
        return self.remaining == 0

    @property
    def resets_at(self) -> datetime:
        """First moment of the next month."""
        return calendar.hour(self.now).month_ends

    @property
    def reset_seconds(self) -> int:
        """First moment of the next month, in Unix seconds."""
        return calendar.hour_number(int(self.now) // calendar.HOUR_SECONDS).month_ends_at

    @property
    def seconds_left(self) -> int:
        """Whole seconds until the next month, at least one."""
        return max(1, int(self.reset_seconds - self.now))


class Reservation(NamedTuple):
    """Calls of a caller, counted before the work they are for. ``quota``: the month's, with these calls."""

    caller: Caller
    quota: Quota
    calls: int = 1


def quota_of(account: Account, now: float) -> Quota:
    """Return the quota of an account in the month of ``now``."""
    month = calendar.month_name(now)
    return Quota(account.plan, month, account.calls.get(month, 0), account.monthly_limit, now)

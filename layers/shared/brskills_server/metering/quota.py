"""Where an account stands in its month."""

from datetime import datetime
from typing import NamedTuple

from brskills_server.accounts import calendar as month

__all__ = ["Quota"]


class Quota(NamedTuple):
    """Calls of one month; ``limit`` ``None`` is unlimited, ``now`` the Unix time it was read at."""

    plan: str
    month: str
    calls: int
    limit: int | None
    now: float

    @property
    def remaining(self) -> int | None:
        """Calls left, never below zero; ``None`` where there is no limit."""
        return None if self.limit is None else max(0, self.limit - self.calls)

    @property
    def used_up(self) -> bool:
        """Whether the next counted call will be refused."""
        return self.remaining == 0

    @property
    def resets_at(self) -> datetime:
        """When the next month begins."""
        return month.end_of(self.now)

    @property
    def reset_seconds(self) -> int:
        """The same in Unix seconds."""
        return month.end_seconds_of(self.now)

    @property
    def seconds_left(self) -> int:
        """Whole seconds until then, at least one."""
        return max(1, int(self.reset_seconds - self.now))

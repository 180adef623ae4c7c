"""What the counts by day say: of each of the last ninety days, and of the month so far."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from brskills_server.accounts.calendar import day_name, month_name
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.telemetry.availability.day_counts import DayCounts, HistoryStore
from brskills_server.telemetry.availability.remembered import Remembered

__all__ = ["DAYS", "PROMISED", "AvailabilityReport", "History", "share"]

DAYS = 90
READ_SECONDS = 15
PROMISED = 0.999
"""The share of calls that Pro promises to be answered, of a month."""

_DAY = 86_400


class AvailabilityReport(NamedTuple):
    """``days``: those that have counts, the newest last; ``None`` where they could never be read.

    ``month``: the current one, of which ``month_share`` is the share of accounts' calls that were answered.
    """

    days: Mapping[str, DayCounts] | None
    month: str
    month_share: float | None


class History:
    """Reads the counts, at most every fifteen seconds; while the store fails, those last read are told.

    ``clock``: Unix seconds.
    """

    def __init__(self, store: HistoryStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._known: dict[str, DayCounts] | None = None
        self._read = Remembered(self._ask, READ_SECONDS, clock)

    def told(self) -> AvailabilityReport:
        """The last ninety days, today among them, as they are in America/Sao_Paulo."""
        days, month = self._read(), month_name(self._clock())
        of_month = [counts for day, counts in (days or {}).items() if day.startswith(month)]
        calls, failed = sum(counts.calls for counts in of_month), sum(counts.failed for counts in of_month)
        return AvailabilityReport(days, month, share(calls, failed))

    def _ask(self) -> dict[str, DayCounts] | None:
        now = self._clock()
        first, last = day_name(now - (DAYS - 1) * _DAY), day_name(now)
        with suppress(StoreUnavailable):
            self._known = dict(sorted(self._store.days(first, last).items()))
        return self._known


def share(calls: int, failed: int) -> float | None:
    """The share that was answered, with four decimals and rounded down: a single failure keeps it below 1.

    >>> share(100_000, 4), share(7, 0), share(0, 0)
    (0.9999, 1.0, None)
    """
    return (calls - failed) * 10_000 // calls / 10_000 if calls else None

"""The share of calls that were answered, by day and for the current month, as the status page shows it."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from brskills_server.accounts.calendar import day_name, month_name
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.telemetry.day_counts import DayCounts, HistoryStore

DAYS = 90
PROMISED = 0.999
"""The share of a month's calls that the Pro plan promises to answer."""

_DAY = 86_400


class AvailabilityReport(NamedTuple):
    """Counts by day, the newest last, and the share of accounts' calls answered in the current ``month``.

    ``days`` is ``None`` where the store could never be read.
    """

    days: Mapping[str, DayCounts] | None
    month: str
    month_share: float | None


class AvailabilityHistory:
    """Counts of all processes, read anew each time, so that no process reports fewer than another has.

    While the store fails, the last ones read. ``clock``: Unix seconds.
    """

    def __init__(self, store: HistoryStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._known: dict[str, DayCounts] | None = None

    def read(self) -> AvailabilityReport:
        """Return the last ninety days with today, in America/Sao_Paulo."""
        days, month = self._read_days(), month_name(self._clock())
        of_month = [counts for day, counts in (days or {}).items() if day.startswith(month)]
        calls, failed = sum(counts.calls for counts in of_month), sum(counts.failed for counts in of_month)
        return AvailabilityReport(days, month, share(calls, failed))

    def _read_days(self) -> dict[str, DayCounts] | None:
        now = self._clock()
        first, last = day_name(now - (DAYS - 1) * _DAY), day_name(now)
        with suppress(StoreUnavailable):
            self._known = dict(sorted(self._store.days(first, last).items()))
        return self._known


def share(calls: int, failed: int) -> float | None:
    """Return the share that was answered, rounded down to four decimals: one failure keeps it below 1.

    >>> share(100_000, 4), share(7, 0), share(0, 0)
    (0.9999, 1.0, None)
    """
    return (calls - failed) * 10_000 // calls / 10_000 if calls else None

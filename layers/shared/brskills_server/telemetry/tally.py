"""This process's counts of answered and failed calls, written to the store once a minute."""

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from operator import add
from threading import Lock

from brskills_server.accounts.calendar import day_end, day_name
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.telemetry.day_counts import DayCounts, HistoryStore

__all__ = ["FAILING_SECONDS", "FLUSH_SECONDS", "KEEP_DAYS", "Tally"]

FLUSH_SECONDS = 60
KEEP_DAYS = 100  # more than the days that the status shows

FAILING_SECONDS = 900
"""How long a part of the service counts as failing after a call that failed."""

_NONE = DayCounts(0, 0)


class Tally:
    """Counts by day, for any thread. ``clock``: Unix seconds.

    A killed process loses what it has not written; a failing store loses nothing. A write that the store did
    not confirm is repeated, so its counts may be stored twice.
    """

    def __init__(self, store: HistoryStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._counts: dict[str, DayCounts] = {}
        self._failed_at: dict[str, float] = {}
        self._next_flush = 0.0
        self._counting, self._writing = Lock(), Lock()

    def add(self, part: str, counts: DayCounts) -> None:
        """Add calls of a part of the service to the day's counts."""
        now = self._clock()
        day = day_name(now)
        with self._counting:
            self._counts[day] = _sum(self._counts.get(day, _NONE), counts)
        if counts.failed:
            self._failed_at[part] = now

    def failing(self) -> frozenset[str]:
        """Return the parts of which an account's call failed lately, in this process."""
        since = self._clock() - FAILING_SECONDS
        return frozenset(part for part, moment in [*self._failed_at.items()] if moment > since)

    def flush_if_due(self) -> None:
        """Write the counts if the last write is a minute old; what cannot be written is kept."""
        now = self._clock()
        if not self._counts or now < self._next_flush <= now + FLUSH_SECONDS:
            return
        if self._writing.acquire(blocking=False):
            try:
                with suppress(StoreUnavailable):
                    self._flush()
            finally:
                self._writing.release()

    def flush(self) -> None:
        """Write the counts. Raise ``StoreUnavailable``, with nothing lost."""
        with self._writing:
            self._flush()

    def _flush(self) -> None:
        self._next_flush = self._clock() + FLUSH_SECONDS
        with self._counting:
            waiting, self._counts = self._counts, {}
        ends = int((day_end(self._clock()) + timedelta(days=KEEP_DAYS)).timestamp())
        while waiting:
            day, counts = waiting.popitem()
            try:
                self._store.add_to_day(day, counts, ends)
            except BaseException:
                self._put_back({**waiting, day: counts})
                raise

    def _put_back(self, unwritten: dict[str, DayCounts]) -> None:
        with self._counting:
            for day, counts in unwritten.items():
                self._counts[day] = _sum(self._counts.get(day, _NONE), counts)


def _sum(counts: DayCounts, more: DayCounts) -> DayCounts:
    return DayCounts(*map(add, counts, more))

"""This process's counts on their way to the store: a write a minute, and not one a call.

What is not written yet is lost with a process that is killed; a store that fails loses nothing. A write of
which nobody knows whether it was applied is repeated, so that what it counts may be there twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from threading import Lock
from typing import TYPE_CHECKING

from brskills_server.accounts.calendar import day_end, day_name
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.telemetry.availability.day_counts import DayCounts, HistoryStore

if TYPE_CHECKING:
    from brskills_server.telemetry.availability.calls import Calls

__all__ = ["FAILING_SECONDS", "FLUSH_SECONDS", "KEEP_DAYS", "Tally"]

FLUSH_SECONDS = 60
KEEP_DAYS = 100  # more than the days that are told

FAILING_SECONDS = 900
"""How long a part of the service counts as failing after a call that failed."""

_NONE = DayCounts(0, 0)


class Tally:
    """Counts by day, for any thread. ``clock``: Unix seconds; ``observe`` hears of what is counted."""

    def __init__(
        self,
        store: HistoryStore,
        clock: Callable[[], float] = time.time,
        observe: Callable[[Calls], None] = lambda _: None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._observe = observe
        self._counts: dict[str, DayCounts] = {}
        self._failed_at: dict[str, float] = {}
        self._next = 0.0
        self._counting, self._writing = Lock(), Lock()

    def add(self, calls: Calls) -> None:
        """Count what became of a request's calls, if it held any."""
        if not calls.due:
            return
        self._observe(calls)
        now = self._clock()
        self._count({day_name(now): calls.counts})
        if calls.failed and not calls.is_demo:
            self._failed_at[calls.part] = now

    def failing(self) -> frozenset[str]:
        """The parts of the service of which a call of an account failed lately, in this process."""
        since = self._clock() - FAILING_SECONDS
        return frozenset(part for part, moment in [*self._failed_at.items()] if moment > since)

    def flush_if_due(self) -> None:
        """Write if that was last done a minute ago, or never; what cannot be written waits."""
        now = self._clock()
        if not self._counts or now < self._next <= now + FLUSH_SECONDS:
            return
        if self._writing.acquire(blocking=False):
            try:
                with suppress(StoreUnavailable):
                    self._flush()
            finally:
                self._writing.release()

    def flush(self) -> None:
        """Write all there is; raises ``StoreUnavailable``, and then nothing is lost."""
        with self._writing:
            self._flush()

    def _flush(self) -> None:
        self._next = self._clock() + FLUSH_SECONDS
        with self._counting:
            waiting, self._counts = self._counts, {}
        ends = int((day_end(self._clock()) + timedelta(days=KEEP_DAYS)).timestamp())
        while waiting:
            day, counts = waiting.popitem()
            try:
                self._store.add_to_day(day, counts, ends)
            except BaseException:
                self._count({**waiting, day: counts})
                raise

    def _count(self, more: Mapping[str, DayCounts]) -> None:
        with self._counting:
            for day, counts in more.items():
                self._counts[day] = self._counts.get(day, _NONE).plus(counts)

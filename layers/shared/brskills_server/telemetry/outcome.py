"""The outcome of the calls in one request, recorded in metrics, in the log and in the day's counts."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from math import inf
from operator import add
from threading import Lock
from typing import Any

from brskills_server.accounts.calendar import HOUR_SECONDS, hour, hour_number
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.registry.store import Store, StoreFault
from brskills_server.telemetry import count
from brskills_server.telemetry.day_counts import DayCounts, HistoryStore
from brskills_server.telemetry.figures import ANSWERS, CALLS

LOG_FIELDS = "log_fields"
"""Member of the gateway's events: a mapping to which the function adds fields of the gateway's log line."""


@dataclass(slots=True)
class CallOutcome:
    """Outcome of one request: a call of a skill, or the calls of a batch.

    ``part``: the part of the service that its availability belongs to, ``pix``, ``cnpj`` or ``custom``, or
    empty. ``items``: ``counted``, ``free``, ``refused`` or ``failed`` for each call; ``plan``: the account's,
    where the ledger was read. ``answered``, ``failed``: the calls that count for availability.
    ``add_grant_usage``: adds what the request cost to the usage of its OAuth grant.
    """

    part: str = ""
    is_demo: bool = False
    skill: str = ""
    plan: str | None = None
    items: Sequence[str] = ()
    answered: int = 0
    failed: int = 0
    add_grant_usage: Callable[[], None] | None = None

    def set_items(self, skill: str, plan: str | None, items: Sequence[str]) -> None:
        """Set the outcome of each call of a skill."""
        self.skill, self.plan, self.items = skill, plan, items
        if self.part:
            self.failed = items.count("failed")
            self.answered = len(items) - self.failed - items.count("refused")

    def end_with(self, outcome: str) -> None:
        """Set how the request as a whole ended: ``failed`` and ``refused`` override the calls in it."""
        if outcome == "failed" and self.part:
            self.answered, self.failed = 0, max(1, self.answered + self.failed)
        elif outcome == "refused":
            self.answered = self.failed = 0


FLUSH_SECONDS = 60
KEEP_DAYS = 100  # more than the days that the status shows

FAILING_SECONDS = 900
"""How long a part of the service counts as failing after a call that failed."""

_FAILED = "failed:"
_NONE = DayCounts(0, 0)


class Tally:
    """Counts by day, for any thread, and which parts of the service fail. ``clock``: Unix seconds.

    ``companies``: its shared state has a field ``failed:<part>``, the Unix second of a call that failed.

    A killed process loses what it has not written; a failing store loses nothing. A write that the store did
    not confirm is repeated, so its counts may be stored twice.
    """

    def __init__(self, store: HistoryStore, companies: Store, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._companies = companies
        self._clock = clock
        self._counts: dict[str, DayCounts] = {}
        self._failed_at: dict[str, int] = {}  # fields of the shared state, and those that are written
        self._written: dict[str, int] = {}
        self._next_flush = 0.0
        self._counting, self._writing = Lock(), Lock()

    def add(self, part: str, counts: DayCounts) -> None:
        """Add a part's calls to the day's counts; a failure makes a flush due, once a minute."""
        now = self._clock()
        self._add(hour_number(int(now) // HOUR_SECONDS).day, counts)
        if counts.failed:
            if not 0 <= now - self._failed_at.get(_FAILED + part, -inf) < FLUSH_SECONDS:
                self._next_flush = 0.0
            self._failed_at[_FAILED + part] = int(now)

    def _add(self, day: str, counts: DayCounts) -> None:
        with self._counting:
            self._counts[day] = DayCounts(*map(add, self._counts.get(day, _NONE), counts))

    def failing(self) -> frozenset[str]:
        """Return the parts of which an account's call failed lately, as far as every process can know it."""
        now, state = self._clock(), dict[str, str | int]()
        with suppress(StoreFault):
            state.update(self._companies.state())
        failed = {
            field: at for field, at in state.items() if field.startswith(_FAILED) and isinstance(at, int)
        }
        # A clock that was wrong for a while may have left a moment of the future.
        lately = range(int(now) - FAILING_SECONDS + 1, int(now) + FLUSH_SECONDS)
        return frozenset(field.removeprefix(_FAILED) for field, at in failed.items() if at in lately)

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
        ends = int((hour(self._clock()).day_ends + timedelta(days=KEEP_DAYS)).timestamp())
        for day in [*self._counts]:
            with self._counting:
                counts = self._counts.pop(day)
            try:
                self._store.add_to_day(day, counts, ends)
            except BaseException:
                self._add(day, counts)
                raise
        if news := dict({**self._failed_at}.items() - self._written.items()):
            with suppress(StoreFault):
                self._companies.set_state(news)
                self._written |= news


def record_outcome(outcome: CallOutcome, tally: Tally | None) -> dict[str, Any]:
    """Record an outcome in metrics, the day's counts and the grant's usage; return the fields for the log.

    ``tally``: ``None`` where a function counts no availability.
    """
    for item in outcome.items:
        count(CALLS, outcome.skill, outcome.plan or "unknown", item)
    if outcome.add_grant_usage:
        outcome.add_grant_usage()
    answered, failed = outcome.answered, outcome.failed
    calls = answered + failed
    if not calls or not tally:
        return {}
    if outcome.is_demo:
        tally.add(outcome.part, DayCounts(0, 0, calls, failed))
        return {"demo_calls": calls, "demo_failed": failed}
    for kind, number in (("answered", answered), ("failed", failed)):
        for _ in range(number):
            count(ANSWERS, kind)
    tally.add(outcome.part, DayCounts(calls, failed))
    return {"calls": calls, "failed": failed}

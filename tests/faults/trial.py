"""A fault under traffic: nothing may be counted wrongly, nobody wait too long, nobody help it back."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from tests.faults.service import STORE_SECONDS, Service
from tests.faults.traffic import CODES, LOST, Kind, Traffic

__all__ = ["BACK_SECONDS", "MACHINE_SECONDS", "OPERATION", "Budget", "Row", "Trial", "span"]

MACHINE_SECONDS = 2.0
"""What a busy machine may add to any wait."""

OPERATION = STORE_SECONDS + 0.5
"""How long an operation of the store may take: its time-out, and what a database gets to say so itself."""

BACK_SECONDS = 15.0
"""The longest effect on callers after a fault's end: a breaker rests ten seconds, a worker starts soon."""

History = Literal["exact", "at most", "at least"]


@dataclass
class Row:
    """A line of the table, and what does not hold."""

    fault: str
    callers: str = ""
    waits: str = ""
    plain: str = ""
    keyed: str = ""
    back: str = ""
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Budget:
    """The most seconds that a call may take, without an ``Idempotency-Key`` and with one."""

    plain: float = OPERATION
    keyed: float = 2 * OPERATION  # what was counted and cannot be answered is given back


class Trial:
    """Callers at a service: ``with trial.running(): trial.begin(); …; trial.end()``."""

    def __init__(self, service: Service, kind: Kind = CODES) -> None:
        self.service = service
        (self._plain, plain_key), (self._keyed, keyed_key) = service.new_key(), service.new_key()
        self._keys = plain_key, keyed_key
        self.traffic = Traffic(service.base, plain_key, keyed_key, kind)
        self._ended = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Everybody is answered when the block begins, and again when it ends."""
        with self.traffic.running():
            self.traffic.goes_on()
            yield
            self._ended = self._ended or time.monotonic()
            self.traffic.goes_on()

    def end(self) -> None:
        """The fault has ended by now."""
        self._ended = time.monotonic()

    def judged(
        self,
        fault: str,
        *,
        felt: set[int],
        budget: Budget | None = None,
        history: History = "exact",
        back: float = BACK_SECONDS,
        doubt: bool = True,
    ) -> Row:
        """Stop the service, recount, and return the row.

        ``felt``: what callers get because of the fault. ``history``: the stored count against the log.
        ``doubt``: whether of calls that were not answered some may be counted.
        """
        row, budget = Row(fault), budget or Budget()
        self._judge_answers(row, felt)
        self._judge_waits(row, budget)
        self._judge_counts(row, doubt)
        self.service.end()
        self._judge_log(row, history)
        after = self.traffic.failed_until(self._ended)
        row.back = f"{after:.1f} s"
        _check(row, after <= back, f"callers felt it {after:.1f} s after its end")
        row.faults += self.traffic.wrong
        return row

    def untouched(self) -> list[str]:
        """What is wrong where these callers should have felt nothing; the service continues."""
        row = Row("")
        self._judge_answers(row, set())
        self._judge_waits(row, Budget())
        self._judge_counts(row, doubt=False)
        return row.faults

    def _judge_answers(self, row: Row, felt: set[int]) -> None:
        seen = self.traffic.statuses
        row.callers = span(seen)
        _check(row, bool(felt & seen.keys()) or not felt, "nobody felt the fault")
        _check(row, seen.keys() <= felt | {200}, "callers were answered what they should not be")

    def _judge_waits(self, row: Row, budget: Budget) -> None:
        waits = []
        for kind, calls, most in (
            ("", self.traffic.plain, budget.plain),
            ("under a key ", self.traffic.keyed, budget.keyed),
        ):
            longest = max(call.seconds for call in calls)
            waits.append(f"{kind}{longest:.1f} of {most:.1f} s")
            _check(row, longest <= most + MACHINE_SECONDS, f"a call {kind}took {longest:.1f} s")
        row.waits = "; ".join(waits)

    def _judge_counts(self, row: Row, doubt: bool) -> None:
        answered = sum(call.status == 200 for call in self.traffic.plain)
        doubtful = len(self.traffic.plain) - answered if doubt else 0
        plain, keyed = self.service.kept(self._plain), self.service.kept(self._keyed)
        row.plain = f"{answered:,} answered, {plain:,} counted, {doubtful:,} in doubt"
        row.keyed = f"{self.traffic.requests:,} answered, {keyed:,} counted"
        _check(row, answered <= plain <= answered + doubtful, "plain calls are counted wrongly")
        _check(row, keyed == self.traffic.requests, "requests under a key are counted wrongly")
        usage = tuple(self.service.usage(key) for key in self._keys)
        _check(row, usage == (plain, keyed), f"/usage has {usage}")

    def _judge_log(self, row: Row, history: History) -> None:
        seen, logged = self.traffic.statuses, self.service.logged(self.traffic.kind.path)
        lost = seen.pop(LOST, 0)
        _check(row, seen <= logged and (logged - seen).total() <= lost, f"the log has {span(logged)}")
        kept, logged = self.service.kept_calls(), self.service.logged_calls()
        holds = {"exact": kept == logged, "at most": kept <= logged, "at least": kept >= logged}[history]
        _check(row, holds, f"the history has {kept}, the log {logged}")


def span(statuses: Counter[int]) -> str:
    """How often each status came."""
    return ", ".join(f"{times:,} × {status or 'lost'}" for status, times in sorted(statuses.items()))


def _check(row: Row, holds: bool, otherwise: str) -> None:
    if not holds:
        row.faults.append(otherwise)

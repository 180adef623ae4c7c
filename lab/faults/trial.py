"""A fault under traffic: no call is counted wrongly, waits too long, or fails long after the fault's end."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import httpx

from brskills_server.accounts.calendar import day_name
from lab.faults.traffic import CODES, LOST, MAX_SECONDS, Kind, Traffic
from tests.services.served import Served, served

STORE_SECONDS = 3
DAY = 86_400.0

MACHINE_SECONDS = 2.0
"""What a busy machine may add to any wait."""

OPERATION = STORE_SECONDS + 0.5
"""The longest operation of the store: its time-out, and the time in which a database reports its own."""

BACK_SECONDS = 15.0
"""The longest effect on callers after a fault's end: a breaker rests ten seconds, a worker starts soon."""

History = Literal["exact", "at most", "at least"]


@dataclass
class Row:
    """A row of the table. ``faults``: what does not hold."""

    fault: str
    callers: str = ""
    waits: str = ""
    counts: str = ""
    faults: list[str] = field(default_factory=list)

    @property
    def cells(self) -> tuple[str, ...]:
        return (self.fault, self.callers, self.waits, self.counts)

    def check(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.faults.append(otherwise)


@dataclass(frozen=True)
class Budget:
    """The most seconds that a call may take, without an ``Idempotency-Key`` and with one."""

    plain: float = OPERATION
    keyed: float = 2 * OPERATION  # what was counted and cannot be answered is given back


class Trial:
    """Callers at a service: ``with trial.running(): …; trial.end()``."""

    def __init__(self, service: Served, kind: Kind = CODES) -> None:
        self.service = service
        self._accounts = [service.store.accounts.open("enterprise") for _ in range(2)]
        self._keys = [account.api_key for account in self._accounts]
        self.traffic = Traffic(service.base, *self._keys, kind)
        self._ended = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run the callers, all of which are answered when the block begins and after it ends."""
        with self.traffic.running():
            self.traffic.wait_for_answers()
            yield
            self._ended = self._ended or time.monotonic()
            self.traffic.wait_for_answers()

    def end(self) -> None:
        """Note that the fault has ended."""
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

        ``felt``: the statuses that the fault causes. ``history``: the stored count compared with the log.
        ``doubt``: whether calls without an answer may be counted.
        """
        row, budget = Row(fault), budget or Budget()
        self._judge_answers(row, felt)
        self._judge_waits(row, budget)
        self._judge_counts(row, doubt)
        self.service.end()
        self._judge_log(row, history)
        after = self.traffic.failed_until(self._ended)
        row.check(after <= back, f"callers felt it {after:.1f} s after its end")
        row.faults += self.traffic.wrong
        return row

    def untouched(self) -> list[str]:
        """Return what is wrong with callers that the fault must not affect; the service continues."""
        row = Row("")
        self._judge_answers(row, set())
        self._judge_waits(row, Budget())
        self._judge_counts(row, doubt=False)
        return row.faults

    def _judge_answers(self, row: Row, felt: set[int]) -> None:
        seen = self.traffic.statuses
        row.callers = span(seen)
        row.check(bool(felt & seen.keys()) or not felt, "no caller felt the fault")
        row.check(seen.keys() <= felt | {200}, "callers were answered what they should not be")

    def _judge_waits(self, row: Row, budget: Budget) -> None:
        waits = []
        for kind, calls, most in (
            ("", self.traffic.plain, budget.plain),
            ("under a key ", self.traffic.keyed, budget.keyed),
        ):
            longest = max(call.seconds for call in calls)
            waits.append(f"{longest:.1f} of {most:.1f} s")
            row.check(longest <= most + MACHINE_SECONDS, f"a call {kind}took {longest:.1f} s")
        row.waits = "; ".join(waits)

    def _judge_counts(self, row: Row, doubt: bool) -> None:
        answered = sum(call.status == 200 for call in self.traffic.plain)
        doubtful = len(self.traffic.plain) - answered if doubt else 0
        accounts = self.service.store.accounts
        plain, keyed = (sum(accounts.get(one.account).calls.values()) for one in self._accounts)
        row.counts = f"{answered:,}, {plain:,}, {doubtful:,}"
        row.check(answered <= plain <= answered + doubtful, "plain calls are counted wrongly")
        row.check(keyed == self.traffic.requests, "requests under a key are counted wrongly")
        usage = tuple(map(self._usage, self._keys))
        row.check(usage == (plain, keyed), f"/usage has {usage}")

    def _judge_log(self, row: Row, history: History) -> None:
        seen, route = self.traffic.statuses, f"POST {self.traffic.kind.path}"
        logged = Counter(line["status"] for line in self.service.lines() if line.get("route") == route)
        lost = seen.pop(LOST, 0)
        row.check(seen <= logged and (logged - seen).total() <= lost, f"the log has {span(logged)}")
        kept, found = self.service.kept(day_name(time.time() - DAY)), self.service.logged()
        holds = {"exact": kept == found, "at most": kept <= found, "at least": kept >= found}[history]
        row.check(holds, f"the history has {kept}, the log {found}")

    def _usage(self, key: str) -> int:
        """Return the calls of all months that the API reports."""
        url = f"{self.service.base}/api/v1/usage"
        usage = httpx.get(url, headers={"X-API-Key": key}, timeout=MAX_SECONDS).raise_for_status().json()
        return int(usage["chamadas"]) + sum(month["chamadas"] for month in usage["historico"])


def span(statuses: Counter[int]) -> str:
    """Return how often each status came."""
    return ", ".join(f"{times:,} × {status or 'lost'}" for status, times in sorted(statuses.items()))


@contextmanager
def trial_at(folder: Path, store: str = "", direct: str = "", **settings: str) -> Iterator[Trial]:
    """Yield callers of a gateway over a store, by default a file; see ``served``."""
    folder.mkdir(exist_ok=True)
    store = store or f"sqlite:///{folder}/brskills.db"
    settings = {"STORE_TIMEOUT_SECONDS": str(STORE_SECONDS), **settings}
    with served(folder, store, direct, **settings) as service:
        yield Trial(service)

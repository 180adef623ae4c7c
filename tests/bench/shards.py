"""Counted calls of one account in one item and in shards: ``python -m tests.bench.shards``.

The DynamoDB is simulated: each item takes 1,000 units of writing a second, a tenth of them in each tenth, and
its clock is simulated too. 200 processes share the calls, as functions on AWS do. A call that is throttled
three times is a 503. Every answered call must be counted once. Kept in evidence/figures.md.
"""

import random
from collections.abc import Callable
from typing import Any, NamedTuple
from unittest.mock import patch

from brskills_server.accounts.account import Account, Caller
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.accounts.plans import PLANS
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from tests.bench.figure import Figure, Spread
from tests.bench.table import keep
from tests.services.scenarios import table
from tests.services.simulated_dynamodb import SimulatedDynamoDB

BEGIN, SECONDS, RATE, PROCESSES, UNITS = 1_795_000_000, 5, 10_000, 200, 1_000
HEAD = ["calls", "items", "counted/s", "503", "requests a call"]


class Load(NamedTuple):
    """The plan's rate, the share of calls with an ``Idempotency-Key``, and a change for each second."""

    name: str
    plan_rate: int
    keyed: float = 0
    changes: tuple[Callable[[DynamoAccess], object], ...] = ()


def _resize(rate: int) -> Callable[[DynamoAccess], object]:
    def resize(store: DynamoAccess) -> bool:
        _set_rate(rate)
        return store.set_plan("acc_1", "enterprise", None)

    return resize


def _set_rate(rate: int) -> None:
    PLANS["enterprise"] = PLANS["enterprise"]._replace(rate=rate)


def _rotate(store: DynamoAccess) -> bool:
    return store.rotate_key("acc_1", "k1", "k2", ends=BEGIN + 99, expired=(), most=9, now=BEGIN)


def _revoke(store: DynamoAccess) -> bool:
    return store.revoke_key("acc_1", "k2", BEGIN)


LOADS = (
    Load("one item", 500),
    Load("shards", 10_000),
    Load("with `Idempotency-Key`", 10_000, keyed=1),
    Load("18, then 32 items; keys change", 9_000, 0, (_resize(16_000), _rotate, _revoke)),
)


class Trial:
    """Calls of one account over a simulated table."""

    def __init__(self, load: Load) -> None:
        _set_rate(load.plan_rate)
        random.seed(load.name)  # of the stores' choice of items
        self.load, self.now, self.random = load, float(BEGIN), random.Random(load.name)
        self.client: Any = SimulatedDynamoDB(lambda: self.now, UNITS)
        self.stores = [DynamoAccess(self.client, "Access", "Watches") for _ in range(PROCESSES)]
        self.ledgers = [Ledger(store, 0, lambda: self.now) for store in self.stores]
        self.answered = self.unavailable = 0
        self.ended = self.now

    def wait(self, seconds: float) -> None:
        """Let time pass for the call at work; the next one is sent at its own time."""
        self.now += seconds

    def run(self, seconds: float = SECONDS) -> None:
        """Send the calls, and make a change each second."""
        assert self.stores[0].open_account(Account("acc_1", "enterprise", None, {"k1": 0}))
        changes = iter(self.load.changes)
        self.client.requests.clear()
        for n in range(int(RATE * seconds)):
            self.now = BEGIN + n / RATE
            if n and n % RATE == 0 and (change := next(changes, None)):
                assert change(self.stores[0])
            self._send(n)

    def _send(self, number: int) -> None:
        session = Session(self.random.choice(self.ledgers), Caller("acc_1", "k1"))
        if self.random.random() < self.load.keyed:
            session.identify(str(number), b"")
        try:
            session.reserve()
            session.settle()
        except StoreUnavailable:
            self.unavailable += 1
        else:
            self.answered += session.calls
        self.ended = max(self.ended, self.now)

    def row(self) -> list[str]:
        """Return the cells of a table."""
        found = self.stores[1].read_usage("acc_1")
        assert found is not None
        (counted,) = found.calls.values()
        assert counted == self.answered
        items = sum(key.startswith("ACCOUNT#") for key in self.client.items)
        return [
            self.load.name,
            str(items),
            f"{counted / (self.ended - BEGIN):,.0f}",
            f"{self.unavailable / RATE / SECONDS:.1%}",
            f"{self.requests:.2f}",
        ]

    @property
    def requests(self) -> float:
        """Requests to the store for each call."""
        return float(self.client.requests.total() / RATE / SECONDS)


def measured(load: Load, seconds: float = SECONDS) -> Trial:
    """Run a load."""
    with patch.dict(PLANS):
        trial = Trial(load)
        with patch("brskills_server.adapters.dynamodb.table.time.sleep", trial.wait):
            trial.run(seconds)
        return trial


def measure() -> dict[str, Figure]:
    """Measure and keep; ratios are to one request a call."""
    trials = [measured(load) for load in LOADS]
    keep("shards", table(HEAD, [one.row() for one in trials]))
    return {one.load.name: Figure(one.requests, "requests", Spread.exact(one.requests)) for one in trials}


if __name__ == "__main__":
    measure()

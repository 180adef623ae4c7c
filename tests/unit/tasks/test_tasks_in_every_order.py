"""Whatever the order of polls, runs, kills and cancellations: one run at a time, and one end."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from brskills_server.accounts.account import Account
from brskills_server.tasks.task import CANCELLED, COMPLETED, FAILED, LEASE_SECONDS, MOST_RUNS, Task
from brskills_server.tasks.tasks import Tasks
from tests.conftest import Clock
from tests.services.store import in_memory

ACCOUNT = "acc_1"


class Orders(RuleBasedStateMachine):
    """One task: events that started runs, which come late, twice or never, and workers that run it."""

    def __init__(self) -> None:
        super().__init__()
        store, self.clock = in_memory(), Clock()
        store.open_account(Account(ACCOUNT, "pro", 3, {"key": 0}))
        self.events: list[Task] = []
        self.tasks = Tasks(store, self.events.append, lambda _: None, '{"message": "given up"}', self.clock)
        task = self.tasks.create(ACCOUNT, "cnpj", "{}")
        assert task
        self.id = task.id
        self.workers: list[Task] = []
        self.ended: Any = None
        self.begun = 0

    def end(self, status: str, outcome: str = "") -> None:
        assert self.ended is None, "it ended twice"
        self.ended = status, outcome

    def read(self) -> Task:
        return self.tasks.resume(self.tasks.find(ACCOUNT, self.id), str)

    @rule()
    def poll(self) -> None:
        before = self.ended
        found = self.read()
        if before is None and not found.is_working:
            assert (found.status, self.begun) == (FAILED, MOST_RUNS)
            self.end(FAILED, found.outcome)

    @rule()
    def cancel(self) -> None:
        self.tasks.cancel(ACCOUNT, self.id)
        if self.ended is None:
            self.end(CANCELLED)

    @precondition(lambda self: self.events)
    @rule(number=st.integers(0, 99))
    def handle_an_event(self, number: int) -> None:
        event = self.events[number % len(self.events)]
        begun = self.tasks.begin(ACCOUNT, self.id, event.version)
        if begun:
            self.begun += 1
            assert begun.runs == self.begun <= MOST_RUNS
            self.workers.append(begun)

    @precondition(lambda self: self.workers)
    @rule(number=st.integers(0, 99))
    def renew(self, number: int) -> None:
        worker = self.workers.pop(number % len(self.workers))
        renewed = self.tasks.renew(worker, "")
        if renewed:
            assert self.ended is None
            assert renewed.runs == self.begun, "a run that was replaced continues"
            self.workers.append(renewed)

    @precondition(lambda self: self.workers)
    @rule(number=st.integers(0, 99))
    def finish(self, number: int) -> None:
        worker = self.workers.pop(number % len(self.workers))
        outcome = f'"{worker.runs}"'
        if self.tasks.end(worker, COMPLETED, outcome):
            self.end(COMPLETED, outcome)

    @precondition(lambda self: self.workers)
    @rule(number=st.integers(0, 99))
    def kill(self, number: int) -> None:
        self.workers.pop(number % len(self.workers))

    @rule(seconds=st.sampled_from([1, LEASE_SECONDS, 2 * LEASE_SECONDS]))
    def wait(self, seconds: int) -> None:
        self.clock.now += seconds if self.clock.now < Clock().now + 1_800 else 0

    @invariant()
    def what_ended_stays_so(self) -> None:
        if self.ended:
            found = self.read()
            assert (found.status, found.outcome) == self.ended


TestOrders = Orders.TestCase
TestOrders.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)

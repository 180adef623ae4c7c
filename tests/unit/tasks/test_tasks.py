"""Tasks: started, started again, given up, cancelled."""

from __future__ import annotations

import pytest

from brskills_server.accounts.account import Account
from brskills_server.tasks.task import (
    CANCELLED,
    COMPLETED,
    FAILED,
    KEPT_SECONDS,
    LEASE_SECONDS,
    MOST_RUNS,
    MOST_WORKING,
    START_SECONDS,
    Task,
)
from brskills_server.tasks.tasks import Tasks, UnknownTask
from tests.conftest import Clock
from tests.services.store import in_memory

ACCOUNT = "acc_1"


class World:
    """Tasks of an account; ``started``: those that processes were started for."""

    def __init__(self) -> None:
        self.store, self.clock = in_memory(), Clock()
        self.store.open_account(Account(ACCOUNT, "pro", 3, {"key": 0}))
        self.started: list[Task] = []
        self.released: list[Task] = []
        self.tasks = Tasks(self.store, self.started.append, self.released.append, "given up", self.clock)

    def create(self) -> Task:
        task = self.tasks.create(ACCOUNT, "cnpj", "{}")
        assert task
        return task

    def read(self, name: str) -> Task:
        return self.tasks.resume(self.tasks.find(ACCOUNT, name), lambda: "[]")


@pytest.fixture
def world() -> World:
    return World()


def test_a_task_is_stored_before_it_is_started(world: World) -> None:
    task = world.create()
    assert world.started == [task]
    assert world.read(task.id) == task
    begun = world.tasks.begin(ACCOUNT, task.id, task.version)
    assert begun
    assert world.tasks.begin(ACCOUNT, task.id, task.version) is None  # the event came twice
    assert world.tasks.end(begun, COMPLETED, "[]")
    assert world.read(task.id).outcome == "[]"


def test_a_task_that_was_not_begun_is_started_again_by_a_read(world: World) -> None:
    task = world.create()
    world.clock.now += START_SECONDS - 1
    assert world.read(task.id) == task
    world.clock.now += 1
    again = world.read(task.id)
    assert world.read(task.id) == again
    assert world.started == [task, again]
    assert world.tasks.begin(ACCOUNT, task.id, task.version) is None  # the first event came late
    assert world.tasks.begin(ACCOUNT, task.id, again.version)


def test_a_run_whose_lease_has_ended_is_replaced_and_learns_of_it(world: World) -> None:
    task = world.create()
    first = world.tasks.begin(ACCOUNT, task.id, task.version)
    assert first
    world.clock.now += LEASE_SECONDS
    world.read(task.id)
    second = world.tasks.begin(ACCOUNT, task.id, world.started[-1].version)
    assert second
    assert second.runs == 2
    assert world.tasks.renew(first, "") is None
    assert not world.tasks.end(first, COMPLETED, "[1]")
    assert world.tasks.end(second, COMPLETED, "[2]")


def test_a_task_is_given_up_after_some_runs(world: World) -> None:
    task = world.create()
    for _ in range(MOST_RUNS):
        assert world.tasks.begin(ACCOUNT, task.id, world.started[-1].version)
        world.clock.now += LEASE_SECONDS
        found = world.read(task.id)
    assert (found.status, found.outcome) == (FAILED, "given up")
    assert [released.runs for released in world.released] == [MOST_RUNS]
    assert len(world.started) == MOST_RUNS


def test_starts_without_a_run_are_not_bounded(world: World) -> None:
    task = world.create()
    for _ in range(2 * MOST_RUNS):
        world.clock.now += START_SECONDS
        assert world.read(task.id).is_working


def test_a_cancelled_task_is_not_run(world: World) -> None:
    task = world.create()
    begun = world.tasks.begin(ACCOUNT, task.id, task.version)
    assert begun
    world.tasks.cancel(ACCOUNT, task.id)
    assert world.released == [begun]
    assert world.tasks.renew(begun, "") is None
    assert not world.tasks.end(begun, COMPLETED, "[]")
    assert world.read(task.id).status == CANCELLED
    world.tasks.cancel(ACCOUNT, task.id)


def test_an_account_has_some_working_tasks(world: World) -> None:
    for _ in range(MOST_WORKING):
        world.create()
    assert world.tasks.create(ACCOUNT, "cnpj", "{}") is None
    assert len(world.started) == MOST_WORKING
    assert world.tasks.create("acc_2", "cnpj", "{}") is None


def test_an_unknown_task_and_an_expired_one_are_the_same(world: World) -> None:
    task = world.create()
    world.clock.now += KEPT_SECONDS
    for name in (task.id, "task_0"):
        for ask in (world.tasks.find, world.tasks.cancel):
            with pytest.raises(UnknownTask):
                ask(ACCOUNT, name)
        assert world.tasks.begin(ACCOUNT, name, 1) is None

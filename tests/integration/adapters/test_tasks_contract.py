"""The contract of ``TaskStore``, for every adapter."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from brskills_server.accounts.account import Account
from brskills_server.adapters import memory
from brskills_server.adapters.stores import AccessStore, Stores
from brskills_server.runtime.transfer import move
from brskills_server.tasks.task import CANCELLED, COMPLETED, LEASE_SECONDS, Task, new_task
from tests.services.store import Destination

NOW = 1_795_000_000
MOST = 3


@pytest.fixture(autouse=True)
def accounts(store: AccessStore) -> None:
    for name in ("acc_1", "acc_2"):
        assert store.open_account(Account(name, "pro", 3, {f"key of {name}": 0}, created_at=NOW))


def added(
    store: AccessStore, account: str = "acc_1", request: str = '{"é": "\\u0000"}', now: int = NOW
) -> Task:
    task = new_task(account, "cnpj", request, now)
    assert store.add_task(task, MOST)
    return task


def test_a_task_is_read_as_it_was_added_by_its_account_alone_until_it_expires(store: AccessStore) -> None:
    task = added(store)
    assert store.read_task("acc_1", task.id, NOW) == task
    assert store.read_task("acc_2", task.id, NOW) is None
    assert store.read_task("acc_1", "task_1", NOW) is None
    assert store.read_task("acc_1", task.id, task.expires_at - 1) == task
    assert store.read_task("acc_1", task.id, task.expires_at) is None


def test_a_long_request_and_a_long_outcome_are_kept(store: AccessStore) -> None:
    long = "ação €" * 30_000
    task = added(store, request=long)
    assert store.read_task("acc_1", task.id, NOW) == task
    ended = task.end(NOW + 1, COMPLETED, long)
    assert store.change_task(ended)
    assert store.read_task("acc_1", task.id, NOW) == ended


def test_an_outcome_of_the_greatest_size_is_kept(store: AccessStore) -> None:
    text = random.Random(1).randbytes(192_000).hex()
    ended = added(store).end(NOW + 1, COMPLETED, text)
    assert store.change_task(ended)
    assert store.read_task("acc_1", ended.id, NOW) == ended


def test_an_unknown_account_has_no_tasks(store: AccessStore) -> None:
    task = new_task("acc_3", "cnpj", "{}", NOW)
    assert not store.add_task(task, MOST)
    assert store.read_task("acc_3", task.id, NOW) is None


def test_only_the_version_before_is_replaced(store: AccessStore) -> None:
    task = added(store)
    begun = task.begin(NOW + 1)
    assert store.change_task(begun)
    assert not store.change_task(task.end(NOW + 2, CANCELLED))
    assert not store.change_task(begun.renew(NOW, "").renew(NOW, ""))
    assert store.read_task("acc_1", task.id, NOW) == begun
    assert not store.change_task(begun.renew(NOW, "")._replace(account="acc_2"))
    assert not store.change_task(new_task("acc_1", "cnpj", "{}", NOW).begin(NOW))


@pytest.mark.parametrize("status", [COMPLETED, CANCELLED])
def test_an_account_has_so_many_working_tasks_and_any_number_of_ended_ones(
    store: AccessStore, status: str
) -> None:
    tasks = [added(store) for _ in range(MOST)]
    assert not store.add_task(new_task("acc_1", "cnpj", "{}", NOW), MOST)
    added(store, "acc_2")
    for task in tasks:
        begun = task.begin(NOW)
        assert store.change_task(begun)
        assert not store.add_task(new_task("acc_1", "cnpj", "{}", NOW), MOST)
        assert store.change_task(begun.end(NOW, status))
        added(store)


def test_a_task_that_expired_takes_no_place(store: AccessStore) -> None:
    last = [added(store) for _ in range(MOST)][-1]
    assert not store.add_task(new_task("acc_1", "cnpj", "{}", last.expires_at - 1), MOST)
    for _ in range(MOST):
        later = added(store, now=last.expires_at)
    assert store.change_task(last.end(NOW, COMPLETED))  # late, and of no effect on the others
    assert not store.add_task(new_task("acc_1", "cnpj", "{}", last.expires_at), MOST)
    assert store.read_task("acc_1", later.id, last.expires_at) == later


def test_of_tasks_added_at_once_no_more_are_added(store: AccessStore) -> None:
    tasks = [new_task("acc_1", "cnpj", "{}", NOW) for _ in range(12)]
    with ThreadPoolExecutor(12) as pool:
        outcomes = list(pool.map(lambda task: store.add_task(task, MOST), tasks))
    assert sum(outcomes) == MOST
    for task, outcome in zip(tasks, outcomes, strict=True):
        assert (store.read_task("acc_1", task.id, NOW) is not None) == outcome


def test_of_changes_at_once_one_is_made(store: AccessStore) -> None:
    task = added(store)
    changes = [task.begin(NOW + n) for n in range(12)]
    with ThreadPoolExecutor(12) as pool:
        outcomes = list(pool.map(store.change_task, changes))
    assert sum(outcomes) == 1
    assert store.read_task("acc_1", task.id, NOW) == changes[outcomes.index(True)]


def test_tasks_are_deleted_with_their_account(store: AccessStore) -> None:
    task, other = added(store), added(store, "acc_2")
    store.delete_account("acc_1")
    assert store.read_task("acc_1", task.id, NOW) is None
    assert store.read_task("acc_2", other.id, NOW) == other
    assert not store.change_task(task.begin(NOW))


def test_tidying_keeps_a_task_until_it_expires(stores: Stores, store: AccessStore) -> None:
    task = added(store)
    stores.open_maintenance().tidy(task.expires_at - 1)
    assert store.read_task("acc_1", task.id, NOW) == task


def test_tasks_are_not_moved(stores: Stores, store: AccessStore) -> None:
    task, there = added(store), memory.open_stores(Destination("memory"))
    move(stores.open_maintenance(), there.open_maintenance())
    assert there.access.read_task("acc_1", task.id, NOW) is None
    assert there.access.add_task(new_task("acc_1", "cnpj", "{}", NOW), 1)


def test_a_lease_has_the_same_end_after_it_was_stored(store: AccessStore) -> None:
    task: Any = added(store).begin(NOW)
    assert store.change_task(task)
    read = store.read_task("acc_1", task.id, NOW)
    assert read
    assert not read.is_abandoned(NOW + LEASE_SECONDS - 1)
    assert read.is_abandoned(NOW + LEASE_SECONDS)

"""Counters in shards (docs/decisions/35-shards.md): nothing is lost, and nothing passes that may not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Barrier, Event
from typing import Any

import pytest

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.table import Item, Table
from brskills_server.metering.ports import CallRefused
from tests.bench.scale.recount import ACCOUNT, KEY, MONTH, NOW, recount, shaky_store
from tests.bench.scale.shards import Shards
from tests.bench.scale.tables import DECISION, table_of_recounts

SHARDS, THREADS, CALLS = 5, 8, 25


@pytest.fixture
def there() -> Iterator[tuple[Table, Shards]]:
    """The table by a client without faults, and an account with shards in it."""
    with shaky_store() as (_, _, table):
        shards = Shards(table, ACCOUNT, SHARDS)
        shards.begin()
        yield table, shards


@contextmanager
def in_threads(call: Callable[[int], None]) -> Iterator[None]:
    """Call from many threads at once while the block runs, and afterwards until all calls are made."""
    ready = Barrier(THREADS + 1)

    def run(thread: int) -> None:
        ready.wait()
        for _ in range(CALLS):
            call(thread)

    with ThreadPoolExecutor(THREADS) as pool:
        running = [pool.submit(run, thread) for thread in range(THREADS)]
        ready.wait()
        yield
        for one in running:
            one.result()


def test_with_faults_shards_count_as_the_one_item_does() -> None:
    one, many = recount(0), recount(16)
    assert many == one
    assert table_of_recounts(one, many) in DECISION.read_text("utf-8")
    assert one.answered < one.counted < one.answered + one.doubt


def test_a_key_that_was_revoked_is_refused_by_every_shard(there: tuple[Table, Shards]) -> None:
    _, shards = there
    revoked, passed, refused = Event(), [], []

    def call(thread: int) -> None:
        ended, key = revoked.is_set(), KEY if thread % 2 else "other"
        try:
            shards.reserve(key, MONTH, NOW)
        except CallRefused:
            refused.append(key)
        else:
            passed.append((key, ended))

    with in_threads(call):
        shards.revoke(KEY)
        revoked.set()
    assert (KEY, True) not in passed
    assert set(refused) == {KEY}
    assert [key for key, _ in passed].count("other") == THREADS // 2 * CALLS
    assert shards.usage()[MONTH] == len(passed)


def test_a_limit_that_comes_folds_all_calls_into_the_account(there: tuple[Table, Shards]) -> None:
    table, shards = there
    unaware = Shards(table, ACCOUNT, 0)  # a process that never heard of shards
    counted: list[str] = []

    def call(thread: int) -> None:
        with suppress(CallRefused):
            where = (unaware if thread == 0 else shards).reserve(KEY, MONTH, NOW)
            if thread % 2:
                shards.release(where, MONTH)
            else:
                counted.append(where)

    with in_threads(call):
        shards.fold("pro", 150)
    assert shards.usage() == unaware.usage() == {MONTH: len(counted)}
    for _ in range(150 - len(counted)):
        shards.reserve(KEY, MONTH, NOW)
    with pytest.raises(CallRefused):
        shards.reserve(KEY, MONTH, NOW)


def test_usage_under_load_has_what_was_answered_before_it_was_asked(there: tuple[Table, Shards]) -> None:
    _, shards = there
    begun: list[int] = []
    ended: list[int] = []

    def call(_: int) -> None:
        begun.append(1)
        shards.reserve(KEY, MONTH, NOW)
        ended.append(1)

    with in_threads(call):
        for _ in range(10):
            before = len(ended)
            found = shards.usage().get(MONTH, 0)
            assert before <= found <= len(begun)
    assert shards.usage()[MONTH] == THREADS * CALLS


class Interrupted(Table):
    """One that reads items in two parts the first time, and in between something happens."""

    def __init__(self, table: Table, parts: Any, what: Callable[[], None]) -> None:
        super().__init__(table._client, table._name)
        self._parts = parts
        self._what: Callable[[], None] | None = what

    def get_all(self, pks: Sequence[str]) -> list[Item]:
        if not self._what:
            return super().get_all(pks)
        (first, then), what, self._what = self._parts([*pks]), self._what, None
        found = super().get_all(first)
        what()
        return found + (super().get_all(then) if then else [])


@pytest.mark.parametrize(
    "parts",
    [
        lambda pks: (pks[:1], pks[1:]),  # the account, then its shards
        lambda pks: (pks[:3], pks[3:]),
        lambda pks: (pks[1:], pks[:1]),
    ],
)
def test_usage_is_right_where_the_shards_end_meanwhile(parts: Any, there: tuple[Table, Shards]) -> None:
    table, shards = there
    for _ in range(20):
        shards.reserve(KEY, MONTH, NOW)
    between = Interrupted(table, parts, lambda: shards.fold("pro", 30))
    assert Shards(between, ACCOUNT, SHARDS).usage() == {MONTH: 20}


def test_calls_are_given_back_in_the_midst_of_a_fold_and_after_it(there: tuple[Table, Shards]) -> None:
    table, shards = there
    places = [shards.reserve(KEY, MONTH, NOW) for _ in range(20)]
    between = Interrupted(table, lambda pks: (pks, []), lambda: shards.release(places[0], MONTH))
    Shards(between, ACCOUNT, SHARDS).fold("pro", 30)
    assert shards.usage() == {MONTH: 19}
    shards.release(places[1], MONTH)
    assert shards.usage() == {MONTH: 18}


@pytest.mark.parametrize("read_before", [2, SHARDS])
def test_two_folds_at_once_are_one(read_before: int, there: tuple[Table, Shards]) -> None:
    table, shards = there
    for _ in range(20):
        shards.reserve(KEY, MONTH, NOW)
    between = Interrupted(
        table, lambda pks: (pks[:read_before], pks[read_before:]), lambda: shards.fold("pro", 30)
    )
    Shards(between, ACCOUNT, SHARDS).fold("pro", 30)
    assert shards.usage() == {MONTH: 20}


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_fold_that_broke_off_is_finished_by_the_next(
    step: int, done: bool, there: tuple[Table, Shards]
) -> None:
    table, shards = there
    for _ in range(20):
        shards.reserve(KEY, MONTH, NOW)
    made: list[str] = []

    class Breaking(Table):
        def _send(self, operation: str, *of: Any, **request: Any) -> dict[str, Any]:
            made.append(operation)
            answer = super()._send(operation, *of, **request) if done or len(made) < step else {}
            if len(made) == step:
                raise StoreUnavailable("no answer")
            return answer

    with pytest.raises(StoreUnavailable):
        Shards(Breaking(table._client, table._name), ACCOUNT, SHARDS).fold("pro", 21)
    shards.reserve(KEY, MONTH, NOW)
    shards.fold("pro", 21)
    assert Shards(table, ACCOUNT, 0).usage() == {MONTH: 21}
    with pytest.raises(CallRefused):
        shards.reserve(KEY, MONTH, NOW)

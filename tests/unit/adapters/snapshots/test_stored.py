"""How often and by which thread the current month is read, and how a new one is followed."""

from __future__ import annotations

import threading
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest

from brskills_server.adapters.snapshots.stored import Month, MonthGone, StoredSnapshot
from brskills_server.registry.snapshot.rows import Edition
from brskills_server.registry.store import StoreFault
from tests.conftest import Clock

CNPJ = "12345678000195"


def month(name: str) -> Month:
    return Month(name, f"r_{name}", Edition(date(2026, 9, 12)))


class Store:
    """Months that return the given answers in turn, and count the reads of the current month."""

    def __init__(self, *in_place: Month | StoreFault | None) -> None:
        self.answers = list(in_place)
        self.looks = 0
        self.gone: set[str] = set()
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.is_asked = threading.Event()

    def in_place(self, known: Month | None) -> Month | None:
        self.looks += 1
        self.is_asked.set()
        assert self.may_answer.wait(30)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, StoreFault):
            raise answer
        return known if known and answer and known.name == answer.name else answer

    def rows(self, month: Month, keys: Collection[str]) -> dict[str, str]:
        if month.name in self.gone:
            raise MonthGone
        return {key: month.name if key == CNPJ else "R" for key in keys}


def branch(snapshot: StoredSnapshot) -> str:
    found = snapshot.find(CNPJ)
    return found.establishment_row


def test_the_current_month_is_read_every_five_seconds(clock: Clock) -> None:
    store = Store(month("a"))
    snapshot = StoredSnapshot(store, clock)
    for seconds, looks in ((0, 1), (4.9, 1), (0.2, 2), (1, 2), (86_400, 3)):
        clock.now += seconds
        assert (branch(snapshot), snapshot.edition(), store.looks) == ("a", Edition(date(2026, 9, 12)), looks)


def test_a_clock_that_was_set_back_does_not_make_a_month_last(clock: Clock) -> None:
    snapshot = StoredSnapshot(Store(month("a"), month("b")), clock)
    assert branch(snapshot) == "a"
    clock.now -= 3600
    assert branch(snapshot) == "b"


def test_one_thread_reads_the_month_for_all(clock: Clock) -> None:
    store = Store(month("a"))
    store.may_answer.clear()
    snapshot = StoredSnapshot(store, clock)
    with ThreadPoolExecutor(8) as threads:
        calls = [threads.submit(branch, snapshot) for _ in range(8)]
        assert store.is_asked.wait(30)
        store.may_answer.set()
        assert [call.result() for call in calls] == ["a"] * 8
    assert store.looks == 1


def test_during_a_read_the_other_threads_use_the_known_month(clock: Clock) -> None:
    store = Store(month("a"), month("b"))
    snapshot = StoredSnapshot(store, clock)
    assert branch(snapshot) == "a"
    store.may_answer.clear()
    store.is_asked.clear()
    clock.now += 60
    with ThreadPoolExecutor(1) as thread:
        asking = thread.submit(branch, snapshot)
        assert store.is_asked.wait(30)
        assert branch(snapshot) == "a"
        store.may_answer.set()
        assert asking.result() == "b"


def test_a_later_look_that_fails_leaves_what_is_known(clock: Clock) -> None:
    store = Store(month("a"), StoreFault("away"), month("b"))
    snapshot = StoredSnapshot(store, clock)
    for name in ("a", "a", "b"):
        assert branch(snapshot) == name
        clock.now += 60


def test_a_removed_snapshot_has_no_companies(clock: Clock) -> None:
    snapshot = StoredSnapshot(Store(month("a"), None), clock)
    assert branch(snapshot) == "a"
    clock.now += 60
    assert (snapshot.find(CNPJ), snapshot.edition()) == (None, None)


@pytest.mark.parametrize("following", [month("b"), None])
def test_a_dropped_table_leads_to_the_next_month_at_once(clock: Clock, following: Month | None) -> None:
    store = Store(month("a"), following)
    snapshot = StoredSnapshot(store, clock)
    assert branch(snapshot) == "a"
    store.gone.add("a")
    found = snapshot.find(CNPJ)
    assert (found and found.establishment_row) == (following and "b")
    assert store.looks == 2


@pytest.mark.parametrize("following", [month("a"), StoreFault("away")])
def test_a_dropped_table_without_a_next_month_is_an_error(
    clock: Clock, following: Month | StoreFault
) -> None:
    store = Store(month("a"), following)
    snapshot = StoredSnapshot(store, clock)
    assert branch(snapshot) == "a"
    store.gone.add("a")
    with pytest.raises(StoreFault, match="current month is missing"):
        snapshot.find(CNPJ)


def test_two_dropped_tables_are_an_error(clock: Clock) -> None:
    store = Store(month("a"), month("b"))
    snapshot = StoredSnapshot(store, clock)
    assert branch(snapshot) == "a"
    store.gone |= {"a", "b"}
    with pytest.raises(StoreFault):
        snapshot.find(CNPJ)

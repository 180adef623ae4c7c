"""How often and by which thread the current month is read, and how a new one is followed."""

from __future__ import annotations

import threading
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

    def rows(self, month: Month, keys: tuple[str, str]) -> dict[str, str]:
        if month.name in self.gone:
            raise MonthGone
        return {keys[1]: month.name, keys[0]: "R"}


def branch(own_copy: StoredSnapshot) -> str:
    found = own_copy.find(CNPJ)
    assert found is not None
    return found.branch


def test_it_is_asked_every_five_seconds_and_no_more(clock: Clock) -> None:
    store = Store(month("a"))
    own_copy = StoredSnapshot(store, clock)
    for seconds, looks in ((0, 1), (4.9, 1), (0.2, 2), (1, 2), (86_400, 3)):
        clock.now += seconds
        assert (branch(own_copy), own_copy.edition(), store.looks) == ("a", Edition(date(2026, 9, 12)), looks)


def test_a_clock_that_was_set_back_does_not_make_a_month_last(clock: Clock) -> None:
    own_copy = StoredSnapshot(Store(month("a"), month("b")), clock)
    assert branch(own_copy) == "a"
    clock.now -= 3600
    assert branch(own_copy) == "b"


def test_the_first_to_ask_asks_for_all(clock: Clock) -> None:
    store = Store(month("a"))
    store.may_answer.clear()
    own_copy = StoredSnapshot(store, clock)
    with ThreadPoolExecutor(8) as threads:
        calls = [threads.submit(branch, own_copy) for _ in range(8)]
        assert store.is_asked.wait(30)
        store.may_answer.set()
        assert [call.result() for call in calls] == ["a"] * 8
    assert store.looks == 1


def test_while_one_asks_the_others_go_on_with_what_is_known(clock: Clock) -> None:
    store = Store(month("a"), month("b"))
    own_copy = StoredSnapshot(store, clock)
    assert branch(own_copy) == "a"
    store.may_answer.clear()
    store.is_asked.clear()
    clock.now += 60
    with ThreadPoolExecutor(1) as thread:
        asking = thread.submit(branch, own_copy)
        assert store.is_asked.wait(30)
        assert branch(own_copy) == "a"
        store.may_answer.set()
        assert asking.result() == "b"


def test_a_later_look_that_fails_leaves_what_is_known(clock: Clock) -> None:
    store = Store(month("a"), StoreFault("away"), month("b"))
    own_copy = StoredSnapshot(store, clock)
    for name in ("a", "a", "b"):
        assert branch(own_copy) == name
        clock.now += 60


def test_a_copy_that_is_taken_away_is_away(clock: Clock) -> None:
    own_copy = StoredSnapshot(Store(month("a"), None), clock)
    assert branch(own_copy) == "a"
    clock.now += 60
    assert (own_copy.find(CNPJ), own_copy.edition()) == (None, None)


@pytest.mark.parametrize("following", [month("b"), None])
def test_a_table_that_has_gone_is_followed_at_once(clock: Clock, following: Month | None) -> None:
    store = Store(month("a"), following)
    own_copy = StoredSnapshot(store, clock)
    assert branch(own_copy) == "a"
    store.gone.add("a")
    found = own_copy.find(CNPJ)
    assert (found and found.branch) == (following and "b")
    assert store.looks == 2


@pytest.mark.parametrize("following", [month("a"), StoreFault("away")])
def test_a_table_that_has_gone_and_nothing_else_is_known_is_a_fault(
    clock: Clock, following: Month | StoreFault
) -> None:
    store = Store(month("a"), following)
    own_copy = StoredSnapshot(store, clock)
    assert branch(own_copy) == "a"
    store.gone.add("a")
    with pytest.raises(StoreFault, match="current month is missing"):
        own_copy.find(CNPJ)


def test_a_table_that_goes_twice_is_a_fault(clock: Clock) -> None:
    store = Store(month("a"), month("b"))
    own_copy = StoredSnapshot(store, clock)
    assert branch(own_copy) == "a"
    store.gone |= {"a", "b"}
    with pytest.raises(StoreFault):
        own_copy.find(CNPJ)

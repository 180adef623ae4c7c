"""This process's counts reach the store whole: once a minute, from many threads, past failures."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.stores import AccessStore
from brskills_server.telemetry.day_counts import DayCounts
from brskills_server.telemetry.outcome import (
    FAILING_SECONDS,
    FLUSH_SECONDS,
    KEEP_DAYS,
    CallOutcome,
    Tally,
    record_outcome,
)
from tests.conftest import Clock
from tests.simulator.memory import VERBS, MemoryStore

TODAY, TOMORROW = "2026-11-18", "2026-11-19"


class Days:
    """``HistoryStore`` that can be away; ``writes`` counts what came through."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.ends: set[int] = set()
        self.writes = 0
        self.is_away = False

    def add_to_day(self, day: str, more: DayCounts, expires_at: int) -> None:
        if self.is_away:
            raise StoreUnavailable("away")
        self.writes += 1
        self.counts[day] += more.calls
        self.failed[day] += more.failed
        self.ends.add(expires_at)

    def days(self, first: str, last: str) -> dict[str, DayCounts]:
        raise NotImplementedError


@pytest.fixture
def kept() -> Days:
    return Days()


@pytest.fixture
def tally(kept: Days, clock: Clock) -> Tally:
    return Tally(kept, MemoryStore(), clock)


def add(tally: Tally, answered: int, failed: int = 0, part: str = "pix", *, is_demo: bool = False) -> Any:
    outcome = CallOutcome(part, is_demo, answered=answered, failed=failed)
    return record_outcome(outcome, tally)


def test_calls_are_written_at_once_and_then_by_the_minute(tally: Tally, kept: Days, clock: Clock) -> None:
    add(tally, 0)
    tally.flush_if_due()
    assert kept.writes == 0
    for _ in range(FLUSH_SECONDS * 3):
        add(tally, 2, 1)
        tally.flush_if_due()
        clock.now += 1
    assert kept.writes == 3
    tally.flush()
    assert (kept.counts, kept.failed) == ({TODAY: 540}, {TODAY: 180})


def test_a_day_begins_at_midnight_in_sao_paulo(tally: Tally, kept: Days, clock: Clock) -> None:
    midnight = datetime(2026, 11, 19, tzinfo=ZoneInfo("America/Sao_Paulo")).timestamp()
    for clock.now in (midnight - 1, midnight):
        add(tally, 1)
    tally.flush()
    assert kept.counts == {TODAY: 1, TOMORROW: 1}
    assert {(end - midnight) // 86_400 for end in kept.ends} == {KEEP_DAYS + 1}


def test_an_unavailable_store_loses_nothing_and_is_tried_once_a_minute(
    tally: Tally, kept: Days, clock: Clock
) -> None:
    kept.is_away = True
    for _ in range(90):
        add(tally, 1, 1)
        tally.flush_if_due()
        clock.now += 1
    with pytest.raises(StoreUnavailable):
        tally.flush()
    kept.is_away = False
    tally.flush_if_due()
    assert kept.writes == 0
    clock.now += FLUSH_SECONDS
    tally.flush_if_due()
    assert (kept.counts[TODAY], kept.failed[TODAY]) == (180, 90)


def test_a_written_day_is_not_written_again_after_another_failed(clock: Clock) -> None:
    class Halting(Days):
        def add_to_day(self, day: str, more: DayCounts, expires_at: int) -> None:
            self.is_away = self.writes == 1
            super().add_to_day(day, more, expires_at)

    halting = Halting()
    tally = Tally(halting, MemoryStore(), clock)
    for _ in range(2):
        add(tally, 3)
        clock.now += 86_400
    with pytest.raises(StoreUnavailable):
        tally.flush()
    halting.writes = 2
    tally.flush()
    assert halting.counts == {TODAY: 3, TOMORROW: 3}


def test_a_clock_that_is_set_back_does_not_stop_the_writing(tally: Tally, kept: Days, clock: Clock) -> None:
    add(tally, 1)
    tally.flush()
    clock.now -= 86_400
    add(tally, 1)
    tally.flush_if_due()
    assert kept.writes == 2


def test_from_many_threads_nothing_is_lost(store: AccessStore) -> None:
    tally = Tally(store, MemoryStore())

    def work(_: int) -> None:
        for _ in range(50):
            add(tally, 1, 1)
            tally.flush()

    with ThreadPoolExecutor(16) as threads:
        list(threads.map(work, range(16)))
    counts = store.days("2000-01-01", "9999-12-31").values()
    assert [sum(column) for column in zip(*counts, strict=True)] == [1600, 800, 0, 0]


def test_a_part_fails_in_every_process_for_a_quarter_of_an_hour_after_a_call_of_it_has(
    kept: Days, clock: Clock
) -> None:
    companies = MemoryStore()
    one, other = (Tally(kept, companies, clock) for _ in range(2))

    def after_calls(tally: Tally, answered: int, failed: int, part: str) -> frozenset[str]:
        add(tally, answered, failed, part)
        seen = one.failing()
        assert seen == other.failing()
        tally.flush_if_due()
        assert one.failing() == other.failing() >= seen
        return one.failing()

    assert after_calls(one, 5, 0, "cnpj") == set()
    assert after_calls(one, 5, 1, "cnpj") == {"cnpj"}
    assert after_calls(other, 5, 0, "cnpj") == {"cnpj"}
    clock.now += FAILING_SECONDS - 1
    assert after_calls(other, 0, 1, "custom") == {"cnpj", "custom"}
    clock.now += 1
    assert after_calls(one, 1, 0, "pix") == {"custom"}
    companies.broken = VERBS
    assert after_calls(one, 0, 1, "pix") == set()
    companies.broken = ()
    clock.now += FLUSH_SECONDS
    assert after_calls(one, 1, 0, "pix") == {"custom", "pix"}


@pytest.mark.parametrize("damaged", [10**10, "soon"])
def test_a_damaged_moment_makes_no_part_fail(kept: Days, clock: Clock, damaged: int | str) -> None:
    companies = MemoryStore()
    companies.shared["failed:pix"] = damaged
    assert Tally(kept, companies, clock).failing() == set()


def test_calls_of_the_demo_key_are_counted_apart_and_make_no_part_fail(clock: Clock) -> None:
    written: list[DayCounts] = []

    class Kept(Days):
        def add_to_day(self, day: str, more: DayCounts, expires_at: int) -> None:
            written.append(more)

    tally = Tally(Kept(), MemoryStore(), clock)
    assert add(tally, 2, 1, is_demo=True) == {"demo_calls": 3, "demo_failed": 1}
    assert tally.failing() == frozenset()
    for is_demo in (False, True):
        add(tally, 2, 1, is_demo=is_demo)
    tally.flush()
    assert tally.failing() == {"pix"}
    assert written == [DayCounts(3, 1, 6, 2)]

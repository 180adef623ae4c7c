"""What the counts say: by days and months of São Paulo, with shares that are never rounded up."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.telemetry.availability import AvailabilityHistory, share
from brskills_server.telemetry.day_counts import DayCounts
from tests.conftest import Clock


class Kept:
    """Days that can be out of reach; ``asked``: the ends of what was read."""

    def __init__(self) -> None:
        self.counts: dict[str, DayCounts] = {}
        self.asked: list[tuple[str, str]] = []
        self.is_away = False

    def add_to_day(self, day: str, more: DayCounts, expires_at: int) -> None:
        raise NotImplementedError

    def days(self, first: str, last: str) -> dict[str, DayCounts]:
        self.asked.append((first, last))
        if self.is_away:
            raise StoreUnavailable("away")
        return {day: counts for day, counts in self.counts.items() if first <= day <= last}


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def history(kept: Kept, clock: Clock) -> AvailabilityHistory:
    return AvailabilityHistory(kept, clock)


def test_ninety_days_with_today_the_newest_last(history: AvailabilityHistory, kept: Kept) -> None:
    kept.counts = {day: DayCounts(1, 0) for day in ("2026-11-18", "2026-08-21", "2026-08-20", "2026-10-01")}
    report = history.read()
    assert kept.asked == [("2026-08-21", "2026-11-18")]
    assert report.days is not None
    assert list(report.days) == ["2026-08-21", "2026-10-01", "2026-11-18"]


def test_the_month_is_the_current_one_alone(history: AvailabilityHistory, kept: Kept) -> None:
    assert history.read() == ({}, "2026-11", None)
    kept.counts = {
        "2026-10-31": DayCounts(9, 9),
        "2026-11-01": DayCounts(3, 1),
        "2026-11-02": DayCounts(1, 0),
    }
    assert history.read()[1:] == ("2026-11", 0.75)


def test_without_the_store_the_last_counts_are_returned(history: AvailabilityHistory, kept: Kept) -> None:
    kept.is_away = True
    assert history.read() == (None, "2026-11", None)
    kept.is_away, kept.counts = False, {"2026-11-18": DayCounts(2, 1)}
    known = history.read()
    assert known.month_share == 0.5
    kept.is_away = True
    assert history.read() == known


@given(st.integers(1, 10**9), st.integers(0, 10**9))
def test_a_share_is_never_rounded_up(calls: int, failed: int) -> None:
    failed = min(failed, calls)
    found = share(calls, failed)
    assert found is not None
    assert (found == 1.0) == (failed == 0)
    exact = 1 - Fraction(failed, calls)
    assert 0 <= exact - Fraction(str(found)) < Fraction(1, 10_000)

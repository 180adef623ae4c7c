"""The contract of ``HistoryStore``, for every adapter."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from brskills_server.adapters.stores import AccessStore, Stores
from brskills_server.telemetry.day_counts import DayCounts
from tests.services.tables import THREADS

ENDS = 1_795_000_000


def test_a_day_begins_with_nothing_and_is_added_to(store: AccessStore) -> None:
    assert store.days("2026-11-01", "2026-11-30") == {}
    store.add_to_day("2026-11-20", DayCounts(3, 1), ENDS)
    store.add_to_day("2026-11-20", DayCounts(2, 0, 7, 4), ENDS)
    store.add_to_day("2026-11-21", DayCounts(1, 1), ENDS)
    assert store.days("2026-11-01", "2026-11-30") == {"2026-11-20": (5, 1, 7, 4), "2026-11-21": (1, 1, 0, 0)}


def test_days_are_read_over_months_and_years_with_both_ends(store: AccessStore) -> None:
    days = ["2025-12-31", "2026-01-01", "2026-02-28", "2026-03-01", "2026-03-02"]
    for day in days:
        store.add_to_day(day, DayCounts(1, 0), ENDS)
    assert sorted(store.days("2026-01-01", "2026-03-01")) == days[1:4]
    assert sorted(store.days("2025-12-31", "2026-03-02")) == days
    assert store.days("2026-01-02", "2026-01-31") == {}


def test_concurrent_additions_are_all_kept(store: AccessStore) -> None:
    with ThreadPoolExecutor(THREADS) as threads:
        for _ in range(64):
            threads.submit(store.add_to_day, "2026-11-20", DayCounts(7, 2, 3, 1), ENDS)
    assert store.days("2026-11-20", "2026-11-20") == {"2026-11-20": (448, 128, 192, 64)}


def test_a_day_that_was_added_to_later_stays_longer(stores: Stores) -> None:
    for day, ends in (("2026-09-01", ENDS), ("2026-11-01", ENDS), ("2026-11-01", ENDS + 60)):
        stores.access.add_to_day(day, DayCounts(1, 0), ends)
    maintenance = stores.open_maintenance()
    maintenance.tidy(ENDS)
    left = ["2026-11-01"]
    if type(maintenance).__name__ == "DynamoMaintenance":  # DynamoDB deletes by itself, some day
        left.insert(0, "2026-09-01")
    assert sorted(stores.access.days("2026-01-01", "2026-12-31")) == left

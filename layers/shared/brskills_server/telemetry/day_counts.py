"""Counts by day of all calls together, and the store that keeps them."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol


class DayCounts(NamedTuple):
    """Calls of skills that should be answered, and those that failed: of accounts, and of the demo key."""

    calls: int
    failed: int
    demo_calls: int = 0
    demo_failed: int = 0


class HistoryStore(Protocol):
    """Counts by day (as ``2026-11-20``). Every method may raise ``StoreUnavailable``."""

    def add_to_day(self, day: str, more: DayCounts, expires_at: int) -> None:
        """Add to the counts of a day."""

    def days(self, first: str, last: str) -> Mapping[str, DayCounts]:
        """Return the counts of each day from ``first`` to ``last`` that has any."""

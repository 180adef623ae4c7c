"""Counts by day in the Access table, an item a month."""

from __future__ import annotations

from typing import TYPE_CHECKING

from access.month import shifted
from access.ports import DayCounts
from adapters.dynamodb.items import CALLS, FAILED, HISTORY, by_name
from adapters.dynamodb.values import change

if TYPE_CHECKING:
    from adapters.dynamodb.table import Table

__all__ = ["DynamoHistory"]


class DynamoHistory:
    """``access.ports.HistoryStore``."""

    _table: Table

    def add_to_day(self, day: str, more: DayCounts, expires_at: int) -> None:
        """One UpdateItem."""
        names = {"calls": CALLS + day, "failed": FAILED + day}
        values = {**more._asdict(), "ends": expires_at}
        update = "ADD #calls :calls, #failed :failed SET expires_at = :ends"
        self._table.update(HISTORY + day[:7], change(update, names, values))

    def days(self, first: str, last: str) -> dict[str, DayCounts]:
        """One BatchGetItem."""
        months, month = [], first[:7]
        while month <= last[:7]:
            months.append(HISTORY + month)
            month = shifted(month, 1)
        return {
            day: DayCounts(calls, item.get(FAILED + day, 0))
            for item in self._table.get_all(months)
            for day, calls in by_name(item, CALLS).items()
            if first <= day <= last
        }

"""Counts by day in the Access table, an item a month."""

from brskills_server.accounts.calendar import shift_month
from brskills_server.adapters.dynamodb.items import DAY_COUNTS, HISTORY, day_counts_of
from brskills_server.adapters.dynamodb.table import DynamoStore
from brskills_server.adapters.dynamodb.values import change
from brskills_server.telemetry.day_counts import DayCounts


class DynamoHistory(DynamoStore):
    """``HistoryStore``."""

    def add_to_day(self, day: str, more: DayCounts, expires_at: int) -> None:
        names = {field: prefix + day for field, prefix in DAY_COUNTS.items()}
        values = {**more._asdict(), "ends": expires_at}
        added = ", ".join(f"#{field} :{field}" for field in DAY_COUNTS)
        self._table.update(HISTORY + day[:7], change(f"ADD {added} SET expires_at = :ends", names, values))

    def days(self, first: str, last: str) -> dict[str, DayCounts]:
        months, month = [], first[:7]
        while month <= last[:7]:
            months.append(HISTORY + month)
            month = shift_month(month, 1)
        return {
            day: counts
            for item in self._table.get_all(months)
            for day, counts in day_counts_of(item).items()
            if first <= day <= last
        }

"""Counts by day of all calls together: a row a day."""

from collections.abc import Iterator
from itertools import groupby

from brskills_server.adapters.maintenance import KeptHistory
from brskills_server.adapters.sql.database import Row, Run, SqlStore
from brskills_server.telemetry.day_counts import DayCounts

_ADD = """
INSERT INTO history (day, calls, failed, demo_calls, demo_failed, expires_at)
VALUES (:day, :calls, :failed, :demo_calls, :demo_failed, :expires_at)
ON CONFLICT (day) DO UPDATE
   SET calls = history.calls + :calls, failed = history.failed + :failed,
       demo_calls = history.demo_calls + :demo_calls, demo_failed = history.demo_failed + :demo_failed,
       expires_at = :expires_at"""
_DAYS = """
SELECT day, calls, failed, demo_calls, demo_failed FROM history WHERE day >= :first AND day <= :last"""


class SqlHistory(SqlStore):
    """``HistoryStore`` in the table ``history``, a statement each."""

    def add_to_day(self, day: str, more: DayCounts, expires_at: int) -> None:
        self._counters.run(_ADD, day=day, **more._asdict(), expires_at=expires_at)

    def days(self, first: str, last: str) -> dict[str, DayCounts]:
        rows = self._counters.run(_DAYS, first=first, last=last)
        return {day: DayCounts(*counts) for day, *counts in rows}


def kept_history(rows: Iterator[Row]) -> Iterator[KeptHistory]:
    """Return the months of rows ordered by day: day, the fields of ``DayCounts``, expiry."""
    for month, of_month in groupby(rows, key=lambda row: row[0][:7]):
        days = list(of_month)
        yield KeptHistory(
            month, {day: DayCounts(*counts) for day, *counts, _ in days}, max(ends for *_, ends in days)
        )


def insert_history(run: Run, record: KeptHistory) -> None:
    """Insert a month."""
    for day, counts in record.days.items():
        run(_ADD, day=day, **counts._asdict(), expires_at=record.expires_at)

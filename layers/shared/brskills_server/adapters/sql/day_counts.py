"""Counters by day, of names and of all calls together, the salts of pseudonyms, and the keys of proofs."""

from collections.abc import Iterator
from itertools import groupby

from brskills_server.adapters.maintenance import StoredHistory
from brskills_server.adapters.sql.database import Row, Run, SqlStore
from brskills_server.telemetry.day_counts import DayCounts

_COUNT_IN_WINDOW = """
INSERT INTO signups (pseudonym, day, issued, expires_at)
SELECT :name, :day, 1, :expires_at WHERE :limit > 0
ON CONFLICT (pseudonym, day) DO UPDATE SET issued = signups.issued + 1, expires_at = :expires_at
 WHERE signups.issued < :limit
RETURNING issued"""
_READ_WINDOW = "SELECT day, issued FROM signups WHERE pseudonym = :name"
_SALT = """
INSERT INTO salts (month, salt, expires_at) VALUES (:month, :salt, :expires_at)
ON CONFLICT (month) DO UPDATE SET salt = salts.salt RETURNING salt"""
_REPLACE_SALT = """
UPDATE salts SET salt = :replacing WHERE month = :month AND salt = :known RETURNING month"""
_PROOF_KEYS, _FOREVER = "proof keys", 253_402_300_799  # among the salts, the other secrets of a store
_ADD_TO_DAY = """
INSERT INTO history (day, calls, failed, demo_calls, demo_failed, expires_at)
VALUES (:day, :calls, :failed, :demo_calls, :demo_failed, :expires_at)
ON CONFLICT (day) DO UPDATE
   SET calls = history.calls + :calls, failed = history.failed + :failed,
       demo_calls = history.demo_calls + :demo_calls, demo_failed = history.demo_failed + :demo_failed,
       expires_at = :expires_at"""
_DAYS = """
SELECT day, calls, failed, demo_calls, demo_failed FROM history WHERE day >= :first AND day <= :last"""


class SqlWindows(SqlStore):
    """``WindowStore``, ``SaltStore`` and ``ProofKeyStore`` in ``signups`` and ``salts``, a statement each."""

    def read_window(self, name: str) -> dict[str, int]:
        return dict(self._database.run(_READ_WINDOW, name=name))

    def count_in_window(self, name: str, day: str, limit: int, expires_at: int) -> bool:
        return bool(
            self._counters.run(_COUNT_IN_WINDOW, name=name, day=day, limit=limit, expires_at=expires_at)
        )

    def month_salt(self, month: str, proposed: bytes, expires_at: int) -> bytes:
        ((salt,),) = self._database.run(_SALT, month=month, salt=proposed.hex(), expires_at=expires_at)
        return bytes.fromhex(salt)

    def proof_keys(self, proposed: bytes) -> bytes:
        return self.month_salt(_PROOF_KEYS, proposed, _FOREVER)

    def replace_proof_keys(self, known: bytes, replacing: bytes) -> bool:
        parts = {"known": known.hex(), "replacing": replacing.hex()}
        return bool(self._database.run(_REPLACE_SALT, month=_PROOF_KEYS, **parts))


class SqlHistory(SqlStore):
    """``HistoryStore`` in the table ``history``, a statement each."""

    def add_to_day(self, day: str, more: DayCounts, expires_at: int) -> None:
        self._counters.run(_ADD_TO_DAY, day=day, **more._asdict(), expires_at=expires_at)

    def days(self, first: str, last: str) -> dict[str, DayCounts]:
        rows = self._counters.run(_DAYS, first=first, last=last)
        return {day: DayCounts(*counts) for day, *counts in rows}


def stored_history(rows: Iterator[Row]) -> Iterator[StoredHistory]:
    """Return the months of rows ordered by day: day, the fields of ``DayCounts``, expiry."""
    for month, of_month in groupby(rows, key=lambda row: row[0][:7]):
        days = list(of_month)
        yield StoredHistory(
            month, {day: DayCounts(*counts) for day, *counts, _ in days}, max(ends for *_, ends in days)
        )


def insert_history(run: Run, record: StoredHistory) -> None:
    """Insert a month."""
    for day, counts in record.days.items():
        run(_ADD_TO_DAY, day=day, **counts._asdict(), expires_at=record.expires_at)

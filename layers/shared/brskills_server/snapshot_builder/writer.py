"""Writing a snapshot's file, a range of keys after the other, each with its changes in one transaction.

If the process is killed, the file contains whole ranges, and the next run resumes behind the last.
"""

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from brskills_server.adapters.snapshots.folder import SCHEMA
from brskills_server.adapters.snapshots.stored import FORMAT
from brskills_server.registry.snapshot.rows import Edition
from brskills_server.snapshot_builder.changes import PreviousSnapshot
from brskills_server.snapshot_builder.errors import SnapshotError

_CREATE = f"""
BEGIN; {SCHEMA} CREATE TABLE ranges (end_key TEXT PRIMARY KEY, counts TEXT NOT NULL);
INSERT INTO edition VALUES ('id', lower(hex(randomblob(8)))); COMMIT"""  # noqa: S608, no part is from outside
_INSERT = "INSERT INTO main.rows (key, body) VALUES (?, coalesce(?, ''))"
# The company of an orphan is in no file.
_COUNT = """
SELECT count(*) FILTER (WHERE length(key) = 8) AS companies,
       count(*) FILTER (WHERE length(key) = 14) AS establishments,
       count(*) FILTER (WHERE body = '') AS unreadable,
       count(*) FILTER (WHERE length(key) = 14 AND body <> '' AND substr(key, 1, 8) NOT IN
                              (SELECT key FROM main.rows)) AS orphans
  FROM main.rows WHERE key >= :first_key AND key < :end_key"""

Row = tuple[str, str | None]
"""The key of a company (8 characters) or an establishment (14), and its body: empty if the row is unreadable,
and `None` if it says nothing, which sorts last."""


class SnapshotWriter:
    """The file of a snapshot being built. ``previous``: the file to compare with.

    Methods raise `sqlite3.Error` for the file itself, and `SnapshotError` if the previous one is damaged.
    """

    def __init__(self, file: Path, previous: Path | None) -> None:
        self._file = file
        self._connection = sqlite3.connect(file.absolute(), isolation_level=None, uri=True)
        self._connection.row_factory = sqlite3.Row
        try:
            # `finish` syncs once, at the end.
            self._connection.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -65536")
            if not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                self._connection.executescript(_CREATE)
            self._previous = PreviousSnapshot(previous, self._connection) if previous else None
        except (sqlite3.Error, SnapshotError):
            self.close()
            raise

    def end(self) -> str:
        """Return the key up to which the file is written; empty at first."""
        (end,) = self._connection.execute("SELECT coalesce(max(end_key), '') FROM ranges").fetchone()
        return str(end)

    def write(self, rows: Iterable[list[Row]], first_key: str, end_key: str, repeated_partners: int) -> None:
        """Write a range, its counts and its changes, all or nothing: ``first_key`` <= key < ``end_key``.

        ``rows``: sorted; a key may occur several times.
        """
        counts = Counter(repeated_partners=repeated_partners)
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(_INSERT, _last_of_each(rows, counts))
            keys = {"first_key": first_key, "end_key": end_key}
            counts.update(dict(self._connection.execute(_COUNT, keys).fetchone()))
            if self._previous:
                counts.update(self._previous.log_changes(first_key, end_key))
            self._connection.execute("INSERT INTO ranges VALUES (?, ?)", (end_key, json.dumps(counts)))

    def counts(self) -> Counter[str]:
        """Return the counts of all ranges together."""
        total: Counter[str] = Counter()
        for (counts,) in self._connection.execute("SELECT counts FROM ranges"):
            total.update(json.loads(counts))
        return total

    def finish(self, edition: Edition, report: str) -> None:
        """Write the edition and the report, close the file and sync it to the disk."""
        facts = {
            "format": FORMAT,
            "day": edition.day.isoformat(),
            "texts": json.dumps(edition.texts),
            "report": report,
            **(self._previous.facts if self._previous else {}),
        }
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT OR REPLACE INTO main.edition VALUES (?, ?)", facts.items())
        self.close()
        with self._file.open("rb") as written:
            os.fsync(written.fileno())

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _last_of_each(batches: Iterable[list[Row]], counts: Counter[str]) -> Iterator[Row]:
    """Yield the last row of each key: of the latest situação, and the greatest text among those.

    An empty one sorts first, and means that a row could not be read; that may have been the latest. One that
    says nothing yields to any other.
    """
    held: Row | None = None
    for batch in batches:
        for row in batch:
            if held is None or row[0] != held[0]:
                if held:
                    yield held
                held = row
            elif held[1] != "":
                if row[1] is None:
                    counts["blank"] += 1
                else:
                    counts["repeated" if row == held else "contradicted"] += 1
                    held = row
    if held:
        yield held

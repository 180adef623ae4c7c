"""Writing a snapshot's file, part by part, each with its counts in one transaction.

If the process is killed, the file contains whole parts, and the next run resumes behind them.
"""

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path

from brskills_server.adapters.snapshots.folder import SCHEMA
from brskills_server.adapters.snapshots.stored import FORMAT
from brskills_server.registry.snapshot.rows import Edition
from brskills_server.snapshot_builder.changes import PreviousSnapshot
from brskills_server.snapshot_builder.errors import SnapshotError

_CREATE = f"BEGIN; {SCHEMA} CREATE TABLE parts (part TEXT PRIMARY KEY, counts TEXT NOT NULL); COMMIT"
# The root of an orphan is in no file of companies.
_COUNT = """
SELECT count(*) FILTER (WHERE length(key) = 8) AS companies,
       count(*) FILTER (WHERE length(key) = 14) AS establishments,
       count(*) FILTER (WHERE body = '') AS unreadable,
       count(*) FILTER (WHERE length(key) = 14 AND body <> '' AND substr(key, 1, 8) NOT IN
                              (SELECT key FROM main.rows)) AS orphans
  FROM main.rows WHERE key >= :first AND key < :upto"""

Row = tuple[str, str]
"""The key of a root (8 characters) or an establishment (14), and its body; empty: it could not be read."""


class SnapshotWriter:
    """The file of a snapshot being built. ``former``: the file to compare with.

    Methods raise `sqlite3.Error` for the file itself, and `SnapshotError` if the former one is damaged.
    """

    def __init__(self, file: Path, former: Path | None) -> None:
        self._file = file
        self._connection = sqlite3.connect(file.absolute(), isolation_level=None, uri=True)
        self._connection.row_factory = sqlite3.Row
        try:
            # `finish` syncs once, at the end.
            self._connection.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -65536")
            if not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                self._connection.executescript(_CREATE)
            self._former = PreviousSnapshot(former, self._connection) if former else None
        except (sqlite3.Error, SnapshotError):
            self.close()
            raise

    def parts(self) -> set[str]:
        """Return the parts in the file."""
        return {part for (part,) in self._connection.execute("SELECT part FROM parts")}

    def write(self, part: str, rows: Iterable[list[Row]], first: str, upto: str) -> None:
        """Write a part and its counts, all or nothing. ``rows``: sorted; a key may occur several times.

        The part's keys are from ``first`` to before ``upto``.
        """
        counts: Counter[str] = Counter()
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            kept = _last_of_each(chain.from_iterable(rows), counts)
            self._connection.executemany("INSERT INTO main.rows (key, body) VALUES (?, ?)", kept)
            counted = self._connection.execute(_COUNT, {"first": first, "upto": upto}).fetchone()
            counts.update(dict(counted))
            if self._former:
                counts.update(self._former.count_changes(first, upto))
            self._connection.execute("INSERT INTO parts VALUES (?, ?)", (part, json.dumps(counts)))

    def counts(self) -> Counter[str]:
        """Return the counts of all parts together."""
        total: Counter[str] = Counter()
        for (counts,) in self._connection.execute("SELECT counts FROM parts"):
            total.update(json.loads(counts))
        return total

    def finish(self, edition: Edition, report: str) -> None:
        """Write the edition and the report, close the file and sync it to the disk."""
        facts = {
            "format": FORMAT,
            "day": edition.day.isoformat(),
            "texts": json.dumps(edition.texts),
            "report": report,
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


def _last_of_each(rows: Iterable[Row], counts: Counter[str]) -> Iterator[Row]:
    """Yield the last row of each key: of the latest situação, and the greatest text among those.

    An empty one sorts first, and means that a row could not be read; that may have been the latest.
    """
    for _, same in groupby(rows, key=itemgetter(0)):
        row, *others = same
        for later in others if row[1] else ():
            counts["repeated" if later == row else "contradicted"] += 1
            row = later
        yield row

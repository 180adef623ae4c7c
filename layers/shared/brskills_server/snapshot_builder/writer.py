"""Writing a snapshot's file and index, range after range of keys, each with its changes in one transaction.

If the process is killed, the file contains whole ranges, and the next run resumes behind the last. What its
index lacks of them is made of the file.
"""

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path

from brskills_server.adapters.snapshots.folder import FILE, SCHEMA
from brskills_server.adapters.snapshots.stored import FORMAT
from brskills_server.registry.search.documents import row_words
from brskills_server.registry.snapshot.rows import Edition
from brskills_server.snapshot_builder.changes import PreviousSnapshot
from brskills_server.snapshot_builder.chosen_rows import JoinedRow, count_rows, last_of_each
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.indexing import IndexWriter

_CREATE = f"""
BEGIN; {SCHEMA} CREATE TABLE ranges (end_key TEXT PRIMARY KEY, counts TEXT NOT NULL);
INSERT INTO edition VALUES ('id', lower(hex(randomblob(8)))); COMMIT"""  # noqa: S608, no part is from outside
_INSERT, _VALUES = "INSERT INTO main.rows (key, body) VALUES ", "(?, ?)"
_ROWS = "SELECT key, body FROM main.rows WHERE key >= ? ORDER BY key"
_AT_ONCE = 250
"""Rows of one statement, which takes half the time of as many statements."""


class SnapshotWriter:
    """The snapshot being built in ``folder``. ``previous``: the file to compare with.

    Methods raise `sqlite3.Error` for the file itself, and `SnapshotError` if the previous one is damaged.
    """

    def __init__(self, folder: Path, previous: Path | None) -> None:
        self._file = folder / FILE
        self._opened = ExitStack()
        self._connection = self._opened.enter_context(
            closing(sqlite3.connect(self._file.absolute(), isolation_level=None, uri=True))
        )
        try:
            # `finish` syncs once, at the end.
            self._connection.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -65536")
            if not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                self._connection.executescript(_CREATE)
            ((edition_id,),) = self._connection.execute("SELECT value FROM main.edition WHERE name = 'id'")
            self._index = self._opened.enter_context(closing(IndexWriter(folder, edition_id)))
            self._previous = PreviousSnapshot(previous, self._connection) if previous else None
            self._complete_index()
        except (sqlite3.Error, SnapshotError):
            self.close()
            raise

    def end(self) -> str:
        """Return the key up to which the file is written; empty at first."""
        (end,) = self._connection.execute("SELECT coalesce(max(end_key), '') FROM ranges").fetchone()
        return str(end)

    def _complete_index(self) -> None:
        """Index the rows of a run that ended before they were indexed, or while the index was packed."""
        if (end := self._index.end()) < self.end():
            rows = self._connection.execute(_ROWS, [end])
            with self._index.range(self.end()) as index:
                index.add((key, row_words(key, body)) for key, body in rows)

    def write(
        self, rows: Iterable[list[JoinedRow]], first_key: str, end_key: str, repeated_partners: int
    ) -> None:
        """Write a range, its counts and its changes, all or nothing: ``first_key`` <= key < ``end_key``.

        ``rows``: sorted; a key may occur several times.
        """
        counts = Counter(repeated_partners=repeated_partners)
        # The rows are committed first: of them an index can be completed.
        with self._index.range(end_key) as index, self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            chosen = count_rows(last_of_each(rows, counts), counts)
            for some in iter(lambda: [*islice(chosen, _AT_ONCE)], []):
                values = [value for key, body, _ in some for value in (key, body)]
                self._connection.execute(_INSERT + ", ".join([_VALUES] * len(some)), values)
                index.add((key, words) for key, _, words in some)
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
        """Write the edition and the report, close both files and sync the snapshot's to the disk."""
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
        """Close both files."""
        self._opened.close()

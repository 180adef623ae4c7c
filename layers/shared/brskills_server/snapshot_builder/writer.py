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

from brskills_server.adapters.snapshots.folder import SCHEMA, connect
from brskills_server.adapters.snapshots.stored import FORMAT
from brskills_server.registry.snapshot.rows import Edition
from brskills_server.snapshot_builder.changes import ROOT_LENGTH, Changes, Row
from brskills_server.snapshot_builder.errors import SnapshotError

_PARTS = "CREATE TABLE IF NOT EXISTS parts (part TEXT PRIMARY KEY, counts TEXT NOT NULL)"


class SnapshotWriter:
    """The file of a snapshot being built. ``former``: the file to compare with. Raises `sqlite3.Error`."""

    def __init__(self, file: Path, former: Path | None) -> None:
        self._file = file
        self._former = former
        self._connection = sqlite3.connect(file, isolation_level=None)
        try:
            self._prepare()
        except sqlite3.Error:
            self.close()
            raise

    def _prepare(self) -> None:
        self._connection.execute("PRAGMA synchronous = OFF")  # `finish` syncs once, at the end
        self._connection.execute("PRAGMA cache_size = -65536")
        self._connection.execute("BEGIN IMMEDIATE")
        if not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            for statement in SCHEMA.strip().removesuffix(";").split(";"):
                self._connection.execute(statement)
        self._connection.execute(_PARTS)
        self._connection.execute("COMMIT")

    def parts(self) -> set[str]:
        """Return the parts in the file."""
        return {part for (part,) in self._connection.execute("SELECT part FROM parts")}

    def write(self, part: str, rows: Iterable[list[Row]], first: str, upto: str | None) -> None:
        """Write a part and its counts, all or nothing. ``rows``: sorted; a key may occur several times.

        ``first``, ``upto``: the part's range of keys, in which it is compared with the former snapshot.
        """
        counts: Counter[str] = Counter()
        changes = Changes(_former_rows(self._former, first, upto) if self._former else ())
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            kept = _counted(_last_of_each(rows, counts), counts, changes if self._former else None)
            self._connection.executemany("INSERT INTO rows (key, body) VALUES (?, ?)", kept)
            changes.finish()
            counts.update(changes.counts)
            self._connection.execute("INSERT INTO parts VALUES (?, ?)", (part, json.dumps(counts)))
            self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

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
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany("INSERT OR REPLACE INTO edition VALUES (?, ?)", facts.items())
        self._connection.execute("COMMIT")
        self.close()
        with self._file.open("rb") as written:
            os.fsync(written.fileno())

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _last_of_each(rows: Iterable[list[Row]], counts: Counter[str]) -> Iterator[Row]:
    """Yield the last row of each key: of the latest situação, and the greatest text among those.

    An empty one sorts first, and means that a row could not be read; that may have been the latest.
    """
    for _, same in groupby(chain.from_iterable(rows), key=itemgetter(0)):
        row, *others = same
        for later in others if row[1] else ():
            counts["repeated" if later == row else "contradicted"] += 1
            row = later
        yield row


def _counted(rows: Iterable[Row], counts: Counter[str], changes: Changes | None) -> Iterator[Row]:
    root = ""
    for row in rows:
        key, body = row
        if len(key) == ROOT_LENGTH:
            root = key
            counts["companies"] += 1
        else:
            counts["establishments"] += 1
            if body and key[:ROOT_LENGTH] != root:
                counts["orphans"] += 1  # no file of companies has its root
        if not body:
            counts["unreadable"] += 1
        if changes:
            changes.add(key, body)
        yield row


def _former_rows(file: Path, first: str, upto: str | None) -> Iterator[Row]:
    """Yield the sorted rows of a snapshot with keys from ``first`` to before ``upto``.

    Raise `SnapshotError` if the file is damaged: `sqlite3.Error` would mean the build's own file.
    """
    connection = connect(file)
    try:
        yield from connection.execute(
            "SELECT key, body FROM rows WHERE key >= ? AND (?2 IS NULL OR key < ?2) ORDER BY key",
            (first, upto),
        )
    except sqlite3.Error as error:
        raise SnapshotError(
            f"the snapshot in place, {file.parent.name}, is damaged ({error}): put the one before in place"
            " (rollback), or delete it, and build again"
        ) from error
    finally:
        connection.close()

"""Writing the month's file, part by part: what a part is worth is in the file as soon as the part is.

Killed at any moment, the file holds whole parts, and the next run goes on behind them.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path

from brskills_server.adapters.snapshots.folder import FORMAT, SCHEMA, connect
from brskills_server.registry.snapshot.rows import Edition
from brskills_server.snapshot_builder.changes import ROOT_LENGTH, Changes, Row
from brskills_server.snapshot_builder.errors import SnapshotError

__all__ = ["SnapshotWriter", "former_rows"]

_PARTS = "CREATE TABLE IF NOT EXISTS parts (part TEXT PRIMARY KEY, counts TEXT NOT NULL)"


class SnapshotWriter:
    """The file of a month that is being made. ``former``: the month before. Raises ``sqlite3.Error``."""

    def __init__(self, file: Path, former: Path | None) -> None:
        self._file = file
        self._former = former
        is_new = not file.exists()
        self._connection = sqlite3.connect(file, isolation_level=None)
        try:
            self._prepare(is_new)
        except sqlite3.Error:
            self.close()
            raise

    def _prepare(self, is_new: bool) -> None:
        self._connection.execute("PRAGMA synchronous = OFF")  # the disk is waited for once, at the end
        self._connection.execute("PRAGMA cache_size = -65536")
        self._connection.execute("BEGIN IMMEDIATE")
        if is_new or not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            for statement in SCHEMA.strip().removesuffix(";").split(";"):
                self._connection.execute(statement)
        self._connection.execute(_PARTS)
        self._connection.execute("COMMIT")

    def parts(self) -> set[str]:
        """The parts that are in the file."""
        return {part for (part,) in self._connection.execute("SELECT part FROM parts")}

    def write(self, part: str, rows: Iterable[list[Row]], first: str, upto: str | None) -> None:
        """Write a part and its counts, all or nothing. ``rows``: sorted; a key may come several times.

        ``first``, ``upto``: the range of its keys, in which the month before is compared.
        """
        counts: Counter[str] = Counter()
        changes = Changes(former_rows(self._former, first, upto) if self._former else ())
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
        """Of all parts together."""
        total: Counter[str] = Counter()
        for (counts,) in self._connection.execute("SELECT counts FROM parts"):
            total.update(json.loads(counts))
        return total

    def finish(self, edition: Edition, report: str) -> None:
        """Say which month it is, with what was counted, and have the disk hold all of it."""
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
        """Leave the file as it is."""
        self._connection.close()


def _last_of_each(rows: Iterable[list[Row]], counts: Counter[str]) -> Iterator[Row]:
    """Of rows with the same key the last: the one of the latest situação, the greatest text among those.

    An empty one, which comes first, says that one could not be read; that may have been the latest.
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
            changes.tell(key, body)
        yield row


def former_rows(file: Path, first: str, upto: str | None) -> Iterator[Row]:
    """The rows of a month's file with keys from ``first`` on and before ``upto``, sorted.

    Raises ``SnapshotError`` where the file is damaged: not the build's own files are at fault.
    """
    connection = connect(file)
    try:
        yield from connection.execute(
            "SELECT key, body FROM rows WHERE key >= ? AND (?2 IS NULL OR key < ?2) ORDER BY key",
            (first, upto),
        )
    except sqlite3.Error as fault:
        raise SnapshotError(
            f"the copy in place, {file.parent.name}, is damaged ({fault}): put the month before in place"
            " (rollback), or delete it, and build again"
        ) from fault
    finally:
        connection.close()

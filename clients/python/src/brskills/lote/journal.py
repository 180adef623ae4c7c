"""The journal of a run: a SQLite file beside the output that survives every crash.

A batch is recorded before it is sent, and closed together with its answers. So a batch that is open after a
crash may have been counted: it is sent again under the same ``Idempotency-Key``.
"""

import json
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

_TABLES = """
-- A number is an item: the first release sent numbers alone.
CREATE TABLE IF NOT EXISTS run (described TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS batch (
  key TEXT PRIMARY KEY, numbers TEXT NOT NULL, sent REAL NOT NULL,
  calls INTEGER NOT NULL, closed INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS answer (number TEXT PRIMARY KEY, result TEXT NOT NULL, cells TEXT NOT NULL);
"""
_REPEATABLE_SECONDS = 23 * 60 * 60  # the service forgets a key after 24 hours


class JournalMismatch(Exception):
    """The journal belongs to another input or other options."""


class JournalLocked(Exception):
    """Another process is writing the same output."""


@dataclass(frozen=True, slots=True)
class PlannedBatch:
    """A batch. ``key``: its ``Idempotency-Key``. ``is_retry``: an earlier attempt may have been counted."""

    key: str
    items: tuple[str, ...]
    is_retry: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to an item: a result, and the cells by column."""

    result: str
    cells: Mapping[str, str]


class Journal:
    """The journal of a run with these ``parameters``. Raise `JournalMismatch` or `JournalLocked`.

    Every method raises `sqlite3.Error` for a full disk and the like.
    """

    def __init__(self, path: Path, parameters: Mapping[str, Any]) -> None:
        self._path = path
        self._db = sqlite3.connect(path, isolation_level=None, timeout=0)
        try:
            self._open(json.dumps(parameters, sort_keys=True))
        except BaseException:
            self._db.close()
            raise

    def _open(self, parameters: str) -> None:
        """Lock the file for this process, and check that it belongs to this run."""
        try:
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._db.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise JournalLocked from None
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise JournalMismatch from None
            raise
        self._db.execute("COMMIT")
        self._db.executescript(_TABLES)
        stored = self._db.execute("SELECT described FROM run").fetchone()
        if stored != (parameters,):
            if self._db.execute("SELECT 1 FROM batch LIMIT 1").fetchone():
                raise JournalMismatch
            self._db.execute("DELETE FROM run")  # before anything is sent, options may change
            self._db.execute("INSERT INTO run VALUES (?)", (parameters,))

    def plan(self, items: Sequence[str]) -> PlannedBatch:
        """Record a batch under a new key, before it is sent."""
        batch = PlannedBatch(uuid4().hex, tuple(items))
        row = (batch.key, json.dumps(batch.items), time.time(), 0, 0)
        self._db.execute("INSERT INTO batch VALUES (?, ?, ?, ?, ?)", row)
        return batch

    def open_batches(self) -> list[PlannedBatch]:
        """Return the batches that are not closed; close those whose key has expired."""
        oldest = time.time() - _REPEATABLE_SECONDS
        self._db.execute("UPDATE batch SET closed = 1 WHERE sent < ?", (oldest,))
        rows = self._db.execute("SELECT key, numbers FROM batch WHERE NOT closed ORDER BY sent").fetchall()
        return [PlannedBatch(key, tuple(json.loads(numbers)), is_retry=True) for key, numbers in rows]

    def record(self, batch: PlannedBatch, answers: Mapping[str, Answer], calls: int, *, closed: bool) -> None:
        """Record the answers of a batch and its calls in one transaction."""
        rows = [(item, each.result, json.dumps(each.cells)) for item, each in answers.items()]
        self._db.execute("BEGIN")
        self._db.executemany("INSERT OR REPLACE INTO answer VALUES (?, ?, ?)", rows)
        self._db.execute("UPDATE batch SET calls = ?, closed = ? WHERE key = ?", (calls, closed, batch.key))
        self._db.execute("COMMIT")

    def drop(self, batch: PlannedBatch) -> None:
        """Delete a batch that was rejected as a whole: nothing was counted."""
        self._db.execute("DELETE FROM batch WHERE key = ?", (batch.key,))

    def answers(self) -> dict[str, Answer]:
        """Return all answers by item."""
        rows = self._db.execute("SELECT number, result, cells FROM answer").fetchall()
        return {number: Answer(result, json.loads(cells)) for number, result, cells in rows}

    def calls(self) -> int:
        """Return the calls of the answered batches."""
        found: int = self._db.execute("SELECT coalesce(sum(calls), 0) FROM batch").fetchone()[0]
        return found

    def close(self) -> None:
        """Close the file, for a later run."""
        self._db.close()

    def remove(self) -> None:
        """Close and delete the file."""
        self.close()
        with suppress(FileNotFoundError):
            self._path.unlink()

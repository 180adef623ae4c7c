"""What was sent and what was answered, kept through every crash: a SQLite file beside the output.

A batch is noted before it is sent, and closed with its answers in one step. So after a crash whatever is open
may have been counted, and is sent again under the same ``Idempotency-Key``.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

__all__ = ["Answer", "Busy", "Journal", "OtherRun", "Planned"]

_TABLES = """
CREATE TABLE IF NOT EXISTS run (described TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS batch (
  key TEXT PRIMARY KEY, numbers TEXT NOT NULL, sent REAL NOT NULL,
  calls INTEGER NOT NULL, closed INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS answer (number TEXT PRIMARY KEY, result TEXT NOT NULL, cells TEXT NOT NULL);
"""
_REPEATABLE_SECONDS = 23 * 60 * 60  # the service forgets a key after 24 hours


class OtherRun(Exception):
    """The journal belongs to another input or another question."""


class Busy(Exception):
    """Another process works on the same output."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A batch to be sent. ``again``: it may have been sent before."""

    key: str
    numbers: tuple[str, ...]
    again: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a number: ``result`` is a code, ``cells`` the record's."""

    result: str
    cells: Mapping[str, str]


class Journal:
    """Open the journal of the run identified by ``described``. Raise ``OtherRun`` or ``Busy``.

    A disk that is full and the like are ``sqlite3.Error``, from every method.
    """

    def __init__(self, path: Path, described: Mapping[str, Any]) -> None:
        self._path = path
        self._db = sqlite3.connect(path, isolation_level=None, timeout=0)
        try:
            self._open(json.dumps(described, sort_keys=True))
        except BaseException:
            self._db.close()
            raise

    def _open(self, described: str) -> None:
        """Take the file for this process alone, and see that it belongs to this run."""
        try:
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._db.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as fault:
            if fault.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise Busy from None
            if fault.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise OtherRun from None
            raise
        self._db.execute("COMMIT")
        self._db.executescript(_TABLES)
        known = self._db.execute("SELECT described FROM run").fetchone()
        if known != (described,):
            if self._db.execute("SELECT 1 FROM batch LIMIT 1").fetchone():
                raise OtherRun
            self._db.execute("DELETE FROM run")  # where nothing was sent, an option may still be corrected
            self._db.execute("INSERT INTO run VALUES (?)", (described,))

    def plan(self, numbers: Sequence[str]) -> Planned:
        """Note a batch that is about to be sent, under a new key."""
        batch = Planned(uuid4().hex, tuple(numbers))
        row = (batch.key, json.dumps(batch.numbers), time.time(), 0, 0)
        self._db.execute("INSERT INTO batch VALUES (?, ?, ?, ?, ?)", row)
        return batch

    def open_batches(self) -> list[Planned]:
        """Batches that were sent, or about to be, and are not closed; the too old are given up."""
        oldest = time.time() - _REPEATABLE_SECONDS
        self._db.execute("UPDATE batch SET closed = 1 WHERE sent < ?", (oldest,))
        rows = self._db.execute("SELECT key, numbers FROM batch WHERE NOT closed ORDER BY sent").fetchall()
        return [Planned(key, tuple(json.loads(numbers)), again=True) for key, numbers in rows]

    def note(self, batch: Planned, answers: Mapping[str, Answer], calls: int, *, closed: bool) -> None:
        """Keep the answers of a batch and what it cost, in one step."""
        rows = [(number, each.result, json.dumps(each.cells)) for number, each in answers.items()]
        self._db.execute("BEGIN")
        self._db.executemany("INSERT OR REPLACE INTO answer VALUES (?, ?, ?)", rows)
        self._db.execute("UPDATE batch SET calls = ?, closed = ? WHERE key = ?", (calls, closed, batch.key))
        self._db.execute("COMMIT")

    def drop(self, batch: Planned) -> None:
        """Forget a batch that was refused as a whole: nothing was counted."""
        self._db.execute("DELETE FROM batch WHERE key = ?", (batch.key,))

    def answers(self) -> dict[str, Answer]:
        """All answers, by number."""
        rows = self._db.execute("SELECT number, result, cells FROM answer").fetchall()
        return {number: Answer(result, json.loads(cells)) for number, result, cells in rows}

    def calls(self) -> int:
        """What the answered batches cost."""
        found: int = self._db.execute("SELECT coalesce(sum(calls), 0) FROM batch").fetchone()[0]
        return found

    def close(self) -> None:
        """Leave it for a later run."""
        self._db.close()

    def remove(self) -> None:
        """The run is complete."""
        self.close()
        with suppress(FileNotFoundError):
            self._path.unlink()

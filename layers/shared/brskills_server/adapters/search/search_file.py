"""The index of one month: ``search.db``, made by a build beside ``companies.db``. It has no rows.

Documents have the ids 1, 2, … in the order of the numbers, so that a page needs no sort, a root is a range
of ids, and the index is a third of what it would be with the numbers themselves as ids.
"""

from __future__ import annotations

import sqlite3
import time
import zlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from brskills_server.adapters.snapshots.read_only_file import Connections, identity_of
from brskills_server.registry.search.register_search import TooMuchWork

SEARCH_FILE = "search.db"
FORMAT = "4"
BLOCK = 128
"""Numbers in one row of ``numbers``: the ids from ``block`` × 128 + 1 on, deflated."""
NUMBER_LENGTH = 14
SCHEMA = """
CREATE VIRTUAL TABLE documents USING fts5(
  words, content='', detail=none, columnsize=0, tokenize="ascii tokenchars '_'");
CREATE TABLE numbers (block INTEGER PRIMARY KEY, numbers BLOB NOT NULL);
CREATE TABLE vocabulary (word TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
"""``vocabulary``: how many documents have a word of a name or its beginning, or a word of `COUNTED`.
``facts``: ``format``, ``documents`` (their number) and ``id``, that of the month's file."""

_WORK_SECONDS = 1.0
"""Of processor, for all statements of one search: what it asks for, whatever else runs on the machine."""

_SECONDS = 3.0  # for which it may wait in all, where the file is read slowly
_CHECKED_EVERY = 1_000  # of SQLite's operations, some milliseconds
_CACHE_KB = 1_024


class SearchFile:
    """A month's index, for any number of threads.

    ``id``: of the build that made it; ``is_readable``: it is of a format that is known. Raise ``OSError``,
    ``sqlite3.Error``, and ``ValueError`` or ``KeyError`` for a damaged file.
    """

    def __init__(self, file: Path) -> None:
        self.identity = identity_of(file)
        self._connections = Connections(file)
        with self.session() as session:
            facts = dict(session.run("SELECT name, value FROM facts"))
        self.id = facts["id"]
        self.is_readable = facts["format"] == FORMAT
        self.documents = int(facts["documents"])

    @contextmanager
    def session(self) -> Iterator[Session]:
        """Take a connection for the statements of one search."""
        with self._connections.taken() as connection:
            session = Session(connection)
            session.run(f"PRAGMA cache_size = -{_CACHE_KB}")
            yield session


class Session:
    """Statements on a month's index by the thread that made it, until they worked or took too long."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._most_work, deadline = time.thread_time() + _WORK_SECONDS, time.monotonic() + _SECONDS
        self._connection = connection
        connection.set_progress_handler(
            lambda: self._is_worked_off() or time.monotonic() > deadline, _CHECKED_EVERY
        )

    def run(self, statement: str, *values: str | int) -> list[tuple[Any, ...]]:
        """Return all rows. Raise `TooMuchWork`, or ``sqlite3.OperationalError`` at the deadline."""
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.OperationalError:
            if self._is_worked_off():
                raise TooMuchWork from None
            raise

    def _is_worked_off(self) -> bool:
        return time.thread_time() > self._most_work

    def id_from(self, number: str, documents: int) -> int:
        """Return the id of the first number that is not below this one, or the id behind the last."""
        blocks = range(-(-documents // BLOCK))
        block = max(0, bisect_left(blocks, number, key=lambda block: _number_in(self._joined(block), 0)) - 1)
        if not documents:
            return 1
        joined = self._joined(block)
        places = range(len(joined) // NUMBER_LENGTH)
        return block * BLOCK + bisect_left(places, number, key=lambda place: _number_in(joined, place)) + 1

    def numbers_of(self, ids: Sequence[int]) -> list[str]:
        """Return the numbers of ids, both in their order."""
        places = [divmod(one - 1, BLOCK) for one in ids]
        joined = {block: self._joined(block) for block, _ in places}
        return [_number_in(joined[block], place) for block, place in places]

    def _joined(self, block: int) -> str:
        """Return the numbers of a block in one text. Raise ``ValueError`` where they are damaged."""
        try:
            ((packed,),) = self.run("SELECT numbers FROM numbers WHERE block = ?", block)
            return zlib.decompress(packed).decode("ascii")
        except (zlib.error, TypeError) as damage:
            raise ValueError("damaged numbers") from damage


def _number_in(joined: str, place: int) -> str:
    return joined[place * NUMBER_LENGTH : (place + 1) * NUMBER_LENGTH]

"""Building the search index of a snapshot (``adapters.search.search_file``), from its rows."""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from brskills_server.adapters.search.search_file import BLOCK, FORMAT, NUMBER_LENGTH, SCHEMA, SEARCH_FILE
from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.adapters.snapshots.read_only_file import connect
from brskills_server.registry.search.documents import COUNTED, OPENED, Documents

_GROWING = f"{SEARCH_FILE}.growing"
_HASH_BYTES = 1024**2
"""Of FTS5, which writes what it has collected in so many: more would not fit in a processor's own cache."""
_MOST_SEGMENTS = 1000
"""What FTS5 has written before it merges that in between; it fails with 2,000 of any age."""
_BLOCK_LENGTH = BLOCK * NUMBER_LENGTH
_SETTINGS = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -65536"""
_INSERT = "INSERT INTO documents (rowid, words) VALUES (?, ?)"
_INSERT_NUMBERS = "INSERT INTO numbers VALUES (?, ?)"
_COUNTING = "CREATE VIRTUAL TABLE temp.counted USING fts5vocab (main, documents, row)"
_COUNT = """
INSERT INTO vocabulary SELECT upper(term), doc FROM counted
 WHERE term >= ? AND term < ? AND (term NOT GLOB ? OR length(term) = ?)"""
_NAMES = ("0", "_"), ("a", "{")
"""The words of names and their beginnings in the index, which is in lower case: from, and up to."""


class Batch(NamedTuple):
    """Documents in their order. ``numbers``: joined."""

    numbers: str
    words: list[str]


def prepare(documents: Documents, rows: Iterable[tuple[str, str]]) -> Batch:
    """Return the documents of rows. Raise `ValueError` for malformed ones."""
    found = list(documents.of(rows))
    return Batch("".join([number for number, _ in found]), [words for _, words in found])


class GrowingIndex:
    """The index of the snapshot in ``folder``, begun anew; methods raise `sqlite3.Error`.

    All is written in one transaction: FTS5 would write a segment for each.
    """

    def __init__(self, folder: Path) -> None:
        (folder / _GROWING).unlink(missing_ok=True)
        self._documents, self._total, self._numbers = Documents(), 0, ""
        self._connection = _connect(folder)
        self._connection.executescript(SCHEMA)
        _configure(self._connection)
        self._connection.execute("BEGIN")

    def add(self, rows: Iterable[tuple[str, str]]) -> None:
        """Index the documents of rows, which follow those before. Raise also `ValueError` as `prepare`."""
        self.add_prepared(prepare(self._documents, rows))

    def add_prepared(self, batch: Batch) -> None:
        """Index documents, which follow those before."""
        self._connection.executemany(_INSERT, enumerate(batch.words, self._total + 1))
        self._numbers += batch.numbers
        self._total += len(batch.words)
        self._write_numbers(len(self._numbers) // _BLOCK_LENGTH * _BLOCK_LENGTH)

    def finish(self) -> None:
        """Keep all documents that were added."""
        self._write_numbers(len(self._numbers))
        self._connection.execute("INSERT INTO facts VALUES ('documents', ?)", [str(self._total)])
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file, which is of no use unless it was finished."""
        self._connection.close()

    def _write_numbers(self, length: int) -> None:
        """Write so many characters of numbers as blocks, and keep the others for later ones."""
        first = (self._total - len(self._numbers) // NUMBER_LENGTH) // BLOCK
        blocks = (self._numbers[at : at + _BLOCK_LENGTH] for at in range(0, length, _BLOCK_LENGTH))
        packed = (zlib.compress(block.encode("ascii"), 1) for block in blocks)
        self._connection.executemany(_INSERT_NUMBERS, enumerate(packed, first))
        self._numbers = self._numbers[length:]


def pack_index(folder: Path) -> None:
    """Put the index of all documents beside the snapshot's file, in one processor. Raise `sqlite3.Error`.

    Nearly all of it is three statements of SQLite, beside which other threads run.
    """
    complete = folder / f"{SEARCH_FILE}.complete"
    complete.unlink(missing_ok=True)
    with closing(connect(folder / FILE)) as source:
        facts = dict(source.execute("SELECT name, value FROM edition"))
    with closing(_connect(folder)) as connection:
        connection.execute("INSERT INTO documents (documents) VALUES ('optimize')")
        _count_words(connection)
        of_index = {"format": FORMAT, "id": facts.get("id", "")}
        connection.executemany("INSERT INTO facts VALUES (?, ?)", of_index.items())
        connection.execute("VACUUM INTO ?", [str(complete)])
    (folder / _GROWING).unlink()
    with complete.open("rb") as written:
        os.fsync(written.fileno())
    complete.rename(folder / SEARCH_FILE)


def _connect(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / _GROWING, isolation_level=None)
    connection.executescript(_SETTINGS)
    return connection


def _configure(connection: sqlite3.Connection) -> None:
    """Have FTS5 merge what it writes at the end, and before only where that is very much."""
    for name, value in {"automerge": 0, "crisismerge": _MOST_SEGMENTS, "hashsize": _HASH_BYTES}.items():
        connection.execute("INSERT INTO documents (documents, rank) VALUES (?, ?)", [name, value])


def _count_words(connection: sqlite3.Connection) -> None:
    """Write the vocabulary out of the index, which counts the documents of a word as it reads them."""
    connection.execute(_COUNTING)
    fields = ((field.lower(), f"{field.lower()}{{") for field in COUNTED)
    of_days = f"{OPENED.lower()}*", len(f"{OPENED}2024")
    connection.executemany(_COUNT, ((*limits, *of_days) for limits in (*_NAMES, *fields)))
    connection.execute("DROP TABLE temp.counted")

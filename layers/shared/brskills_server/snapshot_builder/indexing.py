"""Building the search index of a snapshot (``adapters.search.search_file``), from its file."""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from brskills_server.adapters.search.search_file import BLOCK, FORMAT, NUMBER_LENGTH, SCHEMA, SEARCH_FILE
from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.adapters.snapshots.read_only_file import connect
from brskills_server.registry.search.documents import COUNTED, OPENED
from brskills_server.snapshot_builder.indexed_words import Batch, prepare, ranges_of
from brskills_server.snapshot_builder.processes import map_in_processes

_GROWING = f"{SEARCH_FILE}.growing"
_SMALL = 64 * 1024**2
"""Bytes of a file whose index takes as long as it takes to start processes."""
_MOST_PROCESSES = 3
"""Each has 60 MB, and more would wait for FTS5, which takes half of the time that preparing takes."""
_MOST_SEGMENTS = 1000
"""What FTS5 has written before it merges that in between; it fails with 2,000 of any age."""
_HASH_SHARE = 200
_HASH_BYTES = range(1024**2, 16 * 1024**2)
"""Of FTS5, which writes a segment of what it has collected in so many: this share of the snapshot's file, so
that there are some 400 segments and none are merged in between, which takes as long as half of the
collecting. More is slower than that, for it is in no cache of a processor."""
_BLOCK_LENGTH = BLOCK * NUMBER_LENGTH
_SETTINGS = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -65536"""
_INSERT = "INSERT INTO documents (rowid, words) VALUES (?, ?)"
_INSERT_NUMBERS = "INSERT OR REPLACE INTO numbers VALUES (?, ?)"
_COUNTING = "CREATE VIRTUAL TABLE temp.counted USING fts5vocab (main, documents, row)"
_COUNT = """
INSERT INTO vocabulary SELECT upper(term), doc FROM counted
 WHERE term >= ? AND term < ? AND (term NOT GLOB ? OR length(term) = ?)"""
_NAMES = ("0", "_"), ("a", "{")
"""The words of names and their beginnings in the index, which is in lower case: from, and up to."""


def fill_index(folder: Path, processes: int) -> None:
    """Index the documents of the snapshot's file in ``folder``; begin anew what was not finished.

    ``processes``: at most so many prepare what this one writes. Raise `sqlite3.Error`, and `MemoryError`.
    """
    (folder / _GROWING).unlink(missing_ok=True)
    with _opened(folder) as connection:
        connection.executescript(SCHEMA)
        _configure(connection, (folder / FILE).stat().st_size)
        _fill(connection, folder / FILE, processes)


def pack_index(folder: Path) -> None:
    """Put the index of all documents beside the snapshot's file, in one processor. Raise `sqlite3.Error`.

    Nearly all of it is three statements of SQLite, beside which other threads run.
    """
    complete = folder / f"{SEARCH_FILE}.complete"
    complete.unlink(missing_ok=True)
    with _opened(folder) as connection:
        connection.execute("INSERT INTO documents (documents) VALUES ('optimize')")
        _count_words(connection)
        connection.execute("VACUUM INTO ?", [str(complete)])
    (folder / _GROWING).unlink()
    with complete.open("rb") as written:
        os.fsync(written.fileno())
    complete.rename(folder / SEARCH_FILE)


@contextmanager
def _opened(folder: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(folder / _GROWING, isolation_level=None)) as connection:
        connection.executescript(_SETTINGS)
        yield connection


def _configure(connection: sqlite3.Connection, file_size: int) -> None:
    """Have FTS5 merge what it writes at the end, and before only where that is very much."""
    hash_bytes = max(_HASH_BYTES.start, min(file_size // _HASH_SHARE, _HASH_BYTES.stop))
    for name, value in {"automerge": 0, "crisismerge": _MOST_SEGMENTS, "hashsize": hash_bytes}.items():
        connection.execute("INSERT INTO documents (documents, rank) VALUES (?, ?)", [name, value])


def _fill(connection: sqlite3.Connection, file: Path, processes: int) -> None:
    """Index every document, in one transaction: FTS5 would write a segment for each."""
    total, numbers = 0, ""
    connection.execute("BEGIN")
    with closing(_batches(file, processes)) as prepared:
        for batch in prepared:
            connection.executemany(_INSERT, enumerate(batch.words, total + 1))
            numbers += batch.numbers
            _write_numbers(connection, total // BLOCK, numbers)
            numbers = numbers[len(numbers) // _BLOCK_LENGTH * _BLOCK_LENGTH :]  # of a block with room
            total += len(batch.words)
    with closing(connect(file)) as source:
        facts = dict(source.execute("SELECT name, value FROM edition"))
    of_index = {"format": FORMAT, "id": facts.get("id", ""), "documents": str(total)}
    connection.executemany("INSERT INTO facts VALUES (?, ?)", of_index.items())
    connection.execute("COMMIT")


def _batches(file: Path, processes: int) -> Generator[Batch, None, None]:
    """Yield the documents of a file, prepared by other processes where it is not small."""
    ranges = ranges_of(file)
    if file.stat().st_size < _SMALL:
        return (batch for one in ranges for batch in prepare(one))
    return map_in_processes(prepare, ranges, min(processes, _MOST_PROCESSES))


def _write_numbers(connection: sqlite3.Connection, first: int, numbers: str) -> None:
    """Write numbers as blocks from the ``first`` on, of which the last may have room for others."""
    blocks = (numbers[at : at + _BLOCK_LENGTH] for at in range(0, len(numbers), _BLOCK_LENGTH))
    packed = (zlib.compress(block.encode("ascii"), 1) for block in blocks)
    connection.executemany(_INSERT_NUMBERS, enumerate(packed, first))


def _count_words(connection: sqlite3.Connection) -> None:
    """Write the vocabulary out of the index, which counts the documents of a word as it reads them."""
    connection.execute(_COUNTING)
    fields = ((field.lower(), f"{field.lower()}{{") for field in COUNTED)
    of_days = f"{OPENED.lower()}*", len(f"{OPENED}2024")
    connection.executemany(_COUNT, ((*limits, *of_days) for limits in (*_NAMES, *fields)))
    connection.execute("DROP TABLE temp.counted")

"""Building the search index of a snapshot (``adapters.search.search_file``), from its file."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from brskills_server.adapters.search.search_file import BLOCK, FORMAT, SCHEMA, SEARCH_FILE
from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.adapters.snapshots.read_only_file import connect
from brskills_server.registry.search.documents import OPENED, Document, documents
from brskills_server.snapshot_builder.machine import ahead

_BATCH = BLOCK * 400
"""Documents of one statement, some 20 MB. While SQLite indexes them, another thread makes the next ones."""
_MOST_COUNTED = 1_000_000
"""Distinct words that are counted in memory, some 150 MB."""
_SETTINGS = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -65536"""
_INSERT = "INSERT INTO documents (rowid, words) SELECT key + ?, value FROM json_each(?)"
_COUNT = """
INSERT INTO vocabulary VALUES (?, ?)
 ON CONFLICT DO UPDATE SET documents = documents + excluded.documents"""


class _Batch(NamedTuple):
    """Documents to be written. ``words``: a JSON list of their texts; ``counts``: for the vocabulary."""

    size: int
    words: str
    blocks: list[bytes]
    counts: Counter[str]


def index_snapshot(folder: Path) -> None:
    """Write the index beside the snapshot's file in ``folder``; begin anew what was not finished.

    Raise `sqlite3.Error`.
    """
    growing, complete = folder / f"{SEARCH_FILE}.growing", folder / f"{SEARCH_FILE}.complete"
    for left in (growing, complete):
        left.unlink(missing_ok=True)
    with closing(sqlite3.connect(growing, isolation_level=None)) as connection:
        connection.executescript(_SETTINGS + ";" + SCHEMA)
        _configure(connection)
        _fill(connection, folder / FILE)
        connection.execute("INSERT INTO documents (documents) VALUES ('optimize')")
        connection.execute("VACUUM INTO ?", [str(complete)])
    growing.unlink()
    with complete.open("rb") as written:
        os.fsync(written.fileno())
    complete.rename(folder / SEARCH_FILE)


def _configure(connection: sqlite3.Connection) -> None:
    """Have FTS5 merge what it writes once, at the end."""
    for name, value in {"automerge": 0, "crisismerge": 1999, "hashsize": 64 * 1024**2}.items():
        connection.execute("INSERT INTO documents (documents, rank) VALUES (?, ?)", [name, value])


def _fill(connection: sqlite3.Connection, file: Path) -> None:
    counts: Counter[str] = Counter()
    total = 0
    with closing(connect(file)) as source, closing(ahead(_batches(source))) as prepared:
        facts = dict(source.execute("SELECT name, value FROM edition"))
        for batch in prepared:
            connection.execute("BEGIN")
            connection.execute(_INSERT, [total + 1, batch.words])
            connection.executemany(
                "INSERT INTO numbers VALUES (?, ?)", enumerate(batch.blocks, total // BLOCK)
            )
            counts.update(batch.counts)
            if len(counts) > _MOST_COUNTED:
                _write_counts(connection, counts)
            connection.execute("COMMIT")
            total += batch.size
    _write_counts(connection, counts)
    of_index = {"format": FORMAT, "id": facts.get("id", ""), "documents": str(total)}
    connection.executemany("INSERT INTO facts VALUES (?, ?)", of_index.items())


def _write_counts(connection: sqlite3.Connection, counts: Counter[str]) -> None:
    connection.executemany(_COUNT, sorted(counts.items()))
    counts.clear()


def _batches(source: sqlite3.Connection) -> Iterator[_Batch]:
    found = documents(source.execute("SELECT key, body FROM rows ORDER BY key"))
    while (batch := _batch_of(islice(found, _BATCH))).size:
        yield batch


def _batch_of(found: Iterable[Document]) -> _Batch:
    numbers: list[str] = []
    words: list[str] = []
    counted: list[str] = []
    for document in found:
        numbers.append(document.number)
        words.append(document.words())
        counted += document.names
        if document.opened:
            counted.append(OPENED + document.opened[:4])
    blocks = ("".join(numbers[at : at + BLOCK]) for at in range(0, len(numbers), BLOCK))
    packed = [zlib.compress(block.encode("ascii"), 1) for block in blocks]
    return _Batch(len(numbers), json.dumps(words), packed, Counter(counted))

"""Packing the search index of a snapshot, when all of its documents are written."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from brskills_server.adapters.search.search_file import SEARCH_FILE
from brskills_server.registry.search.documents import COUNTED, OPENED
from brskills_server.snapshot_builder.indexing import GROWING, SETTINGS

_COUNTING = "CREATE VIRTUAL TABLE temp.counted USING fts5vocab (main, documents, row)"
_COUNT = """
INSERT INTO vocabulary SELECT upper(term), doc FROM counted
 WHERE term >= ? AND term < ? AND (term NOT GLOB ? OR length(term) = ?)"""
_NAMES = ("0", "_"), ("a", "{")
"""The words of names and their beginnings in the index, which is in lower case: from, and up to."""


def pack_index(folder: Path) -> None:
    """Put the index of all documents beside the snapshot's file, in one processor. Raise `sqlite3.Error`.

    Nearly all of it is three statements of SQLite, beside which other threads run. There is no journal: where
    it is interrupted, all of the index is lost.
    """
    packing, complete = folder / f"{SEARCH_FILE}.packing", folder / f"{SEARCH_FILE}.complete"
    for left in (packing, complete):
        left.unlink(missing_ok=True)
    (folder / GROWING).rename(packing)
    with closing(sqlite3.connect(packing, isolation_level=None)) as connection:
        connection.executescript(f"{SETTINGS}; PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("INSERT INTO documents (documents) VALUES ('optimize')")
        _count_words(connection)
        connection.execute("VACUUM INTO ?", [str(complete)])
    packing.unlink()
    with complete.open("rb") as written:
        os.fsync(written.fileno())
    complete.rename(folder / SEARCH_FILE)


def _count_words(connection: sqlite3.Connection) -> None:
    """Write the vocabulary out of the index, which counts the documents of a word as it reads them."""
    connection.execute(_COUNTING)
    fields = ((field.lower(), f"{field.lower()}{{") for field in COUNTED)
    of_days = f"{OPENED.lower()}*", len(f"{OPENED}2024")
    connection.executemany(_COUNT, ((*limits, *of_days) for limits in (*_NAMES, *fields)))
    connection.execute("DROP TABLE temp.counted")

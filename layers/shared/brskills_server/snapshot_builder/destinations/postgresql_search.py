"""A snapshot's search index in PostgreSQL, as ``brskills_server.adapters.search.postgresql`` reads it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from brskills_server.adapters.search.postgresql_statements import search_table_of, words_table_of
from brskills_server.adapters.search.search_file import FORMAT, SEARCH_FILE
from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.adapters.snapshots.read_only_file import connect
from brskills_server.registry.search.documents import Documents, row_words
from brskills_server.snapshot_builder.errors import SnapshotError

# Words are compared by bytes, and a document has no positions of them.
_CREATE = """
CREATE TABLE {search} (number TEXT COLLATE "C" NOT NULL, words TSVECTOR NOT NULL);
CREATE TABLE {words} (word TEXT COLLATE "C" NOT NULL, documents INTEGER NOT NULL)"""
_INDEX = """
COMMENT ON TABLE {search} IS {format};
ALTER TABLE {search} ADD PRIMARY KEY (number) WITH (fillfactor = 100);
CREATE INDEX ON {search} USING gin (words);
ALTER TABLE {words} ADD PRIMARY KEY (word) WITH (fillfactor = 100);
ANALYZE {search}; ANALYZE {words}"""


def search_tables(name: str) -> tuple[str, str]:
    """Return the tables of a snapshot's index."""
    return search_table_of(name), words_table_of(name)


def add_index(connection: psycopg.Connection[tuple[Any, ...]], folder: Path, name: str) -> None:
    """Write the index of the snapshot in a folder, in the transaction that adds it.

    Raise `SnapshotError`; the index beside the snapshot's file has the vocabulary.
    """
    tables = dict(zip(("search", "words"), map(sql.Identifier, search_tables(name)), strict=True))
    connection.execute(sql.SQL(_CREATE).format(**tables))
    with connection.cursor() as cursor:
        with cursor.copy(sql.SQL("COPY {search} FROM STDIN (FREEZE)").format(**tables)) as copy:
            for row in _documents(folder / FILE):
                copy.write_row(row)
        with cursor.copy(sql.SQL("COPY {words} FROM STDIN (FREEZE)").format(**tables)) as copy:
            for row in _rows(folder / SEARCH_FILE, "SELECT word, documents FROM vocabulary"):
                copy.write_row(row)
    connection.execute(sql.SQL(_INDEX).format(**tables, format=sql.Literal(FORMAT)))


def _documents(file: Path) -> Iterator[tuple[str, str]]:
    rows = _rows(file, "SELECT key, body FROM rows ORDER BY key")
    made = Documents()
    for key, body in rows:
        if document := made.document(key, row_words(key, body)):
            yield key, document


def _rows(file: Path, statement: str) -> Iterator[tuple[Any, ...]]:
    try:
        with closing(connect(file)) as connection:
            yield from connection.execute(statement)
    except sqlite3.Error as error:
        raise SnapshotError(f"{file.name}: {error}") from error

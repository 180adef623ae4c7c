"""Snapshots in PostgreSQL, as ``brskills_server.adapters.snapshots.postgresql`` reads them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from brskills_server.adapters.search.search_file import SEARCH_FILE
from brskills_server.adapters.snapshots.postgresql import table_of
from brskills_server.snapshot_builder.destinations.destination import (
    KeptSnapshot,
    Report,
    SnapshotRows,
    checked_name,
)
from brskills_server.snapshot_builder.destinations.postgresql_history import (
    HISTORY_SCHEMA,
    HISTORY_TABLES,
    add_step,
)
from brskills_server.snapshot_builder.destinations.postgresql_search import add_index, search_tables
from brskills_server.snapshot_builder.errors import SnapshotError

_Connection = psycopg.Connection[tuple[Any, ...]]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS register_months (
  name TEXT PRIMARY KEY, day TEXT NOT NULL, format TEXT NOT NULL, texts TEXT NOT NULL,
  current BOOLEAN NOT NULL);
ALTER TABLE register_months ADD COLUMN IF NOT EXISTS id TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX IF NOT EXISTS register_months_current ON register_months (current) WHERE current"""
_READERS = """
SELECT DISTINCT grantee FROM information_schema.role_table_grants
 WHERE table_schema = current_schema() AND table_name = 'register_months' AND privilege_type = 'SELECT'
   AND grantee <> CURRENT_USER"""


@dataclass(frozen=True, slots=True)
class PostgresDestination:
    """A `Destination` in a database whose role owns the tables.

    Each method is one transaction, so that a killed one leaves nothing. Roles that may read the table of
    months may read the table of each, and those of the history.
    """

    url: str = field(repr=False)

    def snapshots(self) -> list[KeptSnapshot]:
        """Return the snapshots, newest first; none before the first was added."""
        with self._transaction() as connection:
            if connection.execute("SELECT to_regclass('register_months')").fetchone() == (None,):
                return []
            rows = connection.execute(
                "SELECT name, day, current FROM register_months ORDER BY day DESC, name DESC"
            )
            return [KeptSnapshot(name, date.fromisoformat(day), current) for name, day, current in rows]

    def add(self, file: Path, name: str, report: Report) -> None:
        """Copy the rows in the order of their keys into a new table, then create its index. Add the changes.

        A search index beside the file, if there is one, gets tables too.

        In the transaction that creates the table, rows are written frozen and never rewritten.
        """
        table = sql.Identifier(table_of(checked_name(name)))
        rows = SnapshotRows(file, report)
        with self._transaction() as connection:  # alone, for its lock keeps readers waiting
            connection.execute(_SCHEMA)
            connection.execute(HISTORY_SCHEMA)
            for history_table in HISTORY_TABLES:
                _grant(connection, [sql.Identifier(history_table)])
        with self._transaction() as connection:
            _drop(connection, name)
            # Compared by bytes, independent of the database's collation: keys are ASCII.
            connection.execute(
                sql.SQL('CREATE TABLE {} (key TEXT COLLATE "C" NOT NULL, body TEXT NOT NULL)').format(table)
            )
            into = sql.SQL("COPY {} (key, body) FROM STDIN (FORMAT BINARY, FREEZE)").format(table)
            with connection.cursor() as cursor, cursor.copy(into) as copy:
                copy.set_types(["text", "text"])
                for row in rows:
                    copy.write_row(row)
            connection.execute(
                sql.SQL("ALTER TABLE {} ADD PRIMARY KEY (key) WITH (fillfactor = 100)").format(table)
            )
            connection.execute(sql.SQL("ANALYZE {}").format(table))
            _check(connection, table, rows)
            tables = [table]
            if rows.step:
                add_step(connection, rows.step, rows.changes())
            if (file.parent / SEARCH_FILE).exists():
                add_index(connection, file.parent, name)
                tables += map(sql.Identifier, search_tables(name))
            _grant(connection, tables)
            connection.execute(
                "INSERT INTO register_months (name, day, format, texts, id, current)"
                " VALUES (%(name)s, %(day)s, %(format)s, %(texts)s, %(id)s, FALSE)",
                {"name": name, "id": "", **rows.facts},
            )

    def switch(self, name: str) -> None:
        """Put a snapshot in place."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE register_months SET current = FALSE WHERE current AND name <> %s", [name]
            )
            if not connection.execute(
                "UPDATE register_months SET current = TRUE WHERE name = %s", [name]
            ).rowcount:
                raise SnapshotError(f"there is no snapshot {name}")

    def remove(self, name: str) -> None:
        """Delete a snapshot; waits for look-ups that still read it."""
        with self._transaction() as connection:
            connection.execute(_SCHEMA)
            _drop(connection, name)

    @contextmanager
    def _transaction(self) -> Iterator[_Connection]:
        try:
            with psycopg.connect(
                self.url, connect_timeout=10, application_name="brskills-copy", client_encoding="UTF8"
            ) as connection:
                yield connection
        except psycopg.Error as error:
            reason = str(error).partition("\n")[0]  # further lines may quote rows
            raise SnapshotError(f"PostgreSQL: {type(error).__name__}: {reason}") from error


def _grant(connection: _Connection, tables: Sequence[sql.Identifier]) -> None:
    """Let the roles that may read the table of months read others."""
    for (reader,) in connection.execute(_READERS).fetchall():
        role = sql.SQL("PUBLIC") if reader == "PUBLIC" else sql.Identifier(reader)
        connection.execute(sql.SQL("GRANT SELECT ON {} TO {}").format(sql.SQL(", ").join(tables), role))


def _drop(connection: _Connection, name: str) -> None:
    found = connection.execute(
        "DELETE FROM register_months WHERE name = %s RETURNING current", [name]
    ).fetchone()
    if found == (True,):
        raise SnapshotError(f"the snapshot {name} is in place")
    tables = map(sql.Identifier, (table_of(checked_name(name)), *search_tables(name)))
    connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(sql.SQL(", ").join(tables)))


def _check(connection: _Connection, table: sql.Identifier, rows: SnapshotRows) -> None:
    count = connection.execute(sql.SQL("SELECT count(*) FROM {}").format(table)).fetchone()
    if count != (rows.count,):
        raise SnapshotError(
            f"PostgreSQL has another number of rows than the {rows.count} of the snapshot's file"
        )
    read = sql.SQL("SELECT key, body FROM {} WHERE key = ANY(%s)").format(table)
    found = connection.execute(read, [list(rows.sample)]).fetchall()
    if dict(found) != rows.sample:
        raise SnapshotError("PostgreSQL gives other rows than the snapshot's file")

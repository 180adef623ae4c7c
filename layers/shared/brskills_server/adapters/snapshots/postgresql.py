"""The snapshot in the database that ``STORE`` names: a table for each month, and one that names the current.

    register_months (name, day, format, texts, id, current)
    register_2026_09_12 (key, body)
    register_steps (id, since, since_day, day)
    register_changes (key, step, body)

The builder creates them, not a migration; the service's role needs SELECT on them.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import date

from psycopg.errors import UndefinedTable

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.postgresql import PostgresDatabase
from brskills_server.adapters.snapshots.stored import Month, MonthGone, StoredSnapshot, edition_of
from brskills_server.adapters.sql.database import Database, Row, Value
from brskills_server.adapters.stores import StoreSettings
from brskills_server.registry.snapshot.history import RegisterHistory, Step, StepRows
from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
from brskills_server.registry.store import StoreFault

_SECONDS = 1.0
_CONNECTIONS = 4  # of one process, beside those for accounts and counters
_HISTORY_CONNECTIONS = 2  # and these, from the first history on

# Read as JSON, for the table of a format that is refused may have no column ``id``.
_IN_PLACE = """
SELECT name, format, day, CASE WHEN name = :known THEN '' ELSE texts END,
       coalesce(to_jsonb(register_months) ->> 'id', '')
  FROM register_months WHERE current"""

_CHAIN = """
WITH RECURSIVE chain AS (
  SELECT id, since, since_day, day, 1 AS place FROM register_steps WHERE id = :snapshot
   UNION ALL
  SELECT step.id, step.since, step.since_day, step.day, place + 1
    FROM register_steps AS step JOIN chain ON step.id = chain.since WHERE place < 1000)
SELECT id, since, since_day, day"""
_STEPS = f"{_CHAIN} FROM chain ORDER BY place"
_HISTORY = f"""{_CHAIN},
       coalesce((SELECT body FROM register_changes WHERE key = :root AND step = chain.id), ''),
       coalesce((SELECT body FROM register_changes WHERE key = :cnpj AND step = chain.id), '')
  FROM chain ORDER BY place"""  # noqa: S608, our own words
_ROWS = """
SELECT key, body FROM register_changes
 WHERE step = :step AND key IN (SELECT json_array_elements_text(CAST(:keys AS json)))"""


def table_of(name: str) -> str:
    """Return the table of a month.

    >>> table_of("2026-09-12")
    'register_2026_09_12'
    """
    return "register_" + name.replace("-", "_")


class PostgresMonths:
    """``Months`` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def in_place(self, known: Month | None) -> Month | None:
        """Return the current month; a database without these tables has none."""
        try:
            rows = self._run(_IN_PLACE, known=known.name if known else "")
        except MonthGone:
            return None
        if not rows:
            return None
        name, *facts = rows[0]
        return known if known and known.name == name else Month(name, table_of(name), edition_of(*facts))

    def rows(self, month: Month, keys: Collection[str]) -> dict[str, str]:
        """Return bodies by one statement."""
        statement = f"SELECT key, body FROM {month.table} WHERE key = ANY (string_to_array(:keys, ' '))"  # noqa: S608, a name from this service
        return dict(self._run(statement, keys=" ".join(keys)))

    def _run(self, statement: str, **values: Value) -> list[Row]:
        return _run(self._database, statement, **values)


class PostgresHistory:
    """``RegisterHistory`` in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def rows(self, cnpj: str, snapshot: str) -> list[StepRows]:
        """Read the steps and their rows by one statement; a database without these tables has none."""
        try:
            found = _run(self._database, _HISTORY, snapshot=snapshot, root=cnpj[:8], cnpj=cnpj)
        except MonthGone:
            return []
        return [StepRows(_step(*row[:4]), *row[4:]) for row in found]

    def steps(self, snapshot: str) -> list[Step]:
        """Read the steps by one statement; a database without these tables has none."""
        try:
            return [_step(*facts) for facts in _run(self._database, _STEPS, snapshot=snapshot)]
        except MonthGone:
            return []

    def rows_of(self, step: Step, keys: Collection[str]) -> dict[str, str]:
        """Read rows by one statement, and whether the step is known by another where it has none."""
        found: dict[str, str] = dict(_run(self._database, _ROWS, step=step.id, keys=json.dumps(list(keys))))
        if not found and step not in self.steps(step.id):
            raise StoreFault("a step that is gone")
        return found


def _step(name: str, since: str, since_day: str, day: str) -> Step:
    return Step(name, since, date.fromisoformat(since_day), date.fromisoformat(day))


def _run(database: Database, statement: str, **values: Value) -> list[Row]:
    try:
        return database.run(statement, **values)
    except StoreUnavailable as failure:
        if isinstance(failure.__cause__, UndefinedTable):
            raise MonthGone(str(failure)) from failure
        raise StoreFault(str(failure)) from failure


def open_snapshot(settings: StoreSettings) -> RegisterSnapshot:
    """Return the snapshot in the database of ``STORE``, without a request yet."""
    return StoredSnapshot(PostgresMonths(_open(settings, _CONNECTIONS)))


def open_history(settings: StoreSettings) -> RegisterHistory:
    """Return the history in the database of ``STORE``, without a request yet."""
    return PostgresHistory(_open(settings, _HISTORY_CONNECTIONS))


def _open(settings: StoreSettings, connections: int) -> Database:
    return PostgresDatabase(settings.store, min(_SECONDS, settings.store_seconds), connections)

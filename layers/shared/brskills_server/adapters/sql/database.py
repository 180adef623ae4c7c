"""The database interface that SQLite and PostgreSQL implement, and the base of the stores over it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Value = str | int | None
Values = dict[str, Value]
Row = tuple[Any, ...]
Run = Callable[..., list[Row]]
"""``run(statement, **values)`` returns the rows; ``:name`` in the statement is a value's place."""

_ROWS = 200
"""Of a statement: SQLite takes 32,766 values."""


class Conflict(Exception):
    """A unique or foreign key constraint failed; nothing was written."""


class Rollback(Exception):
    """Raised inside a transaction to undo it; it ends there."""


class Database(Protocol):
    """A database shared by threads. Every method may raise ``Conflict`` and ``StoreUnavailable``.

    No statement is repeated that may have been applied. ``skip_locked``: the end of a subquery that leaves
    out rows which another transaction has locked.
    """

    skip_locked: str

    def run(self, statement: str, **values: Value) -> list[Row]:
        """Run one statement in its own transaction."""

    def transaction(self, *, alone: bool = False) -> AbstractContextManager[Run]:
        """Run several statements in a transaction.

        ``alone``: no other such transaction runs at the same time, on any machine; it may take longer.
        """

    def snapshot(self) -> AbstractContextManager[Run]:
        """Run several reading statements that see the same moment."""


class SqlStore:
    """Tables in a database; ``counters``: the same, by a connection that need not wait for the disk."""

    def __init__(self, database: Database, counters: Database) -> None:
        self._database = database
        self._counters = counters


def insert(run: Run, table: str, **values: Value) -> None:
    """Insert a row. Raise ``Conflict`` if its key exists."""
    places = ", ".join(f":{column}" for column in values)
    run(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})", **values)  # noqa: S608, our own names


def insert_rows(run: Run, statement: str, rows: Sequence[Sequence[Value]], ending: str = "") -> list[Row]:
    """Insert rows by few statements; ``statement`` ends with ``VALUES``, ``ending`` follows the rows.

    Return the rows that an ending with ``RETURNING`` asks for.
    """
    return [
        row for places, values in places_of(rows) for row in run(f"{statement} {places}{ending}", **values)
    ]


def places_of(rows: Sequence[Sequence[Value]]) -> Iterator[tuple[str, Values]]:
    """Yield the places of some rows in a statement with their values, until it was all rows."""
    for at in range(0, len(rows), _ROWS):
        named = [
            {f"v{row}_{column}": value for column, value in enumerate(values)}
            for row, values in enumerate(rows[at : at + _ROWS])
        ]
        places = ", ".join(f"({', '.join(f':{name}' for name in row)})" for row in named)
        yield places, {name: value for row in named for name, value in row.items()}

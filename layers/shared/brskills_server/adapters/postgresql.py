"""Both stores in PostgreSQL (``STORE=postgresql://…``): several machines over one database.

The address is libpq's (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS).
"""

from __future__ import annotations

import logging
import math
import re
import select
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Self, TypeVar
from weakref import finalize

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool, PoolTimeout

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.sql.database import Conflict, Rollback, Row, Run, Value
from brskills_server.adapters.sql.opening import stores_of
from brskills_server.adapters.stores import Stores, StoreSettings

__all__ = ["PostgresDatabase", "checked_address", "open_stores", "shown_address"]

MOST_CONNECTIONS = 8
"""Of one process, for its stores. A database takes 100 by default: count processes on all machines."""

_MIGRATION_LOCK = 0x62_72_73_6B  # any number, as long as nothing else in the database uses it

_GRACE = 0.5  # seconds that the server gets to say itself that it has given up

_FORM = "a database is postgresql://USER:PASSWORD@HOST:PORT/NAME"

T = TypeVar("T")

# What the pool remarks goes where the log is, and nowhere while there is none: a reason is in what is raised.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class PostgresDatabase:
    """``brskills_server.adapters.sql.database.Database`` over a pool of connections; ``ValueError`` where ``url`` cannot be.

    ``seconds``: how long an operation may take with all its statements, waiting for a connection included;
    what is done alone, and a snapshot, may take so long for each statement. The first operation connects.
    ``connections``: how many the pool may have.
    """

    def __init__(self, url: str, seconds: float, connections: int = MOST_CONNECTIONS) -> None:
        self._seconds = seconds
        given = checked_address(url)
        self._refusal: deque[str] = deque(maxlen=1)  # why the last connection was not made, if it was not
        self._pool = ConnectionPool(
            url,
            connection_class=_Connection,
            kwargs={
                "autocommit": True,
                "connect_timeout": max(2, int(seconds)),  # libpq takes no less than two
                "application_name": "brskills",
                "client_encoding": "UTF8",  # whatever the database's own is
                "refusal": self._refusal,
                "options": f"{given.get('options', '')} -c statement_timeout={int(seconds * 1000)}",
            },
            min_size=1,
            max_size=connections,
            timeout=seconds,
            reconnect_timeout=0,
            open=False,
        )
        finalize(self, self._pool.close)

    def run(self, statement: str, **values: Value) -> list[Row]:
        """One statement."""
        with self._connected() as connection:
            return _run(connection, statement, values)

    @contextmanager
    def transaction(self, *, alone: bool = False) -> Iterator[Run]:
        """Several statements, each of which sees what others have committed before it."""
        with self._connected(is_long=alone) as connection:
            try:
                with connection.transaction():
                    if alone:
                        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
                    yield lambda statement, **values: _run(connection, statement, values)
            except Rollback:
                pass

    @contextmanager
    def snapshot(self) -> Iterator[Run]:
        """Several statements."""
        with self._connected(is_long=True) as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield lambda statement, **values: _run(connection, statement, values)

    @contextmanager
    def _connected(self, *, is_long: bool = False) -> Iterator[_Connection]:
        deadline = time.monotonic() + self._seconds
        try:
            connection = self._take(deadline)
            connection.seconds = self._seconds + _GRACE
            connection.until = math.inf if is_long else deadline + _GRACE
            try:
                yield connection
            finally:
                self._pool.putconn(connection)
        except psycopg.IntegrityError as error:
            raise Conflict from error
        except PoolTimeout as error:
            raise StoreUnavailable(
                ": ".join([f"no connection in {self._seconds} s", *self._refusal])
            ) from error
        except psycopg.Error as error:
            raise StoreUnavailable(f"{type(error).__name__}: {_first_line(error)}") from error

    def _take(self, deadline: float) -> _Connection:
        self._pool.open()
        while True:
            connection = self._pool.getconn(deadline - time.monotonic())
            if not _has_ended(connection):
                return connection
            connection.close()
            self._pool.putconn(connection)  # which makes another


class _Connection(psycopg.Connection[Row]):
    """A connection that waits for no answer longer than ``seconds``, nor beyond the moment ``until`` (of
    ``time.monotonic``), whatever has become of the server."""

    seconds = 60.0
    until = math.inf

    @classmethod
    def connect(cls, conninfo: str = "", *, refusal: deque[str], **given: Any) -> Self:  # type: ignore[override]
        try:
            connection = super().connect(conninfo, **given)
        except psycopg.Error as error:
            refusal.append(_first_line(error))
            raise
        refusal.clear()
        return connection

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        left = min(self.seconds, self.until - time.monotonic()) if timeout is None else timeout
        if left <= 0:
            self.close()  # so the server undoes what is not committed
            raise psycopg.OperationalError("the operation took too long")
        try:
            return super().wait(gen, interval, left)
        except psycopg.Error:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.close()  # an answer may still come, and is nobody's
            raise


def _first_line(error: psycopg.Error) -> str:
    """What follows it may quote values."""
    return str(error).partition("\n")[0]


def _has_ended(connection: _Connection) -> bool:
    """Nothing is read from a connection at rest but its end. Asking the server would take a call's time."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def _run(connection: _Connection, statement: str, values: dict[str, Value]) -> list[Row]:
    cursor = connection.execute(_in_psycopgs_style(statement), values)
    return cursor.fetchall() if cursor.description else []


@lru_cache(maxsize=256)
def _in_psycopgs_style(statement: str) -> str:
    return re.sub(r":(\w+)", r"%(\1)s", statement)


def open_stores(settings: StoreSettings) -> Stores:
    """The stores in the database that ``STORE`` names; ``ValueError`` where it cannot be one."""
    database = PostgresDatabase(settings.store, settings.store_seconds)
    return stores_of(database, database)


def checked_address(url: str) -> Mapping[str, Any]:
    """The parts of ``STORE``, by libpq's names; ``ValueError``, which quotes nothing, where it cannot be."""
    try:
        given = conninfo_to_dict(url)
    except psycopg.ProgrammingError:  # which may quote a password
        raise ValueError(f"STORE: {_FORM}") from None
    if any("@" in str(given.get(part, ""))[1:] for part in ("host", "dbname")):
        # A part of the password was taken for one of these, which are told where they cannot be reached.
        raise ValueError(f"STORE: {_FORM}, with %40 for an @ and %2F for a / in the password")
    return given


def shown_address(url: str) -> str:
    """Where the database is, as people may see it.

    >>> shown_address("postgresql://brskills:se?cret@db:5432/brskills?sslmode=require")
    'postgresql://db:5432/brskills'
    """
    given = conninfo_to_dict(url)
    place = ":".join(str(given[part]) for part in ("host", "port") if part in given)
    return f"postgresql://{place}/{given.get('dbname', '')}"

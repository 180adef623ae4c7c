"""Both stores in PostgreSQL (``STORE=postgresql://…``): several machines over one database.

The address is libpq's (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS).
"""

from __future__ import annotations

import re
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TypeVar
from weakref import finalize

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool, PoolTimeout

from access.errors import StoreUnavailable
from adapters.sql.database import Conflict, Rollback, Row, Run, Value
from adapters.sql.opening import stores_of
from adapters.stores import Stores, StoreSettings

__all__ = ["PostgresDatabase", "open_stores"]

MOST_CONNECTIONS = 8
"""Of one process. A database takes 100 by default: count processes on all machines."""

_MIGRATION_LOCK = 0x62_72_73_6B  # any number, as long as nothing else in the database uses it

_GRACE = 0.5  # seconds that the server gets to say itself that it has given up

T = TypeVar("T")


class PostgresDatabase:
    """``adapters.sql.database.Database`` over a pool of connections.

    ``seconds``: how long an operation may take, waiting for a connection included. The first one connects.
    """

    def __init__(self, url: str, seconds: float) -> None:
        self._seconds = seconds
        given = conninfo_to_dict(url)
        self._pool = ConnectionPool(
            url,
            connection_class=_Connection,
            kwargs={
                "autocommit": True,
                "connect_timeout": max(2, int(seconds)),  # libpq takes no less than two
                "application_name": "brskills",
                "client_encoding": "UTF8",  # whatever the database's own is
                "options": f"{given.get('options', '')} -c statement_timeout={int(seconds * 1000)}",
            },
            min_size=1,
            max_size=MOST_CONNECTIONS,
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
        with self._connected() as connection:
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
        with self._connected() as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield lambda statement, **values: _run(connection, statement, values)

    @contextmanager
    def _connected(self) -> Iterator[_Connection]:
        try:
            connection = self._take()
            try:
                yield connection
            finally:
                self._pool.putconn(connection)
        except psycopg.IntegrityError as error:
            raise Conflict from error
        except PoolTimeout as error:
            raise StoreUnavailable(f"no connection in {self._seconds} s") from error
        except psycopg.Error as error:
            # Its first line alone: what follows may quote values.
            raise StoreUnavailable(f"{type(error).__name__}: {str(error).splitlines()[0]}") from error

    def _take(self) -> _Connection:
        self._pool.open()
        deadline = time.monotonic() + self._seconds
        while True:
            connection = self._pool.getconn(deadline - time.monotonic())
            if not _has_ended(connection):
                connection.seconds = self._seconds + _GRACE
                return connection
            connection.close()
            self._pool.putconn(connection)  # which makes another


class _Connection(psycopg.Connection[Row]):
    """A connection that waits for no answer longer than ``seconds``, whatever has become of the server."""

    seconds = 60.0

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        try:
            return super().wait(gen, interval, self.seconds if timeout is None else timeout)
        except psycopg.Error:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.close()  # an answer may still come, and is nobody's
            raise


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
    try:
        conninfo_to_dict(settings.store)
    except psycopg.ProgrammingError:  # which may quote a password
        raise ValueError("STORE: a database is postgresql://USER:PASSWORD@HOST:PORT/NAME") from None
    return stores_of(PostgresDatabase(settings.store, settings.store_seconds))

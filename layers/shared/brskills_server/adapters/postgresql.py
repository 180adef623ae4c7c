"""Both stores in PostgreSQL (``STORE=postgresql://…``), for several machines.

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
from brskills_server.adapters.sql.access import stores_of
from brskills_server.adapters.sql.database import Conflict, Rollback, Row, Run, Value
from brskills_server.adapters.stores import Stores, StoreSettings

MOST_CONNECTIONS = 8
"""Of one process, for its stores. A database takes 100 by default: count processes on all machines."""

_MIGRATION_LOCK = 0x62_72_73_6B  # any number that nothing else in the database uses

_GRACE = 0.5  # seconds for the server to report its own time-out

_FORM = "a database is postgresql://USER:PASSWORD@HOST:PORT/NAME"

T = TypeVar("T")

# The pool's messages go to the configured log only: exceptions have the reason.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class PostgresDatabase:
    """``Database`` over a pool of ``connections``. Raise ``ValueError`` for an impossible ``url``.

    ``seconds``: limit of an operation with all its statements and the wait for a connection; for a
    transaction ``alone`` and a snapshot, of each statement. The first operation connects.
    """

    skip_locked = " FOR UPDATE SKIP LOCKED"

    def __init__(self, url: str, seconds: float, connections: int = MOST_CONNECTIONS) -> None:
        self._seconds = seconds
        given = checked_address(url)
        self._last_error: deque[str] = deque(maxlen=1)  # why the last connection failed, if it did
        self._pool = ConnectionPool(
            url,
            connection_class=_Connection,
            kwargs={
                "autocommit": True,
                "connect_timeout": max(2, int(seconds)),  # libpq takes no less than two
                "application_name": "brskills",
                "client_encoding": "UTF8",  # regardless of the database's encoding
                "last_error": self._last_error,
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
        with self._connected() as connection:
            return connection.run(statement, **values)

    @contextmanager
    def transaction(self, *, alone: bool = False) -> Iterator[Run]:
        """Run several statements, each of which sees what was committed before it."""
        with self._connected(is_long=alone) as connection:
            try:
                with connection.transaction():
                    if alone:
                        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
                    yield connection.run
            except Rollback:
                pass

    @contextmanager
    def snapshot(self) -> Iterator[Run]:
        """Run several statements that see the same moment."""
        with self._connected(is_long=True) as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield connection.run

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
                ": ".join([f"no connection in {self._seconds} s", *self._last_error])
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
            self._pool.putconn(connection)  # which opens another


class _Connection(psycopg.Connection[Row]):
    """A connection whose waits end after ``seconds``, and at the moment ``until`` (of ``time.monotonic``)."""

    seconds = 60.0
    until = math.inf

    @classmethod
    def connect(cls, conninfo: str = "", *, last_error: deque[str], **given: Any) -> Self:  # type: ignore[override]
        try:
            connection = super().connect(conninfo, **given)
        except psycopg.Error as error:
            last_error.append(_first_line(error))
            raise
        last_error.clear()
        return connection

    def run(self, statement: str, **values: Value) -> list[Row]:
        cursor = self.execute(_in_psycopg_style(statement), values)
        return cursor.fetchall() if cursor.description else []

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        left = min(self.seconds, self.until - time.monotonic()) if timeout is None else timeout
        if left <= 0:
            self.close()  # so that the server rolls back
            raise psycopg.OperationalError("the operation took too long")
        try:
            return super().wait(gen, interval, left)
        except psycopg.Error:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.close()  # a late response must not be read
            raise


def _first_line(error: psycopg.Error) -> str:
    """Return the first line; others may quote values."""
    return str(error).partition("\n")[0]


def _has_ended(connection: _Connection) -> bool:
    """Return whether an idle connection has ended, without a round trip: only its end makes it readable."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


@lru_cache(maxsize=256)
def _in_psycopg_style(statement: str) -> str:
    return re.sub(r":(\w+)", r"%(\1)s", statement)


def open_stores(settings: StoreSettings) -> Stores:
    """Return the stores in the database of ``STORE``. Raise ``ValueError`` if it is malformed."""
    database = PostgresDatabase(settings.store, settings.store_seconds)
    return stores_of(database, database)


def checked_address(url: str) -> Mapping[str, Any]:
    """Return the parts of ``STORE`` by libpq's names. Raise ``ValueError``, which quotes nothing."""
    try:
        given = conninfo_to_dict(url)
    except psycopg.ProgrammingError:  # which may quote a password
        raise ValueError(f"STORE: {_FORM}") from None
    if any("@" in str(given.get(part, ""))[1:] for part in ("host", "dbname")):
        # A part of the password was read as one of these, which error messages quote.
        raise ValueError(f"STORE: {_FORM}, with %40 for an @ and %2F for a / in the password")
    return given


def shown_address(url: str) -> str:
    """Return the database's address without credentials.

    >>> shown_address("postgresql://brskills:se?cret@db:5432/brskills?sslmode=require")
    'postgresql://db:5432/brskills'
    """
    given = conninfo_to_dict(url)
    place = ":".join(str(given[part]) for part in ("host", "port") if part in given)
    return f"postgresql://{place}/{given.get('dbname', '')}"

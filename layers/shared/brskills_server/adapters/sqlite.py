"""Both stores in a file (``STORE=sqlite:///PATH``), for any number of processes on one machine.

The journal is a write-ahead log: readers never wait, and a killed process leaves only whole transactions.
"""

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from weakref import finalize

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.sql.access import stores_of
from brskills_server.adapters.sql.database import Conflict, Rollback, Row, Run, Value
from brskills_server.adapters.stores import Stores, StoreSettings

_OLDEST = (3, 35)  # RETURNING
_PAUSE = 0.0005  # seconds, about as long as another process writes


class SqliteDatabase:
    """``Database`` in one connection, which the threads share in turns.

    ``path``: ``:memory:`` or a file, which is created with its folder, readable by its owner only.
    ``seconds``: the longest wait for other threads and processes. Without ``waits_for_disk`` a commit
    survives the process, but a power failure may undo all commits since the last one that waited.
    """

    skip_locked = ""  # there is one writer at a time

    def __init__(self, path: str, seconds: float, *, waits_for_disk: bool = True) -> None:
        self._path = path
        self._synchronous = "FULL" if waits_for_disk else "NORMAL"
        self._seconds = seconds
        self._turn = Lock()
        self._connection: sqlite3.Connection | None = None
        self._file = (0, 0)

    def run(self, statement: str, **values: Value) -> list[Row]:
        with self._opened() as (connection, deadline):
            return _run_when_free(connection, statement, values, deadline)

    @contextmanager
    def transaction(self, *, alone: bool = False) -> Iterator[Run]:  # noqa: ARG002, each writer is alone
        """Run several statements; no other process writes meanwhile."""
        with self._opened() as (connection, deadline):
            _run_when_free(connection, "BEGIN IMMEDIATE", {}, deadline)
            try:
                yield lambda statement, **values: connection.execute(statement, values).fetchall()
                connection.execute("COMMIT")
            except Rollback:
                connection.execute("ROLLBACK")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def snapshot(self) -> Iterator[Run]:
        """Run several statements that see the same moment; other processes do not wait."""
        with self._opened() as (connection, _):
            connection.execute("BEGIN")
            try:
                yield lambda statement, **values: connection.execute(statement, values).fetchall()
            finally:
                connection.execute("ROLLBACK")

    @contextmanager
    def _opened(self) -> Iterator[tuple[sqlite3.Connection, float]]:
        """Yield the connection, and until when (``time.monotonic``) it may wait for other processes."""
        deadline = time.monotonic() + self._seconds
        if not self._turn.acquire(timeout=self._seconds):
            raise StoreUnavailable("the other threads have not finished")
        try:
            if self._connection is None:
                self._connection = self._connect(deadline)
                finalize(self, self._connection.close)
                self._file = self._file_at_path()
            # A file that was moved or deleted would take all writes, and nothing would be left of them.
            if self._file_at_path() != self._file:
                raise sqlite3.OperationalError("the open file is not there: put it back, or restart")
            yield self._connection, deadline
        except sqlite3.IntegrityError as error:
            raise Conflict from error
        except (sqlite3.Error, OSError) as error:
            raise StoreUnavailable(f"{self._path}: {error}") from error
        finally:
            self._turn.release()

    def _file_at_path(self) -> tuple[int, int]:
        """Return the device and inode of the path. Raise ``OSError``."""
        found = None if self._path == ":memory:" else Path(self._path).stat()
        return (found.st_dev, found.st_ino) if found else (0, 0)

    def _connect(self, deadline: float) -> sqlite3.Connection:
        if self._path != ":memory:":
            _make_private(Path(self._path))
        connection = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            for setting in ("foreign_keys = ON", "journal_mode = WAL", f"synchronous = {self._synchronous}"):
                _run_when_free(connection, f"PRAGMA {setting}", {}, deadline)
        except sqlite3.Error:
            connection.close()
            raise
        return connection


def _run_when_free(
    connection: sqlite3.Connection, statement: str, values: Mapping[str, Value], deadline: float
) -> list[Row]:
    # SQLite would wait longer each time, up to a tenth of a second, and miss its turn again.
    while True:
        try:
            return connection.execute(statement, values).fetchall()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE)


def _make_private(file: Path) -> None:
    file = Path(os.path.realpath(file))  # SQLite creates a dangling link's target readable by all
    file.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        file.touch(0o600, exist_ok=False)


def open_stores(settings: StoreSettings) -> Stores:
    """Return the stores in the file of ``STORE``. Raise ``ValueError`` if it is malformed."""
    if sqlite3.sqlite_version_info < _OLDEST:
        raise ValueError(f"STORE: SQLite 3.35 or later is needed, not {sqlite3.sqlite_version}")
    scheme, _, path = settings.store.partition(":///")
    if scheme != "sqlite" or not path:
        raise ValueError("STORE: a file is sqlite:///PATH, with four slashes before an absolute path")
    if path == ":memory:":  # each worker would have its own
        raise ValueError("STORE: a store in memory, the same for all workers, is STORE=memory")
    kept = SqliteDatabase(path, settings.store_seconds)
    return stores_of(kept, SqliteDatabase(path, settings.store_seconds, waits_for_disk=False))

"""SQLite files that never change after they have their name, read by many threads."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from weakref import finalize

_MAX_IDLE = 4
"""Connections of a file, of which there may be one a month; each keeps a descriptor and some megabytes."""


def identity_of(file: Path) -> tuple[int, ...]:
    """Return what differs for another file of the same name. Raise ``OSError``."""
    found = file.stat()
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size


def connect(file: Path) -> sqlite3.Connection:
    """Return a connection that reads a month's file, for one thread at a time. Raise ``sqlite3.Error``.

    It creates no lock and no other file: the folder may be read-only.
    """
    address = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(address, uri=True, check_same_thread=False)


class Connections:
    """Connections that read a file, each for one thread at a time; closed with the last reference."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._idle: deque[sqlite3.Connection] = deque()
        finalize(self, _close, self._idle)

    @contextmanager
    def taken(self) -> Iterator[sqlite3.Connection]:
        """Take an idle connection, or a new one. Raise ``sqlite3.Error``."""
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = connect(self._file)
            connection.text_factory = bytes.decode  # sqlite3's own hides damaged texts
        try:
            yield connection
        finally:
            if len(self._idle) < _MAX_IDLE:
                self._idle.append(connection)
            else:
                connection.close()


class ReadOnlyFile:
    """A file with a table ``edition`` of facts by name.

    Raise ``OSError``, ``sqlite3.Error``, and ``ValueError`` for values that are not texts.
    """

    def __init__(self, file: Path) -> None:
        self._file = file.absolute()
        self.identity = identity_of(file)
        self._connections = Connections(self._file)

    def is_there(self) -> bool:
        """Return whether the file still has its name; otherwise no further connection can be opened."""
        with suppress(OSError):
            return identity_of(self._file) == self.identity
        return False

    def facts(self) -> dict[str, str]:
        """Return the facts of the edition by name."""
        return dict(self.run("SELECT name, value FROM edition"))

    def bodies(self, table: str, keys: Collection[str]) -> dict[str, str]:
        """Return by key the bodies that a table has."""
        places = ", ".join("?" * len(keys))
        return dict(self.run(f"SELECT key, body FROM {table} WHERE key IN ({places})", *keys))  # noqa: S608, our own table, question marks

    def run(self, statement: str, *values: str) -> list[tuple[str, str]]:
        """Return the rows of a statement; both their values are texts."""
        with self._connections.taken() as connection:
            rows = connection.execute(statement, values).fetchall()
        if not all(isinstance(value, str) for row in rows for value in row):
            raise ValueError("a value that is not text")  # one wrong bit turns text into a number or bytes
        return rows


def _close(connections: deque[sqlite3.Connection]) -> None:
    while connections:
        connections.pop().close()

"""The snapshot in a folder (``REGISTRY_COPY``): a sub-folder a month, and a file with the current name.

    data/receita/current                names the current sub-folder, and on a second line the one before it;
                                        replaced in one step
    data/receita/2026-09-12/companies.db

A sub-folder is written before it is named and never changed after.
"""

from __future__ import annotations

import json
import sqlite3
from collections import deque
from contextlib import suppress
from datetime import date
from pathlib import Path
from weakref import finalize

from brskills_server.adapters.snapshots.stored import READABLE_FORMATS, MonthGone
from brskills_server.registry.snapshot.rows import Edition
from brskills_server.registry.store import StoreFault

CURRENT, FILE = "current", "companies.db"
SCHEMA = """
CREATE TABLE rows (key TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE edition (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
"""``rows``: a company's row under its 8 characters, an establishment's under its 14, so that most companies
are on one page. ``edition``: ``format``, ``day`` (ISO), ``texts`` (JSON, table → code → text) and ``id``."""

_READ = "SELECT key, body FROM rows WHERE key IN (?, ?)"


def kept_names(folder: Path) -> list[str]:
    """Return the name of the current month, and of the one before it if there is one. Raise ``OSError``.

    Damage, as after a loss of power, reads as the name of a missing month.
    """
    with suppress(FileNotFoundError, NotADirectoryError):
        return (folder / CURRENT).read_text(encoding="ascii", errors="replace").split()
    return []


def current_name(folder: Path) -> str | None:
    """Return the name of the current month, if there is one. Raise ``OSError``."""
    return next(iter(kept_names(folder)), None)


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


class MonthFile:
    """One month's file, for any number of threads; it is closed with its last reference.

    Raise ``OSError``, ``sqlite3.Error``, ``ValueError`` for values that are not texts, and for a file of
    another format ``ValueError`` or ``KeyError``.
    """

    def __init__(self, file: Path) -> None:
        self._file = file.absolute()
        self.identity = identity_of(file)
        self._idle: deque[sqlite3.Connection] = deque()
        finalize(self, _close, self._idle)
        values = dict(self._run("SELECT name, value FROM edition"))
        if values.get("format") not in READABLE_FORMATS:
            raise ValueError("a file of another format")
        self.edition = Edition(
            date.fromisoformat(values["day"]), json.loads(values["texts"]), values.get("id", "")
        )

    def is_there(self) -> bool:
        """Return whether the file still has its name; otherwise no further connection can be opened."""
        with suppress(OSError):
            return identity_of(self._file) == self.identity
        return False

    def rows(self, keys: tuple[str, str]) -> dict[str, str]:
        """Return the bodies of those of the keys that exist."""
        return dict(self._run(_READ, *keys))

    def find(self, cnpj: str) -> tuple[str, str] | None:
        """Return the bodies of an establishment's row and of its company's, empty where that is missing."""
        bodies = self.rows((cnpj[:8], cnpj))
        return (bodies[cnpj], bodies.get(cnpj[:8], "")) if cnpj in bodies else None

    def _run(self, statement: str, *values: str) -> list[tuple[str, str]]:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = connect(self._file)
            connection.text_factory = bytes.decode  # sqlite3's own hides damaged texts
        try:
            rows = connection.execute(statement, values).fetchall()
        finally:
            self._idle.append(connection)
        if not all(isinstance(value, str) for row in rows for value in row):
            raise ValueError("a value that is not text")  # one wrong bit turns text into a number or bytes
        return rows


def _close(connections: deque[sqlite3.Connection]) -> None:
    while connections:
        connections.pop().close()


class FolderMonths:
    """``Months`` in a folder (``folder``) that need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def in_place(self, known: MonthFile | None) -> MonthFile | None:
        """Return the current month; one of the same name may be another file."""
        try:
            name = current_name(self._folder)
            if name is None:
                return None
            file = self._folder / name / FILE
            return known if known and known.identity == identity_of(file) else MonthFile(file)
        except (OSError, sqlite3.Error, ValueError, KeyError) as error:
            raise StoreFault(str(error)) from error

    def rows(self, month: MonthFile, keys: tuple[str, str]) -> dict[str, str]:
        """Return bodies by one statement. Raise ``ValueError`` where the file is damaged."""
        try:
            return month.rows(keys)
        except sqlite3.OperationalError as failure:
            raise (StoreFault if month.is_there() else MonthGone)(str(failure)) from failure
        except sqlite3.DatabaseError as damage:  # found at once, and other pages of the file may be whole
            raise ValueError(str(damage)) from damage

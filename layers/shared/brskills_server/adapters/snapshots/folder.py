"""The snapshot in a folder (``REGISTRY_COPY``): a sub-folder a month, and a file with the current name.

    data/receita/current                names the current sub-folder, and on a second line the one before it;
                                        replaced in one step
    data/receita/2026-09-12/companies.db

A sub-folder is written before it is named and never changed after.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection
from contextlib import suppress
from datetime import date
from pathlib import Path

from brskills_server.adapters.snapshots.read_only_file import ReadOnlyFile, identity_of
from brskills_server.adapters.snapshots.stored import FORMAT, MonthGone, other_format
from brskills_server.registry.snapshot.rows import Edition
from brskills_server.registry.store import StoreFault

CURRENT, FILE = "current", "companies.db"
SCHEMA = """
CREATE TABLE rows (key TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE edition (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE changes (key TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
"""
"""``rows``: a company's row under its 8 characters, an establishment's under its 14, so that most companies
are on one page. ``edition``: ``format``, ``day`` (ISO), ``texts`` (JSON, table → code → text) and ``id``; of
the month that it was compared with, if any, ``since`` (id) and ``since_day``. ``changes``: since that month,
see ``registry.snapshot.changes``."""


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


class MonthFile(ReadOnlyFile):
    """One month's file, for any number of threads; it is closed with its last reference.

    Raise ``OSError``, ``sqlite3.Error``, ``ValueError`` for values that are not texts, and for a file of
    another format ``ValueError`` or ``KeyError``.
    """

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        values = self.facts()
        if values["format"] != FORMAT:
            raise ValueError(other_format(values["format"]))
        self.edition = Edition(date.fromisoformat(values["day"]), json.loads(values["texts"]), values["id"])

    def rows(self, keys: Collection[str]) -> dict[str, str]:
        """Return the bodies of those of the keys that exist."""
        return self.bodies("rows", keys)

    def find(self, cnpj: str) -> tuple[str, str] | None:
        """Return the bodies of an establishment's row and of its company's, empty where that is missing."""
        bodies = self.rows((cnpj[:8], cnpj))
        return (bodies[cnpj], bodies.get(cnpj[:8], "")) if cnpj in bodies else None


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

    def rows(self, month: MonthFile, keys: Collection[str]) -> dict[str, str]:
        """Return bodies by one statement. Raise ``ValueError`` where the file is damaged."""
        try:
            return month.rows(keys)
        except sqlite3.OperationalError as failure:
            raise (StoreFault if month.is_there() else MonthGone)(str(failure)) from failure
        except sqlite3.DatabaseError as damage:  # found at once, and other pages of the file may be whole
            raise ValueError(str(damage)) from damage

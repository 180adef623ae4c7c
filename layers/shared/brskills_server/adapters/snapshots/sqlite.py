"""The snapshot in a folder of this machine, as SQLite files: on-premise and under ``make run``."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from brskills_server.adapters.snapshots.folder import FILE, MonthFile, current_name, identity_of
from brskills_server.adapters.snapshots.stored import MonthGone
from brskills_server.registry.store import StoreFault


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

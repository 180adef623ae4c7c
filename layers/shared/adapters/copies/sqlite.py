"""The copy in a folder of this machine, as SQLite files: on-premise and under ``make run``."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from math import inf
from pathlib import Path
from threading import Lock

from adapters.copies.folder import FILE, MonthFile, current_name
from registry.copied import CopiedCompany, Edition
from registry.store import StoreFault

__all__ = ["FolderCopy"]

_LOOK_SECONDS = 5.0
"""How often the folder is looked at for a new month."""


class FolderCopy:
    """``registry.own_copy.OwnCopy`` over a folder (``adapters.copies.folder``), which need not exist yet."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder
        self._clock = clock
        self._turn = Lock()
        self._looked_at = -inf
        self._identity: tuple[int, ...] = ()
        self._month: MonthFile | None = None
        self._fault: Exception | None = None

    def edition(self) -> Edition | None:
        """The month that is in place."""
        month = self._current()
        return month.edition if month else None

    def find(self, cnpj: str) -> CopiedCompany | None:
        """One statement."""
        month = self._current()
        if month is None:
            return None
        try:
            found = month.find(cnpj)
        except sqlite3.OperationalError as failure:
            raise StoreFault(str(failure)) from failure
        except sqlite3.DatabaseError as damage:  # found at once, and other pages of the file may be whole
            raise ValueError(str(damage)) from damage
        return CopiedCompany(cnpj, *found, month.edition) if found else None

    def _current(self) -> MonthFile | None:
        if self._clock() - self._looked_at >= _LOOK_SECONDS:
            with self._turn:
                if self._clock() - self._looked_at >= _LOOK_SECONDS:
                    self._look()
                    self._looked_at = self._clock()
        if self._fault and self._month is None:
            raise StoreFault(str(self._fault)) from self._fault
        return self._month

    def _look(self) -> None:
        """Open the copy that is in place. Where that fails the one before, if any, goes on answering."""
        self._fault = None
        try:
            name = current_name(self._folder)
            file = self._folder / name / FILE if name else None
            identity = _identity(file) if file else ()
            if identity != self._identity:
                self._month = MonthFile(file) if file else None
                self._identity = identity
        except (OSError, sqlite3.Error, ValueError, KeyError) as fault:
            self._fault = fault


def _identity(file: Path) -> tuple[int, ...]:
    """What is another for another file, of the same name too: whole folders may be put in others' place."""
    found = file.stat()
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size

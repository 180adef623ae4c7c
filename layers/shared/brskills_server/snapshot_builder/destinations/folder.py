"""Months in a folder of this machine; ``brskills_server.adapters.snapshots.folder`` says how they lie there.

Two are kept: the one in place and the one that was in place before it. Anything else with a month's name is
what a build has left that was ended, and goes with the next one.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Collection
from contextlib import suppress
from datetime import date
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from brskills_server.adapters.snapshots.folder import CURRENT, FILE, MonthFile, kept_names

__all__ = ["FolderSnapshot", "SnapshotFolder"]


_NAME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(-[0-9]+)?")
"""Of a month's folder, as ``add`` gives it. Beside it may lie what is not ours, such as published files."""


class FolderSnapshot(NamedTuple):
    """A month that is kept; ``current``: it is the one in place. ``size`` in bytes."""

    name: str
    day: date
    size: int
    current: bool


class SnapshotFolder:
    """The folder that ``REGISTRY_COPY`` names, made where it is missing. Raises ``OSError``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def snapshots(self) -> list[FolderSnapshot]:
        """The one in place, and the one before it if there is one; those that can be read."""
        found = []
        for n, name in enumerate(kept_names(self.folder)):
            file = self.folder / name / FILE
            with suppress(OSError, sqlite3.Error, ValueError, KeyError):
                day = MonthFile(file).edition.day
                found.append(FolderSnapshot(name, day, file.stat().st_size, current=n == 0))
        return found

    def folder_of(self, name: str) -> Path:
        """Where a month lies."""
        return self.folder / name

    def add(self, made: Path, day: date, taken: Collection[str] = ()) -> str:
        """Take over a folder with a finished month; returns its name. It is not in place yet."""
        names = chain([str(day)], (f"{day}-{n}" for n in count(2)))
        name = next(name for name in names if name not in taken and not (self.folder / name).exists())
        made.rename(self.folder / name)
        _sync(self.folder)
        return name

    def switch(self, name: str) -> None:
        """Put a month in place, in one step. The one that was there is kept as the one before."""
        former = [other.name for other in self.snapshots() if other.name != name][:1]
        pointer = self.folder / f"{CURRENT}.{os.getpid()}"
        with pointer.open("w", encoding="ascii") as file:
            file.writelines(f"{kept}\n" for kept in (name, *former))
            file.flush()
            os.fsync(file.fileno())
        pointer.replace(self.folder / CURRENT)
        _sync(self.folder)

    def tidy(self) -> None:
        """Delete months that are not kept, and nothing else. Who reads one now may go on."""
        for pointer in self.folder.glob(f"{CURRENT}.*"):
            pointer.unlink()
        if not self.snapshots():
            return  # what names them is lost, and a service may still read one
        kept = kept_names(self.folder)
        for left in self.folder.iterdir():
            if _NAME.fullmatch(left.name) and left.name not in kept and left.is_dir():
                shutil.rmtree(left)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

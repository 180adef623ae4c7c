"""Snapshots in a local folder, as ``brskills_server.adapters.snapshots.folder`` reads them.

Two are kept: the one in place and the one that was in place before. Any other with a month's name is left
from an interrupted build; the next one puts it in place if it is of the same files, or deletes it.
"""

import os
import re
import shutil
import sqlite3
from collections.abc import Collection
from contextlib import suppress
from datetime import date
from itertools import chain, count
from pathlib import Path

from brskills_server.adapters.snapshots.folder import CURRENT, FILE, MonthFile, kept_names
from brskills_server.snapshot_builder.destinations.destination import KeptSnapshot
from brskills_server.snapshot_builder.destinations.history_files import add_step, delete_steps
from brskills_server.snapshot_builder.destinations.synced import sync_folder

_NAME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(-[0-9]+)?")
"""A snapshot's folder. The folder may contain others than the builder's, such as the published files."""


class SnapshotFolder:
    """The folder that ``REGISTRY_COPY`` names, created if missing. Every method may raise `OSError`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)

    def snapshots(self) -> list[KeptSnapshot]:
        """Return the readable ones of the snapshot in place and the one before."""
        found = []
        for n, name in enumerate(kept_names(self.path)):
            file = self.path / name / FILE
            with suppress(OSError, sqlite3.Error, ValueError, KeyError):
                day = MonthFile(file).edition.day
                found.append(KeptSnapshot(name, day, n == 0, file.stat().st_size))
        return found

    def finished(self) -> list[str]:
        """Return the readable ones of the snapshots that were added and never put in place, newest first."""
        found = []
        for left in sorted(self._leftovers(), reverse=True):
            with suppress(OSError, sqlite3.Error, ValueError, KeyError):
                MonthFile(left / FILE)
                found.append(left.name)
        return found

    def add(self, made: Path, day: date, taken: Collection[str] = ()) -> str:
        """Move a folder with a complete snapshot here. Return its name; it is not in place yet."""
        names = chain([str(day)], (f"{day}-{n}" for n in count(2)))
        name = next(name for name in names if name not in taken and not (self.path / name).exists())
        made.rename(self.path / name)
        sync_folder(self.path)
        return name

    def switch(self, name: str) -> None:
        """Put a snapshot in place, in one step, and keep the one that was in place as the one before.

        A month that is built again takes the place of itself, so that the one before is another month. The
        changes are in the history before.
        """
        day = MonthFile(self.path / name / FILE).edition.day
        add_step(self.path, self.path / name / FILE)
        others = [other for other in self.snapshots() if other.name != name]
        previous = [other.name for other in sorted(others, key=lambda other: other.day == day)][:1]
        pointer = self.path / f"{CURRENT}.{os.getpid()}"
        with pointer.open("w", encoding="ascii") as file:
            file.writelines(f"{kept}\n" for kept in (name, *previous))
            file.flush()
            os.fsync(file.fileno())
        pointer.replace(self.path / CURRENT)
        sync_folder(self.path)

    def delete_leftovers(self) -> None:
        """Delete snapshots that are not kept, and the history before the oldest month of it that is.

        Processes that have one open can read it to the end.
        """
        for pointer in self.path.glob(f"{CURRENT}.*"):
            pointer.unlink()
        snapshots = self.snapshots()
        if not snapshots:
            return  # the pointer is lost, and a service may still read one
        for left in self._leftovers():
            shutil.rmtree(left)
        delete_steps(self.path, snapshots[0].day)

    def _leftovers(self) -> list[Path]:
        kept = kept_names(self.path)
        return [
            left
            for left in self.path.iterdir()
            if _NAME.fullmatch(left.name) and left.name not in kept and left.is_dir()
        ]

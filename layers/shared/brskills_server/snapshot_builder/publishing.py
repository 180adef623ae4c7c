"""Months in the store that ``STORE`` names (``REGISTRY_COPY=store``), where services read them.

The folder is where they are built and compared; a finished one is brought from there into the store.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder.destinations.bucket import Bucket
from brskills_server.snapshot_builder.destinations.destination import Destination
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.errors import SnapshotError

__all__ = ["StorePublisher"]


@dataclass(frozen=True, slots=True)
class StorePublisher:
    """``bucket``: where months' files stay between builds on machines that lose their disks, if anywhere.

    Every method may raise ``SnapshotError``.
    """

    place: Destination
    bucket: Bucket | None = None

    def bring_former(self, folder: SnapshotFolder, say: Callable[[str], None] = print) -> None:
        """Have what is in place in the store in the folder too, to compare with, if it can be had."""
        current = self._current()
        here = any(month.name == current and month.current for month in folder.snapshots())
        if current is None or here:
            return
        if self.bucket and self.bucket.bring(current, folder.folder):
            folder.switch(current)
        else:
            say(f"{current}, in place in the store, is not in this folder: nothing is compared with it")

    def publish(self, folder: SnapshotFolder, say: Callable[[str], None] = print) -> None:
        """Put what is in place in the folder in place in the store, too. The one before stays there."""
        newest = next(month.name for month in folder.snapshots() if month.current)
        former = self._current()
        if former == newest:
            return
        file = folder.folder_of(newest) / FILE
        self.place.add(file, newest, lambda rows: say(f"{rows:,} rows brought into the store"))
        self.place.switch(newest)
        for month in self.place.snapshots():
            if month.name not in {newest, former}:
                self.place.remove(month.name)
        if self.bucket:
            self.bucket.keep(file, newest, [former] if former else [])

    def roll_back(self) -> str:
        """Put the store's other month in place; returns its name."""
        former = next((month.name for month in self.place.snapshots() if not month.current), None)
        if former is None:
            raise SnapshotError("the store has no month beside the one in place")
        self.place.switch(former)
        return former

    def _current(self) -> str | None:
        return next((month.name for month in self.place.snapshots() if month.current), None)

"""Publishing snapshots from the folder where they are built to the store where services read them."""

from dataclasses import dataclass

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder.destinations.bucket import Bucket
from brskills_server.snapshot_builder.destinations.destination import Destination
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.errors import SnapshotError


@dataclass(frozen=True, slots=True)
class StorePublisher:
    """The store that ``STORE`` names (``REGISTRY_COPY=store``). Every method may raise `SnapshotError`.

    ``bucket``: keeps the files of snapshots between builds on machines without a lasting disk.
    """

    destination: Destination
    bucket: Bucket | None = None

    def fetch_current(self, folder: SnapshotFolder) -> None:
        """Bring the snapshot in place in the store into the folder, to compare with, if the bucket has it."""
        current = self._current()
        is_here = any(snapshot.name == current and snapshot.current for snapshot in folder.snapshots())
        if current is None or is_here:
            return
        if self.bucket and self.bucket.download(current, folder.path):
            folder.switch(current)
        else:
            print(f"{current}, in place in the store, is not in this folder: nothing is compared with it")

    def publish(self, folder: SnapshotFolder) -> None:
        """Put the folder's snapshot in place in the store too, and keep only the one before beside it."""
        newest = next(snapshot.name for snapshot in folder.snapshots() if snapshot.current)
        previous = self._current()
        if previous == newest:
            return
        file = folder.path / newest / FILE
        self.destination.add(file, newest, lambda rows: print(f"{rows:,} rows written to the store"))
        self.destination.switch(newest)
        for snapshot in self.destination.snapshots():
            if snapshot.name not in {newest, previous}:
                self.destination.remove(snapshot.name)
        if self.bucket:
            self.bucket.upload(file, newest, [previous] if previous else [])

    def roll_back(self) -> str:
        """Put the store's other snapshot in place. Return its name."""
        previous = next((kept.name for kept in self.destination.snapshots() if not kept.current), None)
        if previous is None:
            raise SnapshotError("the store has no snapshot beside the one in place")
        self.destination.switch(previous)
        return previous

    def _current(self) -> str | None:
        return next((kept.name for kept in self.destination.snapshots() if kept.current), None)

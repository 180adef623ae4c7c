"""What each command does, and what it says of it to people.

``published``: the store that months are brought into, where there is one. What they raise is a reason for
people: ``SnapshotError``, ``SnapshotError``, ``SnapshotError``, ``OSError``.
"""

from __future__ import annotations

import shutil

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder.build import build_snapshot
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.publishing import StorePublisher
from brskills_server.snapshot_builder.report import source_of
from brskills_server.snapshot_builder.source_files import open_month
from brskills_server.snapshot_builder.sources import Fetched, Progress, fetch

__all__ = ["build", "list_months", "roll_back"]


def build(
    source: str, folder: SnapshotFolder, published: StorePublisher | None, anew: bool, user_agent: str
) -> None:
    """A month from ``source`` put in place in the folder, which is locked, and in the store.

    ``anew``: also where a copy was made of these very files. ``user_agent``: how a share is asked.
    """
    taken: list[str] = []
    if published:
        published.bring_former(folder)
        taken = [month.name for month in published.place.snapshots()]
    if "://" in source:
        print("asking the share for its months", flush=True)
    fetched = fetch(
        source,
        folder.folder / "download",
        _Download(),
        user_agent=user_agent,
        known=[]
        if anew
        else [source_of(folder.folder_of(month.name) / FILE) for month in folder.snapshots()],
    )
    if fetched:
        _make(fetched, folder, taken, anew)
    else:
        print("the newest month of the share is kept already: nothing is brought in")
    if published:
        published.publish(folder)
    for kept in folder.snapshots()[:1]:
        print(f"the copy of {kept.day} is in place")


def list_months(folder: SnapshotFolder, published: StorePublisher | None) -> None:
    """A line for each month that is kept, in the store where there is one, otherwise in the folder."""
    if published:
        for month in sorted(published.place.snapshots(), key=lambda month: not month.current):
            print(f"{month.name:14}  {'in place' if month.current else 'kept'}, in the store")
        return
    for kept in folder.snapshots():
        print(f"{kept.name:14}  {'in place' if kept.current else 'kept'}  {kept.size / 1e9:.2f} GB")


def roll_back(folder: SnapshotFolder, published: StorePublisher | None) -> None:
    """The month before put in place again, in the store and in the folder."""
    here = next((month.name for month in folder.snapshots() if not month.current), None)
    if published:
        name = published.roll_back()
        if here == name:
            folder.switch(name)
    elif here is None:
        raise SnapshotError("there is no month beside the one in place")
    else:
        name = here
        folder.switch(name)
    print(f"the copy {name} is in place again")


def _make(fetched: Fetched, folder: SnapshotFolder, taken: list[str], anew: bool) -> None:
    for note in fetched.notes:
        print(note)
    month = open_month(fetched.folder)
    source = fetched.files if fetched.downloaded else {}
    name = build_snapshot(month, folder, taken=taken, source=source, anew=anew)
    if name:
        folder.switch(name)
    else:
        print(f"the copy of {month.day} was made of these very files (--anew makes another)")
    folder.tidy()
    if fetched.downloaded:
        shutil.rmtree(fetched.folder)


class _Download:
    """A line for each tenth of a download."""

    def __init__(self) -> None:
        self._told = 0

    def __call__(self, progress: Progress) -> None:
        tenth = progress.all_done * 10 // max(progress.all_sizes, 1)
        if tenth > self._told:
            self._told = tenth
            print(f"download {tenth * 10:3} %  of {progress.all_sizes / 1e9:.2f} GB", flush=True)

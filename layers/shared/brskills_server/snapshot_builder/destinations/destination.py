"""The port of stores that services read snapshots from; each implements these four methods."""

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import NamedTuple, Protocol

Report = Callable[[int], None]
"""Called at intervals with the number of rows written."""

_NAME = re.compile(r"[0-9a-z]+(-[0-9a-z]+)*")


class KeptSnapshot(NamedTuple):
    """A complete snapshot in a store. ``current``: it is in place."""

    name: str
    day: date
    current: bool


class Destination(Protocol):
    """A store of snapshots, changed by one process at a time.

    Every method may raise `SnapshotError`; the snapshot in place then stays.
    """

    def snapshots(self) -> list[KeptSnapshot]:
        """Return the snapshots, newest first."""

    def add(self, file: Path, name: str, report: Report) -> None:
        """Write every row of a snapshot's file, not yet in place; compare the count and a sample of rows.

        It can be repeated after a crash; a snapshot of this name is replaced.
        """

    def switch(self, name: str) -> None:
        """Put a snapshot in place in one step; the one before stays."""

    def remove(self, name: str) -> None:
        """Delete a snapshot that is not in place, if it exists."""


def checked_name(name: str) -> str:
    """Return a name that is safe in a table's. Raise `ValueError` for any other."""
    if not _NAME.fullmatch(name) or len(name) > 40:
        raise ValueError(f"not a month's name: {name!r}")
    return name

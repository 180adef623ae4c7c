"""The port of stores that services read snapshots from, and the rows that a snapshot's file has for them."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import NamedTuple, Protocol

from brskills_server.adapters.snapshots.read_only_file import connect
from brskills_server.registry.snapshot.history import Step
from brskills_server.snapshot_builder.errors import SnapshotError

Report = Callable[[int], None]
"""Called at intervals with the number of rows written."""

_NAME = re.compile(r"[0-9a-z]+(-[0-9a-z]+)*")
_SAMPLE_EVERY = 100_003  # rows
_REPORT_EVERY = 100_000  # rows


class KeptSnapshot(NamedTuple):
    """A complete snapshot. ``current``: it is in place; ``size``: bytes of its file, if in a folder."""

    name: str
    day: date
    current: bool
    size: int = 0


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


class SnapshotRows:
    """Rows as (key, body), sorted by key; iterate once. Raises `SnapshotError`.

    ``facts``: ``format``, ``day`` and ``texts`` of the file. ``step``: what its changes are, but of a first
    month. After the iteration ``count`` is the number of rows, and ``sample`` contains some of them, with the
    first and the last, to be compared.
    """

    def __init__(self, file: Path, report: Report) -> None:
        self._file = file
        self._report = report
        self.count = 0
        self.sample: dict[str, str] = {}
        try:
            with closing(connect(file)) as connection:
                self.facts = dict(connection.execute("SELECT name, value FROM edition"))
        except sqlite3.Error as error:
            raise SnapshotError(f"{file.name}: {error}") from error
        if missing := {"format", "day", "texts"} - self.facts.keys():
            raise SnapshotError(f"{file.name} does not contain its {', '.join(sorted(missing))}")
        self.step = Step.of(self.facts) if "since" in self.facts else None

    def changes(self) -> Iterator[tuple[str, str]]:
        """Yield the rows of the changes since the month before, sorted by key."""
        try:
            with closing(connect(self._file)) as connection:
                yield from connection.execute("SELECT key, body FROM changes ORDER BY key")
        except sqlite3.Error as error:
            raise SnapshotError(f"the snapshot's file: {error}") from error

    def __iter__(self) -> Iterator[tuple[str, str]]:
        row = None
        try:
            with closing(connect(self._file)) as connection:
                for row in connection.execute("SELECT key, body FROM rows ORDER BY key"):
                    if self.count % _SAMPLE_EVERY == 0:
                        self.sample[row[0]] = row[1]
                    self.count += 1
                    if self.count % _REPORT_EVERY == 0:
                        self._report(self.count)
                    yield row
        except sqlite3.Error as error:
            raise SnapshotError(f"the snapshot's file: {error}") from error
        if row:
            self.sample[row[0]] = row[1]
        self._report(self.count)

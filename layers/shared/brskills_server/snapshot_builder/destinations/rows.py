"""A month's file read once from end to end, on its way into a store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from brskills_server.adapters.snapshots.folder import connect
from brskills_server.snapshot_builder.destinations.destination import Report
from brskills_server.snapshot_builder.errors import SnapshotError

__all__ = ["SnapshotRows"]

_SAMPLE = 100_003  # every so manyth row is kept, to be read back
_TOLD = 100_000  # rows between two reports


class SnapshotRows:
    """Its rows as (key, body), in the order of their keys; iterate over them once.

    ``facts``: the file's own (``format``, ``day``, ``texts``). Afterwards ``count`` is how many rows there
    were, and ``sample`` some of them, the first and the last included. Raises ``SnapshotError``.
    """

    def __init__(self, file: Path, report: Report) -> None:
        self._file = file
        self._report = report
        self.count = 0
        self.sample: dict[str, str] = {}
        try:
            with closing(connect(file)) as connection:
                self.facts = dict(connection.execute("SELECT name, value FROM edition"))
        except sqlite3.Error as fault:
            raise SnapshotError(f"{file.name}: {fault}") from fault
        if missing := {"format", "day", "texts"} - self.facts.keys():
            raise SnapshotError(f"{file.name} does not tell its {', '.join(sorted(missing))}")

    def __iter__(self) -> Iterator[tuple[str, str]]:
        row = None
        try:
            with closing(connect(self._file)) as connection:
                for row in connection.execute("SELECT key, body FROM rows ORDER BY key"):
                    if self.count % _SAMPLE == 0:
                        self.sample[row[0]] = row[1]
                    self.count += 1
                    if self.count % _TOLD == 0:
                        self._report(self.count)
                    yield row
        except sqlite3.Error as fault:
            raise SnapshotError(f"the month's file: {fault}") from fault
        if row:
            self.sample[row[0]] = row[1]
        self._report(self.count)

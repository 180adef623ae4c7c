"""The rows of a snapshot's file, read once from end to end to be written to a store."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from brskills_server.adapters.snapshots.folder import connect
from brskills_server.snapshot_builder.destinations.destination import Report
from brskills_server.snapshot_builder.errors import SnapshotError

_SAMPLE_EVERY = 100_003  # rows
_REPORT_EVERY = 100_000  # rows


class SnapshotRows:
    """Rows as (key, body), sorted by key; iterate once. Raises `SnapshotError`.

    ``facts``: ``format``, ``day`` and ``texts`` of the file. After the iteration ``count`` is the number of
    rows, and ``sample`` contains some of them, with the first and the last, to be compared.
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

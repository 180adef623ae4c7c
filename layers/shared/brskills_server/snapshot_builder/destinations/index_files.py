"""Writing search indexes where a function mounts them (``brskills_server.adapters.search.index_folder``)."""

import os
import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

from brskills_server.adapters.search.index_folder import index_in
from brskills_server.adapters.search.search_file import SEARCH_FILE
from brskills_server.snapshot_builder.destinations.synced import sync_folder
from brskills_server.snapshot_builder.errors import SnapshotError

_PAGE_BYTES = 64 * 1024
"""A cold search takes a tenth of the reads that it takes with pages of 4 KB, and each waits for a network."""


class IndexFiles:
    """Indexes in a mounted folder (``folder``), one for each edition."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, month: Path, edition_id: str, others: Collection[str]) -> bool:
        """Write the index that a month's folder has, and delete those of all editions but it and ``others``.

        Return `False` where the folder has none. Raise `SnapshotError`.
        """
        source = month / SEARCH_FILE
        if not (edition_id and source.exists()):
            return False
        try:
            _write(source, index_in(self._folder, edition_id))
            kept = {index_in(self._folder, one) for one in (edition_id, *others)}
            for file in self._folder.glob("*.db"):
                if file not in kept:
                    file.unlink()
        except (OSError, sqlite3.Error) as error:
            raise SnapshotError(f"the index for searches: {error}") from error
        return True


def _write(source: Path, target: Path) -> None:
    """Copy an index with larger pages; the target has its name when it is complete."""
    growing = target.with_name("growing")
    growing.unlink(missing_ok=True)
    with closing(sqlite3.connect(source)) as connection:
        connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        connection.execute("VACUUM INTO ?", [str(growing)])
    with growing.open("rb") as written:
        os.fsync(written.fileno())
    growing.rename(target)
    sync_folder(target.parent)

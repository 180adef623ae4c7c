"""Writing and deleting the files of the history in a folder (``adapters.snapshots.folder_history``)."""

import os
import sqlite3
from contextlib import closing, suppress
from datetime import date
from pathlib import Path

from brskills_server.adapters.snapshots.folder_history import HISTORY, StepFile
from brskills_server.adapters.snapshots.read_only_file import connect
from brskills_server.registry.snapshot.history import oldest_kept
from brskills_server.snapshot_builder.destinations.synced import sync_folder
from brskills_server.snapshot_builder.errors import SnapshotError

_COPY = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
CREATE TABLE edition (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE changes (key TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
BEGIN;
INSERT INTO edition SELECT name, value FROM month.edition WHERE name IN ('id', 'since', 'since_day', 'day');
INSERT INTO changes SELECT key, body FROM month.changes ORDER BY key;
COMMIT"""


def add_step(folder: Path, month: Path) -> None:
    """Copy the changes in a month's file to the history, once; a first month has none.

    Raise `SnapshotError` and `OSError`; the history is then as before.
    """
    try:
        with closing(connect(month)) as connection:
            facts = dict(connection.execute("SELECT name, value FROM edition"))
        file = folder / HISTORY / f"{facts.get('id')}.db"
        if "since" not in facts or file.exists():
            return
        file.parent.mkdir(exist_ok=True)
        copy = file.with_suffix(".part")
        copy.unlink(missing_ok=True)
        with closing(sqlite3.connect(copy, isolation_level=None, uri=True)) as connection:
            connection.execute("ATTACH ? AS month", [f"{month.absolute().as_uri()}?mode=ro&immutable=1"])
            connection.executescript(_COPY)
    except sqlite3.Error as error:
        raise SnapshotError(f"the history of {month.parent.name}: {error}") from error
    with copy.open("rb") as written:
        os.fsync(written.fileno())
    copy.replace(file)
    sync_folder(file.parent)


def delete_steps(folder: Path, day: date) -> None:
    """Delete what is too old beside the snapshot of ``day``, and what an interrupted run left."""
    for copy in (folder / HISTORY).glob("*.part"):
        copy.unlink()
    for file in (folder / HISTORY).glob("*.db"):
        with suppress(sqlite3.Error, ValueError, KeyError):  # the age of a damaged one is not known
            if StepFile(file).step.day < oldest_kept(day):
                file.unlink()

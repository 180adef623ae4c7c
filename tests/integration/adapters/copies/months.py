"""Snapshot files of tests, and a destination of plain files."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from brskills_server.adapters.snapshots.folder import FILE, SCHEMA, current_name
from brskills_server.adapters.snapshots.stored import FORMAT
from brskills_server.snapshot_builder.destinations.destination import KeptSnapshot, Report, SnapshotRows
from brskills_server.snapshot_builder.destinations.history_files import add_step, delete_steps
from brskills_server.snapshot_builder.errors import SnapshotError
from tests.register.copy_file import put_in_place

ROOT, CNPJ = "12345678", "12345678000195"
OTHER = "ZZ345678000101"

Rows = Mapping[str, str]


def write_file(
    file: Path,
    rows: Rows,
    day: str = "2026-09-12",
    texts: object = None,
    written_as: str = FORMAT,
    build: str = "0f1e2d3c4b5a6978",
    since: tuple[str, str] | None = None,
    changes: Rows | None = None,
) -> Path:
    """Write a month's file with these rows; ``since``: id and day of the month before, for its changes."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(file) as connection:
        connection.executescript(SCHEMA)
        connection.executemany("INSERT INTO rows VALUES (?, ?)", rows.items())
        facts = {"format": written_as, "day": day, "texts": json.dumps(texts or {}), "id": build}
        facts |= {"since": since[0], "since_day": since[1]} if since else {}
        connection.executemany("INSERT INTO changes VALUES (?, ?)", (changes or {}).items())
        connection.executemany("INSERT INTO edition VALUES (?, ?)", facts.items())
    connection.close()
    return file


class PlainPlace:
    """A ``Destination`` of plain files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def snapshots(self) -> list[KeptSnapshot]:
        now = current_name(self.folder)
        found = [
            (file.parent.name, SnapshotRows(file, lambda _: None).facts["day"])
            for file in self.folder.glob(f"*/{FILE}")
        ]
        kept = [KeptSnapshot(name, date.fromisoformat(day), name == now) for name, day in found]
        return sorted(kept, key=lambda month: month.day, reverse=True)

    def add(self, file: Path, name: str, report: Report) -> None:
        list(SnapshotRows(file, report))
        (self.folder / name).mkdir(parents=True, exist_ok=True)
        shutil.copy(file, self.folder / name / FILE)

    def switch(self, name: str) -> None:
        file = self.folder / name / FILE
        if not file.exists():
            raise SnapshotError
        add_step(self.folder, file)
        delete_steps(self.folder, date.fromisoformat(SnapshotRows(file, lambda _: None).facts["day"]))
        put_in_place(self.folder, name)

    def remove(self, name: str) -> None:
        if current_name(self.folder) == name:
            raise SnapshotError
        shutil.rmtree(self.folder / name, ignore_errors=True)

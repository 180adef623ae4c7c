"""No month's file stays open behind those who read or write it, also where it cannot be used."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder.destinations.destination import SnapshotRows
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.writer import SnapshotWriter
from tests.integration.adapters.copies.months import CNPJ, ROOT, write_file


def is_open(file: Path) -> bool:
    return any(link.resolve() == file for link in Path("/proc/self/fd").iterdir())


def test_a_months_rows_have_it_open_while_they_are_read_alone(tmp_path: Path) -> None:
    file = write_file(tmp_path / FILE, {ROOT: "root", CNPJ: "branch"})
    rows = SnapshotRows(file, lambda _: None)
    assert not is_open(file)
    reading = iter(rows)
    next(reading)
    assert is_open(file)
    assert len(list(reading)) == 1
    assert not is_open(file)


def read(file: Path) -> None:
    SnapshotRows(file, lambda _: None)


def write_on(file: Path) -> None:
    SnapshotWriter(file, None)


@pytest.mark.parametrize("use", [read, write_on])
def test_a_damaged_file_is_not_left_open(tmp_path: Path, use: Callable[[Path], None]) -> None:
    file = tmp_path / FILE
    file.write_bytes(b"\1" * 4096)
    with pytest.raises((SnapshotError, sqlite3.Error)) as raised:
        use(file)
    assert not is_open(file), raised.value  # which holds the frames that it came through

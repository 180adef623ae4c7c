"""Connections that read a file are shared by threads, and few of them are kept."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack
from pathlib import Path

from brskills_server.adapters.snapshots import read_only_file
from brskills_server.adapters.snapshots.read_only_file import Connections


def opened(file: Path) -> int:
    """Return how many descriptors this process has of a file."""
    return sum(each.resolve() == file for each in Path("/proc/self/fd").iterdir())


def test_of_many_readers_at_once_few_connections_are_kept(tmp_path: Path) -> None:
    file = (tmp_path / "x.db").resolve()
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE rows (key)")
    connection.close()
    connections = Connections(file)
    with ExitStack() as readers:
        for _ in range(20):
            readers.enter_context(connections.taken()).execute("SELECT * FROM rows").fetchall()
        assert opened(file) == 20
    assert opened(file) == read_only_file._MAX_IDLE
    with connections.taken():
        assert opened(file) == read_only_file._MAX_IDLE
    del connections
    assert opened(file) == 0

"""An index written by two other processes: the same one, with their exceptions, and none that stays."""

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from brskills_server.adapters.search.search_file import SEARCH_FILE
from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder import steps
from brskills_server.snapshot_builder.index_processes import IndexProcesses
from brskills_server.snapshot_builder.indexing import pack_index
from tests.integration.snapshot_builder.building import build, publish
from tests.register.company import companies
from tests.services.gateway import ROOT
from tests.services.processes import descendants

_SECONDS = 20
_CONTENT = (
    "SELECT * FROM numbers ORDER BY block",
    "SELECT * FROM vocabulary ORDER BY word",
    "SELECT * FROM facts WHERE name <> 'id' ORDER BY name",
    "SELECT term, doc FROM temp.words ORDER BY term",
)
_MALFORMED = [("11222333", "a row of one field")]
_UNREADABLE = [("11222333", "")] * 5_000  # of which no document is made


@pytest.fixture
def month(tmp_path: Path) -> Path:
    return publish(tmp_path / "in", companies(3, 400, step=997)).folder


def test_an_index_is_the_same_whoever_writes_it(
    tmp_path: Path, month: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = _content(build(tmp_path / "copy", month).parent)
    assert len(expected) > 1_000
    monkeypatch.setattr(steps, "_FEW_ROWS", 0)
    assert _content(build(tmp_path / "other", month).parent) == expected


@pytest.mark.parametrize("size", [1, 7, 1_000_000])
def test_an_index_is_the_same_however_rows_are_divided(tmp_path: Path, month: Path, size: int) -> None:
    folder = build(tmp_path / "copy", month).parent
    expected = _content(folder)
    with closing(sqlite3.connect(folder / FILE)) as connection:
        rows = connection.execute("SELECT key, body FROM rows ORDER BY key").fetchall()
    with closing(IndexProcesses(folder)) as index:
        for at in range(0, len(rows), size):
            index.add(rows[at : at + size])
        index.finish()
    pack_index(folder)
    assert _content(folder) == expected


def test_an_exception_of_who_prepares_is_raised(tmp_path: Path) -> None:
    with closing(IndexProcesses(tmp_path)) as index:
        index.add(_MALFORMED)
        with pytest.raises(ValueError, match="fields"):
            index.finish()


def test_an_exception_of_who_writes_is_raised_as_it_is(tmp_path: Path) -> None:
    with closing(IndexProcesses(tmp_path / "missing")) as index:
        with pytest.raises(sqlite3.OperationalError, match="unable to open") as raised:
            _add_without_end(index)
        assert raised.value.sqlite_errorcode == sqlite3.SQLITE_CANTOPEN


@pytest.mark.parametrize("killed", [0, 1])
def test_a_killed_process_is_a_lack_of_memory(tmp_path: Path, killed: int) -> None:
    with closing(IndexProcesses(tmp_path)) as index:
        index.add(_UNREADABLE)
        os.kill(_children()[killed], signal.SIGKILL)
        with pytest.raises(MemoryError):
            _add_without_end(index)


def test_processes_end_with_who_gives_them_rows(tmp_path: Path) -> None:
    with closing(IndexProcesses(tmp_path)) as index:
        index.add(_UNREADABLE)
        assert len(_children()) == 2
    assert not _children()


def test_processes_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from brskills_server.snapshot_builder.index_processes import IndexProcesses\n"
        "index = IndexProcesses(Path(sys.argv[1]))\n"
        "index.add([('11222333', '')])\n"
        "print('begun', flush=True)\n"
        "time.sleep(60)\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        assert parent.stdout.readline() == b"begun\n"
        started = _workers(parent.pid)
        parent.kill()
    assert len(started) == 2
    deadline = time.monotonic() + _SECONDS
    while any(Path(f"/proc/{one}").exists() for one in started):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _add_without_end(index: IndexProcesses) -> None:
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        index.add(_UNREADABLE)


def _children() -> list[int]:
    return sorted(child.pid or 0 for child in multiprocessing.active_children())


def _workers(process: int) -> list[int]:
    return [one for one in descendants(process) if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]


def _content(folder: Path) -> list[tuple[object, ...]]:
    """Return the rows of an index, and of its full-text table the documents of each word."""
    with closing(sqlite3.connect(folder / SEARCH_FILE)) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, documents, row)")
        found = [connection.execute(statement).fetchall() for statement in _CONTENT]
    return [row for rows in found for row in rows]

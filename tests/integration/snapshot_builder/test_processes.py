"""Work of several processes: in order, with its exceptions, and without processes that stay."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from brskills_server.adapters.search.search_file import SEARCH_FILE
from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder import indexed_words, indexing
from brskills_server.snapshot_builder.processes import map_in_processes
from tests.integration.snapshot_builder.building import build, publish
from tests.register.company import companies
from tests.services.gateway import ROOT
from tests.services.processes import descendants

_SECONDS = 20
_CONTENT = (
    "SELECT * FROM numbers ORDER BY block",
    "SELECT * FROM vocabulary ORDER BY word",
    "SELECT * FROM facts ORDER BY name",
    "SELECT term, doc FROM temp.words ORDER BY term",
)


def square(number: int) -> Iterator[tuple[int, int]]:
    yield os.getpid(), number * number


def count(number: int) -> Iterator[int]:
    yield from range(number)


def fail(number: int) -> Iterator[int]:
    if number == 2:
        error = sqlite3.OperationalError("no such table")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error
    yield number


def end(number: int) -> Iterator[int]:
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    yield number


def work_long(_: int) -> Iterator[bytes]:
    yield b"x" * 1_000_000  # more than a pipe takes


def test_results_are_in_the_order_of_the_tasks() -> None:
    found = list(map_in_processes(square, range(7), 3))
    assert [result for _, result in found] == [number * number for number in range(7)]
    assert len({process for process, _ in found} - {os.getpid()}) == 3


def test_a_task_has_any_number_of_results() -> None:
    assert [*map_in_processes(count, [2, 0, 3, 1], 2)] == [0, 1, 0, 1, 2, 0]


def test_an_exception_is_raised_as_it_is() -> None:
    results = map_in_processes(fail, range(4), 2)
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(sqlite3.OperationalError, match="no such table") as raised:
        next(results)
    assert raised.value.sqlite_errorcode == sqlite3.SQLITE_CORRUPT


def test_a_killed_process_is_a_lack_of_memory() -> None:
    with pytest.raises(MemoryError):
        list(map_in_processes(end, range(4), 2))


def test_processes_end_with_who_reads_their_results() -> None:
    others = {*_workers(os.getpid())}
    with closing(map_in_processes(work_long, range(100), 2)) as results:
        next(results)
        assert len({*_workers(os.getpid())} - others) == 2
    assert {*_workers(os.getpid())} <= others


def test_processes_end_when_their_parent_is_killed() -> None:
    program = (
        "from tests.integration.snapshot_builder.test_processes import *\n"
        "results = map_in_processes(work_long, range(100), 2)\n"
        "next(results)\n"
        "print('begun', flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        assert parent.stdout.readline() == b"begun\n"
        started = _workers(parent.pid)
        parent.kill()
    assert len(started) == 2
    deadline = time.monotonic() + _SECONDS
    while any(Path(f"/proc/{one}").exists() for one in started):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_an_index_is_the_same_whoever_prepares_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    month = publish(tmp_path / "in", companies(3, 400, step=997))
    folder = build(tmp_path / "copy", month.folder).parent
    expected = _content(folder)
    assert len(expected) > 1_000
    monkeypatch.setattr(indexing, "_SMALL", 0)
    indexing.fill_index(folder, 2)
    indexing.pack_index(folder)
    assert _content(folder) == expected


def test_an_index_is_the_same_in_batches_of_any_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = build(tmp_path / "copy", publish(tmp_path / "in", companies(3, 400)).folder).parent
    expected = _content(folder)
    monkeypatch.setattr(indexed_words, "_BATCH_LENGTH", 1_000)
    ranges = indexed_words.ranges_of(folder / FILE)
    lengths = [sum(map(len, batch.words)) for one in ranges for batch in indexed_words.prepare(one)]
    assert len(lengths) > 2 * len(ranges)
    assert max(lengths) < 3_000
    indexing.fill_index(folder, 1)
    indexing.pack_index(folder)
    assert _content(folder) == expected


def _workers(process: int) -> list[int]:
    return [one for one in descendants(process) if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]


def _content(folder: Path) -> list[tuple[object, ...]]:
    """Return the rows of an index, and of its full-text table the documents of each word."""
    with closing(sqlite3.connect(folder / SEARCH_FILE)) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, documents, row)")
        found = [connection.execute(statement).fetchall() for statement in _CONTENT]
    return [row for rows in found for row in rows]

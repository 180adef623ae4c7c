"""Builds that are killed: at the n-th call that may change what is on the disk, or at any moment.

``make copy-kills ARGS=200`` kills as many, and prints the results.
"""

import multiprocessing
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from brskills_server.adapters.search.folder import FolderSearch
from brskills_server.adapters.snapshots.folder import FolderMonths
from brskills_server.adapters.snapshots.folder_history import HISTORY, FolderHistory
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.snapshot.histories import Histories
from tests.integration.snapshot_builder.building import (
    NEXT_DAY,
    build,
    current_file,
    make_copy,
    publish,
    rows_of,
)
from tests.register.company import companies

_CHANGES = {
    "posix": {"open", "close", "mkdir", "rename", "replace", "unlink", "rmdir", "fsync", "memfd_create"},
    "_io": {"write", "writelines", "flush"},
    "sqlite3": {"connect", "execute", "executemany", "executescript", "__exit__", "fetchall", "close"},
    "fcntl": {"flock"},
    "zlib": {"decompress"},
}
"""Modules, and calls of their functions and objects: counted once when they begin and when they end."""

_NUMBER_LENGTH = 14
_PROCESSES = multiprocessing.get_context("forkserver")


class Undisturbed(NamedTuple):
    """What an undisturbed build ends with, and how long it is (calls; seconds)."""

    everything: dict[str, Any]
    files: list[str]
    calls: int
    seconds: float


class Killings:
    """A snapshot in place, and the files of the next month: some companies new, gone and changed."""

    def __init__(self, folder: Path, companies_of_each: int = 5) -> None:
        _PROCESSES.set_forkserver_preload([__name__])
        self._folder = folder
        registered = list(companies(7, companies_of_each + 3, step=1_000_003))
        previous = publish(folder / "previous", registered[:-3])
        self._following = publish(folder / "following", registered[3:], NEXT_DAY).folder
        self._previous_rows = rows_of(build(folder / "copy", previous.folder))
        self._previous = previous.records()
        place, began = self._place(), time.monotonic()
        process, counted = self._start(place)
        calls = counted.recv()
        process.join()
        assert process.exitcode == 0
        seconds = time.monotonic() - began
        self.undisturbed = Undisturbed(_everything(place), _files(place), calls, seconds)

    def kill_at(self, call: int) -> str:
        """Kill a build at its n-th call, check the folder, and build again. Return what was in place."""
        place = self._place()
        process, _ = self._start(place, call)
        process.join()
        assert process.exitcode == -signal.SIGKILL
        return self._check(place)

    def kill_after(self, seconds: float) -> str:
        """Kill a build at a moment, at which it may have ended."""
        place = self._place()
        process, _ = self._start(place)
        process.join(seconds)
        process.kill()
        process.join()
        return self._check(place)

    def _place(self) -> Path:
        place = Path(tempfile.mkdtemp(dir=self._folder)) / "copy"
        return shutil.copytree(self._folder / "copy", place)

    def _start(self, place: Path, call: int = 0) -> tuple[multiprocessing.process.BaseProcess, Connection]:
        receiver, sender = _PROCESSES.Pipe(duplex=False)
        process = _PROCESSES.Process(target=_build, args=(place, self._following, call, sender))
        process.start()
        sender.close()
        return process, receiver

    def _check(self, place: Path) -> str:
        rows = rows_of(current_file(place))
        assert _found(place) == sorted(key for key in rows if len(key) == _NUMBER_LENGTH)
        in_place = "previous" if rows == self._previous_rows else "following"
        if in_place == "previous":
            snapshot = StoredSnapshot(FolderMonths(place))
            assert all(snapshot.find(number) for number in self._previous)
            assert all(_history(place, number)["mudancas"] == [] for number in self._previous)
        else:
            assert _everything(place) == self.undisturbed.everything
        code, output = make_copy(place, "build", self._following)
        assert code == 0, output
        assert _everything(place) == self.undisturbed.everything
        assert _found(place) == sorted(
            key for key in self.undisturbed.everything if len(key) == _NUMBER_LENGTH
        )
        assert _files(place) == self.undisturbed.files
        shutil.rmtree(place.parent)
        marks = {"(as before)": "resumed", "finished by an earlier run": "finished"}
        return f"{in_place}, {next((what for mark, what in marks.items() if mark in output), 'anew')}"


def _everything(place: Path) -> dict[str, Any]:
    """Return the rows and the edition of the snapshot in place, without its random id, and the histories."""
    file = current_file(place)
    rows = rows_of(file)
    with closing(sqlite3.connect(file)) as connection:
        facts = dict(connection.execute("SELECT name, value FROM edition WHERE name <> 'id'").fetchall())
    histories = {f"history of {key}": _history(place, key) for key in rows if len(key) == _NUMBER_LENGTH}
    return rows | facts | histories


def _history(place: Path, number: str) -> dict[str, Any]:
    snapshot = StoredSnapshot(FolderMonths(place))
    return Histories(snapshot, lambda: FolderHistory(place)).find(number)


def _found(place: Path) -> list[str]:
    """Return all numbers that the index of the snapshot in place has."""
    page = FolderSearch(place).search(Criteria(), "", 1000)
    assert page
    return [company.cnpj for company in page.companies]


def _files(place: Path) -> list[str]:
    """Return the names of all files; those of the history, which are random, by their kind."""
    paths = (path.relative_to(place) for path in place.rglob("*"))
    return sorted(
        f"{path.parent}/{path.suffix}" if path.parent.name == HISTORY else f"{path}" for path in paths
    )


def _build(place: Path, source: Path, kill_at: int, counted: Connection) -> None:
    """Build in a new process."""
    calls, one_at_a_time = 0, threading.Lock()

    def count(_frame: FrameType, event: str, called: object) -> None:
        nonlocal calls
        if event in {"c_call", "c_return"} and _is_a_change(called):
            with one_at_a_time:
                calls += 1
                if calls == kill_at:
                    os.kill(os.getpid(), signal.SIGKILL)

    threading.setprofile(count)  # for the threads that work ahead
    sys.setprofile(count)
    code, _ = make_copy(place, "build", source)
    sys.setprofile(None)
    threading.setprofile(None)
    counted.send(calls)
    sys.exit(code)


def _is_a_change(called: object) -> bool:
    module = getattr(called, "__module__", None) or type(getattr(called, "__self__", None)).__module__
    return getattr(called, "__name__", "") in _CHANGES.get(module, ())  # a method has no module


def _main(number: int) -> None:
    """Kill three of four at calls that are spread evenly, the others at any moment."""
    results: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        killings = Killings(Path(folder), companies_of_each=12)
        calls, seconds = killings.undisturbed.calls, killings.undisturbed.seconds
        print(f"a build makes {calls:,} calls and takes {seconds:.1f} s", flush=True)
        chance, at_calls = random.Random(0), number * 3 // 4
        results.update(killings.kill_at(1 + n * (calls - 1) // at_calls) for n in range(at_calls))
        results.update(killings.kill_after(chance.uniform(0, seconds)) for _ in range(number - at_calls))
    for result, times in results.most_common():
        print(f"{times:5} killed: {result}")


if __name__ == "__main__":
    _main(int(sys.argv[1]))

"""Snapshots between the folder where they are built and the store where they are read."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder.destinations.destination import KeptSnapshot, Report
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.publishing import StorePublisher
from tests.register.copy_file import write_copy

JULY, AUGUST, SEPTEMBER = "2026-07-11", "2026-08-15", "2026-09-12"


class MemoryDestination:
    """A destination that records its steps. ``fails``: the step that does not succeed, once."""

    def __init__(self, *names: str, current: str, fails: str = "") -> None:
        self.names = list(names)
        self.current = current
        self.fails = fails
        self.done: list[str] = []

    def snapshots(self) -> list[KeptSnapshot]:
        day = date(2026, 1, 1)
        return [KeptSnapshot(name, day, name == self.current) for name in sorted(self.names)[::-1]]

    def add(self, file: Path, name: str, report: Report) -> None:
        assert file.is_file()
        self._do("add", name)
        self.names.append(name)

    def switch(self, name: str) -> None:
        assert name in self.names
        self._do("switch", name)
        self.current = name

    def remove(self, name: str) -> None:
        assert name != self.current
        self._do("remove", name)
        self.names.remove(name)

    def _do(self, step: str, name: str) -> None:
        if self.fails == step:
            self.fails = ""
            raise SnapshotError(step)
        self.done.append(f"{step} {name}")


class MemoryBucket:
    """A bucket. ``kept``: the names of snapshots whose files it has."""

    def __init__(self, *kept: str) -> None:
        self.kept = set(kept)

    def download(self, name: str, folder: Path) -> bool:
        if name in self.kept:
            write_copy(folder, [], date(2026, 1, 1), name=name)
        return name in self.kept

    def upload(self, file: Path, name: str, others: list[str]) -> None:
        assert file.is_file()
        self.kept = {name, *others}


@pytest.fixture
def folder(tmp_path: Path) -> SnapshotFolder:
    place = SnapshotFolder(tmp_path / "copy")
    write_copy(place.path, [], date(2026, 9, 12), name=SEPTEMBER)
    place.switch(SEPTEMBER)
    return place


def test_older_snapshots_are_removed(folder: SnapshotFolder) -> None:
    bucket: Any = MemoryBucket(JULY)
    store = MemoryDestination(JULY, AUGUST, current=AUGUST)
    StorePublisher(store, bucket).publish(folder)
    assert store.done == [f"add {SEPTEMBER}", f"switch {SEPTEMBER}", f"remove {JULY}"]
    assert bucket.kept == {SEPTEMBER, AUGUST}
    StorePublisher(store, bucket).publish(folder)
    assert len(store.done) == 3  # it is in place already


@pytest.mark.parametrize("step", ["add", "switch"])
def test_the_next_run_repeats_a_failed_step(folder: SnapshotFolder, step: str) -> None:
    store = MemoryDestination(AUGUST, current=AUGUST, fails=step)
    with pytest.raises(SnapshotError):
        StorePublisher(store).publish(folder)
    assert store.current == AUGUST
    StorePublisher(store).publish(folder)
    assert store.current == SEPTEMBER


@pytest.mark.parametrize("bucket", [None, MemoryBucket(), MemoryBucket(AUGUST)])
def test_the_current_snapshot_is_fetched_if_the_bucket_has_it(tmp_path: Path, bucket: Any) -> None:
    empty = SnapshotFolder(tmp_path / "copy")
    StorePublisher(MemoryDestination(AUGUST, current=AUGUST), bucket).fetch_current(empty)
    has_it = bool(bucket and bucket.kept)
    assert [(month.name, month.current) for month in empty.snapshots()] == [(AUGUST, True)] * has_it
    assert (empty.path / AUGUST / FILE).is_file() == has_it


def test_rollbacks_alternate() -> None:
    store = MemoryDestination(AUGUST, SEPTEMBER, current=SEPTEMBER)
    assert StorePublisher(store).roll_back() == AUGUST == store.current
    assert StorePublisher(store).roll_back() == SEPTEMBER == store.current
    store.names.remove(AUGUST)
    with pytest.raises(SnapshotError, match="no snapshot beside"):
        StorePublisher(store).roll_back()

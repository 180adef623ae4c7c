"""Months between the folder where they are built and the store where they are read."""

from datetime import date
from pathlib import Path

import pytest

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder.destinations.destination import KeptSnapshot, Report
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.publishing import StorePublisher
from tests.register.copy_file import write_copy


class Shelf:
    """A place that remembers what was done to it. ``fails``: the step that does not succeed, once."""

    def __init__(self, *names: str, current: str = "", fails: str = "") -> None:
        self.names = list(names)
        self.current = current
        self.fails = fails
        self.done: list[str] = []

    def snapshots(self) -> list[KeptSnapshot]:
        return [
            KeptSnapshot(name, date(2026, 1, 1), name == self.current) for name in sorted(self.names)[::-1]
        ]

    def _do(self, step: str, name: str) -> None:
        if self.fails == step:
            self.fails = ""
            raise SnapshotError(step)
        self.done.append(f"{step} {name}")

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


class Cellar:
    """A bucket. ``kept``: the names of months whose files it has."""

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
    write_copy(place.path, [], date(2026, 9, 12), name="2026-09-12")
    place.switch("2026-09-12")
    return place


def quietly(_: str) -> None: ...


def test_the_months_before_the_last_go(folder: SnapshotFolder) -> None:
    store, bucket = Shelf("2026-07-11", "2026-08-15", current="2026-08-15"), Cellar("2026-07-11")
    StorePublisher(store, bucket).publish(folder, quietly)  # type: ignore[arg-type]
    assert store.done == ["add 2026-09-12", "switch 2026-09-12", "remove 2026-07-11"]
    assert bucket.kept == {"2026-09-12", "2026-08-15"}


def test_what_is_in_place_is_not_brought_again(folder: SnapshotFolder) -> None:
    store = Shelf("2026-09-12", current="2026-09-12")
    StorePublisher(store).publish(folder, quietly)
    assert store.done == []


@pytest.mark.parametrize("step", ["add", "switch"])
def test_the_next_run_brings_what_the_last_did_not(folder: SnapshotFolder, step: str) -> None:
    store = Shelf("2026-08-15", current="2026-08-15", fails=step)
    with pytest.raises(SnapshotError):
        StorePublisher(store).publish(folder, quietly)
    assert store.current == "2026-08-15"
    StorePublisher(store).publish(folder, quietly)
    assert store.current == "2026-09-12"


def test_a_folder_without_a_past_gets_the_month_in_place_to_compare_with(tmp_path: Path) -> None:
    empty = SnapshotFolder(tmp_path / "copy")
    StorePublisher(Shelf("2026-08-15", current="2026-08-15"), Cellar("2026-08-15")).fetch_current(empty)  # type: ignore[arg-type]
    assert [(month.name, month.current) for month in empty.snapshots()] == [("2026-08-15", True)]
    assert (empty.path / "2026-08-15" / FILE).is_file()


@pytest.mark.parametrize("bucket", [None, Cellar()])
def test_without_its_file_there_is_nothing_to_compare_with(tmp_path: Path, bucket: Cellar | None) -> None:
    empty = SnapshotFolder(tmp_path / "copy")
    StorePublisher(Shelf("2026-08-15", current="2026-08-15"), bucket).fetch_current(empty)  # type: ignore[arg-type]
    assert empty.snapshots() == []


def test_rollbacks_alternate() -> None:
    store = Shelf("2026-08-15", "2026-09-12", current="2026-09-12")
    assert StorePublisher(store).roll_back() == "2026-08-15" == store.current
    assert StorePublisher(store).roll_back() == "2026-09-12" == store.current


def test_no_snapshot_to_roll_back_to() -> None:
    with pytest.raises(SnapshotError, match="no snapshot beside"):
        StorePublisher(Shelf("2026-09-12", current="2026-09-12")).roll_back()

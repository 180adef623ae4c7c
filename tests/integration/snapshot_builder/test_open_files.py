"""Look-ups while snapshots are switched, deleted and added, and the files that stay open."""

import gc
import json
import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count, cycle
from pathlib import Path
from threading import Event

import pytest

from brskills_server.adapters.snapshots.folder import FILE, FolderMonths
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.registry.query import Query
from brskills_server.registry.registry import build_registry
from brskills_server.snapshot_builder.destinations.destination import SnapshotRows
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.writer import SnapshotWriter
from tests.integration.adapters.copies.months import CNPJ, ROOT, write_file
from tests.integration.snapshot_builder.building import DAY, build, current_file, publish
from tests.simulator.memory import MemoryStore

SWITCHES = 20


def open_files(folder: Path) -> list[Path]:
    """Return the open files in a folder."""
    links = [link.resolve() for link in Path("/proc/self/fd").iterdir()]
    return [file for file in links if file.is_relative_to(folder.resolve())]


def test_look_ups_while_snapshots_are_switched(months, two, tmp_path):
    """Each gives the record of one of them."""
    registered = [case.company._replace(capital=f"{n},00") for n, case in enumerate(months[0].cases, 7)]
    changed = publish(tmp_path / "changed", registered, DAY.replace(day=13))
    made = [two / str(DAY), build(tmp_path / "built", changed.folder).parent]
    days = [DAY, changed.day]
    expected = [months[0].records(), changed.records()]
    place, over = SnapshotFolder(tmp_path / "copy"), Event()

    def put(n: int) -> None:
        name = place.add(Path(shutil.copytree(made[n], tmp_path / "made")), days[n])
        place.switch(name)
        place.delete_leftovers()

    def look_up(snapshot: StoredSnapshot) -> int:
        registry = build_registry(
            providers=["receita"], urls={}, store=MemoryStore(), user_agent="test", snapshot=snapshot
        )
        seen = set()
        for number in cycle(expected[0]):
            if over.is_set():
                break
            found = json.loads(registry.look_up(Query(number)).text)
            assert found in [records[number] for records in expected]
            seen.add(found["data_base"])
        registry.close()
        return len(seen)

    put(0)
    # Their clocks advance ten seconds at each look: a new month is seen at once.
    snapshots = [StoredSnapshot(FolderMonths(place.path), count(0.0, 10.0).__next__) for _ in range(2)]
    with ThreadPoolExecutor(4) as threads:
        seen = [threads.submit(look_up, snapshot) for snapshot in snapshots * 2]
        try:
            for n in range(1, SWITCHES + 1):
                put(n % 2)
        finally:
            over.set()
        assert [each.result() for each in seen] == [2] * 4
    assert {snapshot.edition().day for snapshot in snapshots} == {DAY}
    gc.collect()
    assert set(open_files(place.path)) == {current_file(place.path).resolve()}


def test_rows_have_their_file_open_only_while_they_are_read(tmp_path: Path) -> None:
    rows = SnapshotRows(write_file(tmp_path / FILE, {ROOT: "root", CNPJ: "branch"}), lambda _: None)
    assert not open_files(tmp_path)
    reading = iter(rows)
    next(reading)
    assert open_files(tmp_path)
    assert len(list(reading)) == 1
    assert not open_files(tmp_path)


@pytest.mark.parametrize(
    "use", [lambda file: SnapshotRows(file, print), lambda file: SnapshotWriter(file.parent, None)]
)
def test_a_damaged_file_is_not_left_open(tmp_path: Path, use: Callable[[Path], object]) -> None:
    (tmp_path / FILE).write_bytes(b"\1" * 4096)
    with pytest.raises((SnapshotError, sqlite3.Error)) as raised:
        use(tmp_path / FILE)
    assert not open_files(tmp_path), raised.value  # which holds the frames that it came through

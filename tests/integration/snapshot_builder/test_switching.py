"""Look-ups while snapshots are switched, deleted and added: always the record of one of them."""

from __future__ import annotations

import gc
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from itertools import count, cycle
from pathlib import Path
from threading import Event

from brskills_server.adapters.snapshots.folder import FolderMonths
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.registry.query import Query
from brskills_server.registry.registry import build_registry
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from tests.integration.snapshot_builder.building import DAY, NEXT_DAY, current_file, make_copy, publish
from tests.register.company import companies
from tests.register.files import Month
from tests.simulator.memory import MemoryStore

SWITCHES = 20


def built(folder: Path, month: Month) -> Path:
    code, said = make_copy(folder, "build", month.folder)
    assert code == 0, said
    return current_file(folder).parent


def open_files(folder: Path) -> list[str]:
    found = []
    for link in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(link.readlink()))
        except FileNotFoundError:  # the listing's own
            continue
    return [name for name in found if name.startswith(str(folder))]


def test_look_ups_while_months_are_switched(tmp_path):
    registered = list(companies(13, 20))
    capital = [company._replace(capital=f"{n},00") for n, company in enumerate(registered, 7)]
    months = [publish(tmp_path / "1", registered), publish(tmp_path / "2", capital, NEXT_DAY)]
    made = [built(tmp_path / f"built{n}", month) for n, month in enumerate(months)]
    expected = [month.records() for month in months]
    place, over = SnapshotFolder(tmp_path / "copy"), Event()

    def put(n: int) -> None:
        name = place.add(Path(shutil.copytree(made[n], tmp_path / "made")), months[n].day)
        place.switch(name)
        place.delete_leftovers()

    def look_up(copy: StoredSnapshot) -> int:
        """A clock that goes ten seconds at each look: a new month is seen at once."""
        registry = build_registry(
            providers=["receita"], urls={}, store=MemoryStore(), user_agent="test", snapshot=copy
        )
        seen = set()
        for number in cycle(expected[0]):
            if over.is_set():
                break
            found = json.loads(registry.look_up(Query(number)).text)
            assert found in [truth[number] for truth in expected]
            seen.add(found["data_base"])
        registry.close()
        return len(seen)

    put(0)
    copies = [StoredSnapshot(FolderMonths(place.path), count(0.0, 10.0).__next__) for _ in range(2)]
    with ThreadPoolExecutor(4) as threads:
        seen = [threads.submit(look_up, copy) for copy in copies * 2]
        try:
            for n in range(1, SWITCHES + 1):
                put(n % 2)
        finally:
            over.set()
        assert [each.result() for each in seen] == [2] * 4
    assert {copy.edition().day for copy in copies} == {DAY}
    gc.collect()
    assert set(open_files(place.path)) == {str(current_file(place.path))}

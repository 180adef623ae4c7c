"""The registry over a copy in a folder, in real threads and with real sockets."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

from brskills_server.adapters.snapshots.folder import FolderMonths
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.registry.query import Query
from brskills_server.registry.registry import Registry, build_registry
from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
from brskills_server.registry.snapshot.rows import Edition, SnapshotCompany
from tests.register.copy_file import write_copy
from tests.simulator import Simulator
from tests.simulator.companies import company
from tests.simulator.memory import MemoryStore

SEPTEMBER = date(2026, 9, 12)
COMPANY, OTHER = "11222333000181", "33000167000101"


def registry_over(copy: RegisterSnapshot, simulator: Simulator, *providers: str) -> Registry:
    return build_registry(
        providers=providers, urls=simulator.urls, store=MemoryStore(), user_agent="test", snapshot=copy
    )


def loops() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "registry"]


def test_many_threads_are_answered_without_a_loop(tmp_path: Path, simulator: Simulator) -> None:
    numbers = [f"{n:08}000100" for n in range(400)]
    write_copy(tmp_path, [company(cnpj) for cnpj in numbers], SEPTEMBER)
    opened = registry_over(StoredSnapshot(FolderMonths(tmp_path)), simulator, "receita", "opencnpj")
    before = loops()
    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(opened.look_up, map(Query, numbers)))
    assert [answer.record.cnpj for answer in answers] == numbers
    assert {answer.record.fonte for answer in answers} == {"receita"}
    assert (loops(), simulator.calls) == (before, [])


def test_one_that_is_not_first_answers_where_the_first_fails(tmp_path: Path, simulator: Simulator) -> None:
    write_copy(tmp_path, [company(COMPANY)], SEPTEMBER)
    opened = registry_over(StoredSnapshot(FolderMonths(tmp_path)), simulator, "opencnpj", "receita")
    simulator.play("opencnpj", "500")
    assert opened.look_up(Query(COMPANY)).record.fonte == "receita"
    opened.close()


class Blocking:
    """A copy that answers only when it is let go."""

    def __init__(self) -> None:
        self.asked, self.let_go = threading.Event(), threading.Event()

    def edition(self) -> Edition | None:
        self.asked.set()
        self.let_go.wait(30)
        return None

    def find(self, cnpj: str) -> SnapshotCompany | None:
        raise AssertionError

    def find_many(self, cnpjs: Sequence[str]) -> dict[str, SnapshotCompany]:
        raise AssertionError


def test_one_that_blocks_does_not_block_the_loop(simulator: Simulator) -> None:
    copy = Blocking()
    opened = registry_over(copy, simulator, "opencnpj", "receita", "brasilapi")
    simulator.play("opencnpj", "500")
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(opened.look_up, Query(COMPANY))
        assert copy.asked.wait(30)
        simulator.play("opencnpj", "truth")
        assert opened.look_up(Query(OTHER)).record.fonte == "opencnpj"
        assert first.result(30).record.fonte == "brasilapi"
    copy.let_go.set()
    opened.close()

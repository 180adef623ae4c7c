"""The registry in many threads at once, over real sockets; and its own thread's beginning and end."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from brskills_server.registry.cache.entries import StoredCompany
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.lookup import blocking_lookup as waiting
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.reader import read_record
from brskills_server.registry.query import Freshness, Query
from brskills_server.registry.registry import Registry, build_registry
from tests.simulator import Simulator
from tests.simulator.companies import company
from tests.simulator.dialects import DIALECTS
from tests.simulator.memory import VERBS, MemoryStore
from tests.simulator.replies import Reply, truth

ROOT = Path(__file__).parents[3]
COMPANY = "11222333000181"
DAY = 86_400


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def opened(simulator: Simulator, store: MemoryStore) -> Iterator[Registry]:
    made = build_registry(
        providers=["opencnpj", "cnpja"],
        urls=simulator.urls,
        store=store,
        user_agent="test",
    )
    yield made
    made.close()


def number(n: int) -> str:
    """Some canonical number: every third belongs to nobody."""
    return f"{'99' if n % 3 == 0 else '11'}{n:010}00"


def loops() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "registry"}


def test_every_thread_gets_its_own_answer_or_error(simulator: Simulator, opened: Registry) -> None:
    simulator.play("opencnpj", lambda p, c: replace(truth(p, c), after=0.05))
    at_once, before = threading.Barrier(24), loops()

    def ask(n: int) -> str:
        at_once.wait(10)
        opened.health()
        try:
            return opened.look_up(Query(number(n))).record.cnpj
        except CompanyNotFound:
            return "nobody's"

    with ThreadPoolExecutor(24) as threads:
        answers = list(threads.map(ask, range(24)))
    assert answers == ["nobody's" if n % 3 == 0 else number(n) for n in range(24)]
    assert len(loops() - before) == 1


def test_nothing_runs_on_and_connections_are_kept(opened: Registry, simulator: Simulator) -> None:
    async def others() -> int:
        return len(asyncio.all_tasks()) - 1

    simulator.play("opencnpj", lambda p, c: replace(truth(p, c), after=2.5))
    for n in (1, 2):
        assert opened.look_up(Query(number(n))).record.fonte == "cnpja"
        assert opened.open()._loop.run(others(), 5) == 0
    assert simulator.connections["cnpja"] == 1


def test_a_stored_answer_starts_no_thread(opened: Registry, store: MemoryStore) -> None:
    before = loops()
    opened.look_up(Query(COMPANY))
    opened.close()
    again = build_registry(providers=["opencnpj"], urls={}, store=store, user_agent="test")
    assert again.look_up(Query(COMPANY)).record.cnpj == COMPANY
    assert again.look_up(Query("SANDBOX1000170")).record.fonte == "sandbox"
    assert loops() == before


def test_health_starts_no_thread_and_reports_own_results(opened: Registry, store: MemoryStore) -> None:
    store.broken, before = VERBS, loops()
    assert [source.state for source in opened.health()] == ["unknown", "unknown"]
    assert loops() == before
    opened.look_up(Query(COMPANY))
    assert [source.state for source in opened.health()] == ["operational", "unknown"]


class TestBlockedLoop:
    @pytest.fixture(autouse=True)
    def _held_up(self, opened: Registry, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.setattr(waiting, "_WAIT_SECONDS", 0.2)
        release = threading.Event()

        async def hold_up() -> None:
            release.wait(30)

        with ThreadPoolExecutor(1) as thread:
            held = thread.submit(opened.open()._loop.run, hold_up(), 30)
            yield
            release.set()
            held.result()

    def test_delays_no_caller(self, opened: Registry, simulator: Simulator) -> None:
        with pytest.raises(SourcesUnavailable) as error:
            opened.look_up(Query(COMPANY))
        assert error.value.retry_after >= 1
        assert [source.id for source in opened.health()] == ["opencnpj", "cnpja"]
        assert simulator.calls == []

    def test_leaves_the_older_record(self, opened: Registry, store: MemoryStore) -> None:
        record = read_record(PROVIDERS["brasilapi"], DIALECTS["brasilapi"](company(COMPANY)))
        entry = StoredCompany(record.model_dump_json(), int(time.time()) - 2 * DAY).to_fields()
        store.save(COMPANY, entry, expires_at=0)
        assert opened.look_up(Query(COMPANY)).stale
        with pytest.raises(SourcesUnavailable):
            opened.look_up(Query(COMPANY, Freshness(60)))


def test_what_is_given_up_is_not_done_later(opened: Registry, simulator: Simulator) -> None:
    simulator.play("opencnpj", "silent")
    ended = threading.Event()

    async def for_ever() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    with pytest.raises(TimeoutError):
        opened.open()._loop.run(for_ever(), 0.05)
    assert ended.wait(10)


PROGRAM = """
import os, sys, threading, time
from brskills_server.registry.query import Query
from brskills_server.registry.registry import build_registry
from tests.simulator.memory import MemoryStore

async def hold_up():
    held.set()
    time.sleep(3600)

query, held = Query("11222333000181"), threading.Event()
opened = build_registry(
    providers=["opencnpj"], urls={"opencnpj": sys.argv[1]}, store=MemoryStore(), user_agent="test"
)
child = os.fork()
found = opened.look_up(query).record.cnpj
if not child:
    sys.exit(found != query.cnpj)
print(os.waitpid(child, 0)[1], found)
threading.Thread(target=lambda: opened.open()._loop.run(hold_up(), 3600), daemon=True).start()
print(held.wait(10))
"""


def test_a_registry_serves_after_a_fork_and_its_process_ends_though_the_loop_is_held_up(simulator) -> None:
    command = [sys.executable, "-W", "error", "-c", PROGRAM, simulator.urls["opencnpj"]]
    environment = {"PYTHONPATH": "layers/shared:."}
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT, env=environment)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == f"0 {COMPANY}\nTrue\n"


def test_twenty_callers_at_once_and_a_batch_ask_once(opened: Registry, simulator: Simulator) -> None:
    def when_all_wait(provider: str, cnpj: str) -> Reply:
        ends = time.monotonic() + 10
        while time.monotonic() < ends:
            under_way = [*opened.open()._lookup._under_way._flights.values()]
            if sum(flight.waiting for flight in under_way) == 21:
                break
            time.sleep(0.01)
        return truth(provider, cnpj)

    opened.open()
    simulator.play("opencnpj", when_all_wait)
    simulator.play("cnpja", "silent")
    with ThreadPoolExecutor(21) as threads:
        batch = threads.submit(opened.look_up_many, [Query(COMPANY, Freshness(0))])
        answers = list(threads.map(lambda _: opened.look_up(Query(COMPANY, Freshness(0))), range(20)))
    assert {answer.text for answer in (*answers, *batch.result())} == {answers[0].text}
    assert simulator.asked("opencnpj") == 1
    assert not opened.open()._lookup._under_way._flights

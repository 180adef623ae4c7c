"""Stopping and restarting under load: no caller gets an error, and each counted call was answered."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import Settings
from tests.services.balancer import balancer
from tests.services.gateway import free_port, start, wait_until_ready
from tests.services.postgres import programs

from .service import CHARGE, PIX, TIMEOUT, eventually, wait_until_all_serve, workers

CALLERS = 4


@pytest.fixture
def file(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/brskills.db"


@pytest.fixture(params=["postgresql"] if programs() else ["sqlite"])
def shared_store(request: pytest.FixtureRequest) -> str:
    """PostgreSQL, which several machines share, where it is installed."""
    if request.param == "sqlite":
        address: str = request.getfixturevalue("file")
        return address
    database: str = request.getfixturevalue("postgres_server").new_database(uuid4().hex)
    return database


class Gateways:
    """Gateways, each of which can be started again at its address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, store: str, base: str = "", workers: int = 1) -> str:
        base = base or f"http://127.0.0.1:{free_port()}"
        output = self._folder / f"{uuid4().hex}.txt"
        settings = {"STORE": store, "WORKERS": str(workers), "DRAIN_SECONDS": "1"}
        process = start(int(base.rpartition(":")[2]), output, **settings)
        self.running[base] = process
        wait_until_ready(f"{base}/api/v1/health", process)
        wait_until_all_serve(output)
        return base

    def stop(self, base: str) -> None:
        process = self.running.pop(base)
        process.send_signal(signal.SIGTERM)
        assert process.wait(TIMEOUT) == 0


@pytest.fixture
def gateways(tmp_path: Path) -> Iterator[Gateways]:
    made = Gateways(tmp_path)
    try:
        yield made
    finally:
        for process in made.running.values():
            process.kill()
            process.wait()


class Load:
    """Callers of one unlimited account, each as fast as it is answered; ``seen``: statuses and errors."""

    def __init__(self, store: str, base: str) -> None:
        settings = Settings.from_environment({"STORE": store, "STORE_TIMEOUT_SECONDS": "5"})
        self._accounts = Services(settings).accounts
        issued = self._accounts.open("enterprise")
        self._account, self.key, self._base = issued.account, {"X-API-Key": issued.api_key}, base
        self._stopped = threading.Event()
        self.seen: Counter[str] = Counter()

    @property
    def counted(self) -> int:
        return sum(self._accounts.get(self._account).calls.values())

    @contextmanager
    def running(self) -> Iterator[None]:
        with ThreadPoolExecutor(CALLERS) as pool:
            callers = [pool.submit(self._call) for _ in range(CALLERS)]
            try:
                yield
            finally:
                self._stopped.set()
            for caller in callers:
                self.seen.update(caller.result(TIMEOUT))

    def _call(self) -> Counter[str]:
        seen: Counter[str] = Counter()
        with httpx.Client(base_url=self._base, timeout=TIMEOUT, headers=self.key) as http:
            while not self._stopped.is_set():
                try:
                    seen[str(http.post(PIX, json=CHARGE).status_code)] += 1
                except httpx.TransportError:
                    seen["error"] += 1
        return seen

    def continues(self, calls: int = 40) -> Callable[[], bool]:
        """Return a predicate: whether as many calls have been counted since."""
        before = self.counted
        return lambda: self.counted >= before + calls


@pytest.mark.thorough
def test_two_copies_are_restarted_one_after_the_other_without_an_error(
    gateways: Gateways, shared_store: str
) -> None:
    bases = [gateways.start(shared_store), gateways.start(shared_store)]
    with balancer(bases) as proxy:
        eventually(lambda: all(proxy.ready.values()))
        load = Load(shared_store, proxy.base)
        with load.running():
            eventually(load.continues())
            for base in bases:
                gateways.stop(base)
                eventually(load.continues())
                gateways.start(shared_store, base)
                eventually(lambda base=base: proxy.ready[base])  # type: ignore[misc]
                eventually(load.continues())
    assert load.seen.keys() == {"200"}
    assert load.counted == load.seen["200"]


@pytest.mark.thorough
def test_workers_killed_under_load_count_no_more_than_was_in_progress(gateways: Gateways, file: str) -> None:
    base = gateways.start(file, workers=2)
    process, load = gateways.running[base], Load(file, base)
    with load.running():
        for _ in range(2):
            eventually(load.continues())
            killed = workers(process.pid)[0]
            subprocess.run(["kill", "-9", str(killed)], check=True)
            eventually(lambda killed=killed: len(set(workers(process.pid)) - {killed}) == 2)  # type: ignore[misc]
        eventually(load.continues())
    assert load.seen.keys() <= {"200", "error"}
    assert load.seen["200"] <= load.counted <= load.seen["200"] + load.seen["error"]

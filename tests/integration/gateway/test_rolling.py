"""Stopping and restarting under load: nobody gets an error, and whatever was counted was answered."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import Settings
from tests.services.balancer import balancer
from tests.services.gateway import free_port, start, wait_until_ready
from tests.services.postgres import Server, programs

from .test_gateway import CHARGE, PIX
from .test_processes import PATIENCE, eventually, workers

CALLERS = 4


def in_file(request: pytest.FixtureRequest) -> str:
    return f"sqlite:///{request.getfixturevalue('tmp_path')}/brskills.db"


def in_postgres(request: pytest.FixtureRequest) -> str:
    server: Server = request.getfixturevalue("postgres_server")
    return server.new_database(uuid4().hex)


STORES = {"sqlite": in_file, **({"postgresql": in_postgres} if programs() else {})}


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest) -> str:
    return STORES[request.param](request)


class Gateways:
    """Gateways over one store; each may be started anew at its place."""

    def __init__(self, store: str, folder: Path) -> None:
        self._store = store
        self._folder = folder
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, base: str = "") -> str:
        base = base or f"http://127.0.0.1:{free_port()}"
        output = self._folder / f"{uuid4().hex}.txt"
        settings = {"STORE": self._store, "WORKERS": "2", "DRAIN_SECONDS": "1"}
        process = start(int(base.rpartition(":")[2]), output, **settings)
        self.running[base] = process
        wait_until_ready(f"{base}/api/v1/health", process)
        # All workers are there when it says so.
        eventually(lambda: "Keys and counters are" in output.read_text())
        return base

    def stop(self, base: str) -> None:
        process = self.running.pop(base)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0

    def kill(self) -> None:
        for process in self.running.values():
            process.kill()
            process.wait()


@pytest.fixture
def gateways(store: str, tmp_path: Path) -> Iterator[Gateways]:
    made = Gateways(store, tmp_path)
    try:
        yield made
    finally:
        made.kill()


class Load:
    """Callers of one unlimited account, each as fast as it is answered. ``seen``: statuses and errors."""

    def __init__(self, store: str, base: str) -> None:
        settings = Settings.from_environment({"STORE": store, "STORE_TIMEOUT_SECONDS": "5"})
        self._accounts = Services(settings).accounts
        issued = self._accounts.open("enterprise")
        self._account, self._key, self._base = issued.account, issued.api_key, base
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
                self.seen.update(caller.result(PATIENCE))

    def _call(self) -> Counter[str]:
        seen: Counter[str] = Counter()
        with httpx.Client(base_url=self._base, timeout=PATIENCE, headers={"X-API-Key": self._key}) as http:
            while not self._stopped.is_set():
                try:
                    seen[str(http.post(PIX, json=CHARGE).status_code)] += 1
                except httpx.TransportError:
                    seen["error"] += 1
        return seen

    def goes_on(self, calls: int = 40) -> Callable[[], bool]:
        """Whether so many calls were counted since this was asked for."""
        before = self.counted
        return lambda: self.counted >= before + calls


def test_two_copies_are_restarted_one_after_the_other_without_an_error(
    gateways: Gateways, store: str
) -> None:
    bases = [gateways.start(), gateways.start()]
    with ExitStack() as stack:
        proxy = stack.enter_context(balancer(bases))
        eventually(lambda: all(proxy.ready.values()))
        load = Load(store, proxy.base)
        with load.running():
            eventually(load.goes_on())
            for base in bases:
                gateways.stop(base)
                eventually(load.goes_on())
                gateways.start(base)
                eventually(lambda base=base: proxy.ready[base])  # type: ignore[misc]
                eventually(load.goes_on())
    assert load.seen.keys() == {"200"}
    assert load.counted == load.seen["200"]


def test_workers_killed_under_load_count_no_more_than_was_under_way(gateways: Gateways, store: str) -> None:
    base = gateways.start()
    load = Load(store, base)
    with load.running():
        for _ in range(3):
            eventually(load.goes_on())
            before = workers(gateways.running[base].pid)
            subprocess.run(["kill", "-9", str(before[0])], check=True)
            eventually(lambda before=before: len(set(workers(gateways.running[base].pid)) - {before[0]}) == 2)  # type: ignore[misc]
        eventually(load.goes_on())
    assert load.seen.keys() <= {"200", "error"}
    assert load.seen["200"] <= load.counted <= load.seen["200"] + load.seen["error"]


def test_a_drain_is_seen_before_the_end(gateways: Gateways, store: str) -> None:
    base = gateways.start()
    load = Load(store, base)
    gateways.running[base].send_signal(signal.SIGTERM)
    with httpx.Client(base_url=base, timeout=PATIENCE) as http:
        eventually(lambda: http.get("/api/v1/health").status_code == 503)
        answer = http.post(PIX, json=CHARGE, headers={"X-API-Key": load._key})
        assert (answer.status_code, answer.headers["connection"]) == (200, "close")
        assert http.get("/livez").status_code == 200
    assert gateways.running[base].wait(PATIENCE) == 0
    assert load.counted == 1

"""The gateway's processes stop in order, and end together however one of them ends."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import pytest

from tests.services.gateway import free_port, start, wait_until_ready
from tests.simulator import Simulator
from tests.simulator.replies import Reply, truth

from .test_gateway import DEMO

PATIENCE = 60


@dataclass(frozen=True)
class Started:
    """A gateway's first process, its base URL, the file of what it prints."""

    process: subprocess.Popen[bytes]
    base: str
    output: Path


@pytest.fixture
def providers() -> Iterator[Simulator]:
    with Simulator() as simulator:
        yield simulator


@pytest.fixture
def started(tmp_path: Path, providers: Simulator) -> Iterator[Started]:
    port, output = free_port(), tmp_path / "output.txt"
    urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
    process = start(port, output, WORKERS="2", REGISTRY_PROVIDERS="opencnpj", **urls)
    try:
        wait_until_ready(f"http://127.0.0.1:{port}/api/v1/plans", process, output)
        found = Started(process, f"http://127.0.0.1:{port}", output)
        eventually(lambda: "Keys and counters are" in output.read_text())
        yield found
    finally:
        process.kill()
        process.wait()


def eventually(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def is_refused(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
    except ConnectionRefusedError:
        return True
    return False


def workers(parent: int) -> list[int]:
    found = subprocess.run(
        ["pgrep", "-P", str(parent), "-f", "spawn_main"], capture_output=True, text=True, check=False
    )
    return [int(number) for number in found.stdout.split()]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_call_under_way_is_answered_before_the_gateway_ends(
    started: Started, providers: Simulator, number: signal.Signals
) -> None:
    def late(provider: str, cnpj: str) -> Reply:
        return replace(truth(provider, cnpj), after=1.5)

    providers.play("opencnpj", late)
    with socket.create_connection(("127.0.0.1", int(started.base.rpartition(":")[2]))) as slow:
        slow.sendall(b"POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        with ThreadPoolExecutor(1) as pool:
            address = f"{started.base}/api/v1/skills/cnpj/33000167000101"
            call = pool.submit(httpx.get, address, headers=DEMO, timeout=PATIENCE)
            eventually(lambda: providers.asked("opencnpj") > 0)
            # As a terminal does it: to the gateway's whole process group.
            for process in [*workers(started.process.pid), started.process.pid]:
                os.kill(process, number)
            assert call.result(PATIENCE).status_code == 200
        assert started.process.wait(PATIENCE) == 0


def test_all_end_with_the_gateway_when_it_is_killed(started: Started) -> None:
    started.process.kill()
    started.process.wait()
    eventually(lambda: is_refused(int(started.base.rpartition(":")[2])))


def test_what_a_gateway_that_is_killed_kept_for_itself_goes_with_its_workers(tmp_path: Path) -> None:
    scratch, output = tmp_path / "scratch", tmp_path / "output.txt"
    scratch.mkdir()
    places = {"METRICS_PORT": str(free_port()), "TMPDIR": str(scratch)}
    process = start(free_port(), output, WORKERS="2", STORE="memory", **places)
    try:
        eventually(lambda: "Keys and counters are" in output.read_text())
        assert len(list(scratch.iterdir())) == 2
    finally:
        process.kill()
        process.wait()
    eventually(lambda: not list(scratch.iterdir()))


def test_a_worker_that_dies_is_replaced(started: Started) -> None:
    before = workers(started.process.pid)
    assert len(before) == 2
    for worker in before:
        os.kill(worker, signal.SIGKILL)
    eventually(lambda: len(set(workers(started.process.pid)) - set(before)) == 2)
    with contextlib.suppress(httpx.TransportError):  # a connection may have waited for a worker that died
        httpx.get(f"{started.base}/api/v1/plans", timeout=PATIENCE)
    assert httpx.get(f"{started.base}/api/v1/plans", timeout=PATIENCE).status_code == 200


def test_workers_are_replaced_one_after_the_other_on_request(started: Started) -> None:
    before = set(workers(started.process.pid))
    started.process.send_signal(signal.SIGHUP)
    eventually(
        lambda: len(workers(started.process.pid)) == 2 and not before & set(workers(started.process.pid))
    )
    eventually(lambda: started.output.read_text().count("worker replaced") == 2)
    assert httpx.get(f"{started.base}/api/v1/plans", timeout=PATIENCE).status_code == 200


def test_a_drain_is_seen_at_once_while_workers_are_being_replaced(tmp_path: Path) -> None:
    port, output = free_port(), tmp_path / "output.txt"
    process = start(port, output, WORKERS="1", DRAIN_SECONDS="1")
    health = f"http://127.0.0.1:{port}/api/v1/health"
    try:
        eventually(lambda: "Keys and counters are" in output.read_text())
        before = set(workers(process.pid))
        process.send_signal(signal.SIGHUP)
        eventually(lambda: len(workers(process.pid)) == 2)
        (successor,) = set(workers(process.pid)) - before
        os.kill(successor, signal.SIGSTOP)  # so that it is waited for
        assert httpx.get(health, timeout=PATIENCE).status_code == 200
        process.send_signal(signal.SIGTERM)
        eventually(lambda: httpx.get(health, timeout=PATIENCE).status_code == 503)
        assert "draining" not in output.read_text()
        os.kill(successor, signal.SIGCONT)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()


def test_a_second_signal_does_not_wait_for_the_drain(tmp_path: Path) -> None:
    port, output = free_port(), tmp_path / "output.txt"
    process = start(port, output, WORKERS="1", DRAIN_SECONDS="3600")
    try:
        eventually(lambda: "Keys and counters are" in output.read_text())
        process.send_signal(signal.SIGTERM)
        eventually(lambda: "draining" in output.read_text())
        assert httpx.get(f"http://127.0.0.1:{port}/livez", timeout=PATIENCE).status_code == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_before_it_is_ready_leaves_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    scratch, output = tmp_path / "scratch", tmp_path / "output.txt"
    scratch.mkdir()
    with contextlib.closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")  # a store that it waits for
        process = start(
            free_port(),
            output,
            STORE=f"sqlite:///{tmp_path}/x.db",
            STORE_TIMEOUT_SECONDS="3600",
            METRICS_PORT=str(free_port()),
            TMPDIR=str(scratch),
        )
        try:
            eventually(lambda: bool(list(scratch.iterdir())))
            process.send_signal(number)
            assert process.wait(PATIENCE) == 128 + number
        finally:
            process.kill()
            process.wait()
    assert not list(scratch.iterdir())
    assert output.read_text() == ""

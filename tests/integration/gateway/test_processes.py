"""The gateway's processes stop in order, and end together however one of them ends."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from brskills_server.gateway.server import STUCK_SECONDS
from tests.services.gateway import free_port, start
from tests.simulator.replies import Reply, truth

from .service import CHARGE, CNPJ, DEMO, PIX, TIMEOUT, Service, connect, eventually, serve, workers


def end_during_a_call(service: Service, number: signal.Signals) -> None:
    """Send a signal as a terminal does, to the whole process group; the call in progress is answered."""

    def late(provider: str, cnpj: str) -> Reply:
        return replace(truth(provider, cnpj), after=1)

    service.providers.play("opencnpj", late)
    with connect(service.base) as slow, ThreadPoolExecutor(1) as pool:
        slow.sendall(b"POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        address = f"{service.base}{CNPJ}/33000167000101"
        call = pool.submit(httpx.get, address, headers=DEMO, timeout=TIMEOUT)
        eventually(lambda: service.providers.asked("opencnpj") > 0)
        for process in [*workers(service.process.pid), service.process.pid]:
            os.kill(process, number)
        assert call.result(TIMEOUT).status_code == 200
        assert service.process.wait(TIMEOUT) == 0


def test_workers_are_replaced_when_they_die_and_on_request(tmp_path: Path) -> None:
    with serve(tmp_path, TMPDIR=str(tmp_path)) as service:
        first = set(workers(service.process.pid))
        assert len(first) == 2
        for worker in first:
            assert "\0MALLOC_ARENA_MAX=2\0" in Path(f"/proc/{worker}/environ").read_text()
            os.kill(worker, signal.SIGKILL)
        eventually(lambda: len(set(workers(service.process.pid)) - first) == 2)
        with contextlib.suppress(httpx.TransportError):  # a connection may have waited for a worker that died
            httpx.get(f"{service.base}/api/v1/plans", timeout=TIMEOUT)
        assert httpx.get(f"{service.base}/api/v1/plans", timeout=TIMEOUT).status_code == 200

        second = set(workers(service.process.pid))
        service.process.send_signal(signal.SIGHUP)
        eventually(lambda: service.output.read_text().count("worker replaced") == 4)
        assert len(workers(service.process.pid)) == 2
        assert not second & set(workers(service.process.pid))
        end_during_a_call(service, signal.SIGINT)
    assert not list(tmp_path.glob("brskills-metrics-*"))  # there is no port for them


def test_a_worker_that_dies_while_it_is_asked_is_replaced_at_once(tmp_path: Path) -> None:
    with serve(tmp_path) as service:
        first = workers(service.process.pid)
        os.kill(first[0], signal.SIGSTOP)
        time.sleep(1.5)  # the supervisor asks each worker twice a second, and waits
        os.kill(first[0], signal.SIGKILL)
        eventually(lambda: len({*workers(service.process.pid)} - {*first}) == 1, STUCK_SECONDS / 2)


def test_a_drain_is_seen_while_workers_are_replaced_and_ends_at_a_second_signal(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    settings = {"WORKERS": "1", "DRAIN_SECONDS": "3600", "STORE": "memory", "TMPDIR": str(scratch)}
    with serve(tmp_path, METRICS_PORT=str(free_port()), **settings) as service:
        assert len(list(scratch.iterdir())) == 2
        health = f"{service.base}/api/v1/health"
        before = set(workers(service.process.pid))
        service.process.send_signal(signal.SIGHUP)
        eventually(lambda: len(workers(service.process.pid)) == 2)
        (successor,) = set(workers(service.process.pid)) - before
        os.kill(successor, signal.SIGSTOP)  # the supervisor waits for it
        assert httpx.get(health, timeout=TIMEOUT).status_code == 200
        service.process.send_signal(signal.SIGTERM)
        eventually(lambda: httpx.get(health, timeout=TIMEOUT).status_code == 503)
        assert "draining" not in service.output.read_text()
        os.kill(successor, signal.SIGCONT)
        eventually(lambda: "draining" in service.output.read_text())
        with httpx.Client(base_url=service.base, timeout=TIMEOUT) as http:
            assert http.get("/livez").status_code == 200
            answer = http.post(PIX, json=CHARGE, headers=DEMO)
            assert (answer.status_code, answer.headers["connection"]) == (200, "close")
        end_during_a_call(service, signal.SIGTERM)
    assert not list(scratch.iterdir())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_before_it_is_ready_leaves_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    scratch, output = tmp_path / "scratch", tmp_path / "output.txt"
    scratch.mkdir()
    with contextlib.closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")  # the gateway waits for its store
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
            assert process.wait(TIMEOUT) == 128 + number
        finally:
            process.kill()
            process.wait()
    assert not list(scratch.iterdir())
    assert output.read_text() == ""

"""The exported figures are what happened: they equal the log's lines and the ledger."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import struct
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from brskills_server.telemetry import FIGURES
from tests.services.gateway import free_port, start, wait_until_ready
from tests.simulator import Simulator

from .test_gateway import CHARGE, DEMO, PIX
from .test_processes import eventually, workers

COMPANY, ABSENT = "33000167000101", "99000000000230"


@dataclass(frozen=True)
class Measured:
    """A gateway whose figures are read at a port of their own; ``output`` has its lines."""

    process: int
    base: str
    metrics: str
    output: Path
    providers: Simulator

    def figures(self) -> dict[str, dict[tuple[str, ...], float]]:
        """Every sample by its name, and its labels' values in the order of the labels' names."""
        found: dict[str, dict[tuple[str, ...], float]] = {}
        for family in text_string_to_metric_families(httpx.get(self.metrics, timeout=60).text):
            for sample in family.samples:
                labels = tuple(value for _, value in sorted(sample.labels.items()))
                found.setdefault(sample.name, {})[labels] = sample.value
        return found

    def logged(self) -> Counter[tuple[str, ...]]:
        """Calls by method, route and status, as the log has them."""
        lines = [json.loads(line) for line in self.output.read_text().splitlines()]
        return Counter(
            (*line["route"].split(" "), str(line["status"])) for line in lines if line["message"] == "call"
        )


@pytest.fixture
def measured(tmp_path: Path) -> Iterator[Measured]:
    port, metrics_port, output = free_port(), free_port(), tmp_path / "output.txt"
    base = f"http://127.0.0.1:{port}"
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        settings = {
            "LOG_FORMAT": "json",
            "METRICS_PORT": str(metrics_port),
            "REGISTRY_PROVIDERS": "opencnpj",
            "TMPDIR": str(tmp_path),
            "WORKERS": "2",
        }
        process = start(port, output, **settings, **urls)
        try:
            wait_until_ready(f"{base}/livez", process, output)
            eventually(lambda: '"ready"' in output.read_text())
            yield Measured(process.pid, base, f"http://127.0.0.1:{metrics_port}/metrics", output, providers)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)
    assert not list(tmp_path.glob("brskills-*"))  # its temporary folders went with it


def use_everything(http: httpx.Client, providers: Simulator) -> int:
    """Calls of every kind; returns how many of them the ledger has counted."""
    key = {"X-API-Key": http.post("/api/v1/keys").json()["api_key"]}

    def expect(status: int, method: str, path: str, headers: Any = key, **more: Any) -> None:
        answer = http.request(method, path, headers=headers, **more)
        assert answer.status_code == status, answer.text

    with ThreadPoolExecutor(8) as pool:  # from all workers
        list(pool.map(lambda _: expect(200, "POST", PIX, json=CHARGE), range(30)))
    for _ in range(3):
        expect(422, "POST", PIX, json={})
        expect(200, "POST", f"{PIX}/decode", json={"brcode": "000201"})
        expect(401, "POST", PIX, headers={}, json=CHARGE)
        expect(404, "GET", f"/{random.random()}")
    for _ in range(2):
        expect(200, "GET", f"/api/v1/skills/cnpj/{COMPANY}")  # from its source, then stored
    expect(200, "GET", "/api/v1/skills/cnpj/SANDBOX1000170")
    expect(404, "GET", f"/api/v1/skills/cnpj/{ABSENT}")
    providers.play("opencnpj", "500")
    expect(503, "GET", f"/api/v1/skills/cnpj/{COMPANY}?idade_maxima=0")
    batch = {"cnpjs": [COMPANY, COMPANY, "11222333000181", "SANDBOX1000170", "x"]}  # the third one fails
    expect(200, "POST", "/api/v1/skills/cnpj/lote", json=batch)
    for _ in range(2):
        headers = {**key, "Idempotency-Key": "a"}
        expect(200, "POST", f"{PIX}/lote", headers, json={"itens": [CHARGE, {}, CHARGE]})
    for name, arguments in (("create_pix_code", CHARGE), ("create_pix_code", {})):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        expect(200, "POST", "/mcp", json={**message, "params": {"name": name, "arguments": arguments}})
    expect(200, "HEAD", "/api/v1/plans")
    calls: int = http.get("/api/v1/usage", headers=key).json()["chamadas"]
    return calls


def test_figures_equal_the_log_and_the_ledger(measured: Measured) -> None:
    with httpx.Client(base_url=measured.base, timeout=60) as http:
        counted = use_everything(http, measured.providers)
    assert counted == 30 + 2 + 1 + 1 + 2
    found = measured.figures()

    requests = found["brskills_request_duration_seconds_count"]
    assert requests == measured.logged()
    calls = found["brskills_calls_total"]
    # By outcome, plan and skill.
    assert calls == {
        ("counted", "free", "create_pix_code"): 31,
        ("counted", "free", "create_pix_codes"): 2,
        ("counted", "free", "look_up_companies"): 1,
        ("counted", "free", "look_up_company"): 2,
        ("failed", "free", "look_up_companies"): 1,
        ("failed", "free", "look_up_company"): 1,
        ("free", "free", "create_pix_codes"): 2,
        ("free", "free", "look_up_companies"): 2,
        ("free", "free", "look_up_company"): 1,
        ("free", "unknown", "decode_pix_code"): 3,
        ("free", "unknown", "get_usage"): 1,
        ("free", "unknown", "look_up_company"): 1,
        ("refused", "free", "create_pix_codes"): 2,
        ("refused", "free", "look_up_companies"): 1,
        ("refused", "unknown", "create_pix_code"): 4,
    }
    assert counted == sum(value for (outcome, *_), value in calls.items() if outcome == "counted")
    lines = [json.loads(line) for line in measured.output.read_text().splitlines()]
    due, failed = (sum(line.get(fact, 0) for line in lines) for fact in ("calls", "failed"))
    assert found["brskills_due_calls_total"] == {("answered",): due - failed, ("failed",): failed}
    ledger = found["brskills_ledger_operations_total"]  # by operation and outcome
    assert ledger == {("reserve", "done"): 37, ("release", "done"): 2, ("release_absence", "done"): 1}
    assert found["brskills_refusals_total"] == {
        ("invalid_fields",): 7,
        ("missing_api_key",): 3,
        ("not_found",): 3,
        ("company_not_found",): 1,
        ("sources_unavailable",): 2,
    }
    assert found["brskills_company_answers_total"] == {
        ("live",): 1,
        ("stored",): 2,
        ("sandbox",): 2,
        ("unconfirmed",): 1,
        ("unavailable",): 2,
    }
    assert found["brskills_company_age_seconds_count"] == {("live",): 1, ("stored",): 2}
    providers = {("found", "opencnpj"): 1, ("missing", "opencnpj"): 1, ("rejected", "opencnpj"): 2}
    assert found["brskills_provider_attempts_total"] == providers
    assert found["brskills_provider_duration_seconds_count"] == providers
    assert found["brskills_requests_under_way"] == {(): 0}
    assert "brskills_store_failures_total" not in found


def test_a_dead_workers_counts_stay_and_what_it_did_is_no_longer_under_way(measured: Measured) -> None:
    with httpx.Client(base_url=measured.base, timeout=60) as http:
        for _ in range(20):
            assert http.post(PIX, json=CHARGE, headers=DEMO).status_code == 200
    before = workers(measured.process)
    with socket.create_connection(("127.0.0.1", int(measured.base.rpartition(":")[2]))) as unfinished:
        unfinished.sendall(b"POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        eventually(lambda: measured.figures()["brskills_requests_under_way"] == {(): 1})
        for worker in before:
            os.kill(worker, signal.SIGKILL)
        eventually(lambda: measured.figures()["brskills_workers_replaced_total"] == {(): 2})
    found = measured.figures()
    assert found["brskills_calls_total"] == {("counted", "demo", "create_pix_code"): 20}
    assert found["brskills_requests_under_way"] == {(): 0}
    lines = [json.loads(line) for line in measured.output.read_text().splitlines()]
    assert {line["worker"] for line in lines if line["message"] == "worker replaced"} == set(before)


def test_whatever_callers_send_the_number_of_series_is_bounded(measured: Measured) -> None:
    with httpx.Client(base_url=measured.base, timeout=60) as http:
        for n in range(100):
            http.request(f"M{n}", f"/{n}/segredo", headers={"X-API-Key": f"segredo{n}"})
            http.get(f"/api/v1/skills/cnpj/{n}", headers={"X-API-Key": f"segredo{n}"})
            http.get(f"/static/x/{n}.css")
        text = httpx.get(measured.metrics).text
    assert "segredo" not in text
    assert set(measured.figures()["brskills_request_duration_seconds_count"]) == {
        ("-", "-", "404"),
        ("GET", "/api/v1/skills/cnpj/{cnpj+}", "401"),
        ("GET", "/static/{file+}", "404"),
        ("GET", "/livez", "200"),
    }
    named = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    assert named <= {figure.name for figure in FIGURES}


def test_who_hangs_up_before_the_figures_come_leaves_no_line(measured: Measured) -> None:
    port = int(measured.metrics.removesuffix("/metrics").rpartition(":")[2])
    reset = struct.pack("ii", 1, 0)  # close by RST
    for sent in (b"GET /metrics HTTP/1.1\r\n\r\n", b"\x16\x03\x01", b"POST / HTTP/1.1\r\n\r\n") * 10:
        with socket.create_connection(("127.0.0.1", port)) as caller:
            caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
            caller.sendall(sent)
    assert measured.figures()
    assert {json.loads(line)["message"] for line in measured.output.read_text().splitlines()} <= {
        "ready",
        "call",
    }


def test_idle_connections_take_no_threads_and_no_place_of_who_asks(measured: Measured) -> None:
    port = int(measured.metrics.removesuffix("/metrics").rpartition(":")[2])
    threads = Path(f"/proc/{measured.process}/task")
    assert measured.figures()
    before = len(list(threads.iterdir()))
    with ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        assert measured.figures()
        assert len(list(threads.iterdir())) == before
        late = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        late.settimeout(60)
        late.sendall(b"GET /metrics HTTP/1.1\r\n")
        assert late.recv(100).startswith(b"HTTP/1.1 408 ")


def test_without_a_port_nothing_listens_and_nothing_is_written(tmp_path: Path) -> None:
    port = free_port()
    process = start(port, None, TMPDIR=str(tmp_path), WORKERS="1", STORE=f"sqlite:///{tmp_path}/x.db")
    try:
        wait_until_ready(f"http://127.0.0.1:{port}/livez", process)
        assert not list(tmp_path.glob("brskills-metrics-*"))
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)

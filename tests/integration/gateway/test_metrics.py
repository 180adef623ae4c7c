"""The exported metrics equal the log's lines and the ledger."""

from __future__ import annotations

import os
import random
import signal
import socket
import struct
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from brskills_server.telemetry.figures import FIGURES
from tests.services.gateway import free_port

from .service import CHARGE, CNPJ, DEMO, PIX, TIMEOUT, Service, connect, eventually, serve, workers

COMPANY, ABSENT = "33000167000101", "99000000000230"
ODD_METHODS = ("PURGE", "MKCOL", "REPORT", "SEARCH")
"""The parser knows these, and refuses those that nobody has registered."""

Samples = dict[str, dict[tuple[str, ...], float]]


@dataclass(frozen=True)
class Measured:
    """A gateway whose metrics are read at a port of their own."""

    service: Service
    metrics: str

    def samples(self) -> Samples:
        """Every sample by its name, and its labels' values in the order of the labels' names."""
        found: Samples = {}
        for family in text_string_to_metric_families(httpx.get(self.metrics, timeout=TIMEOUT).text):
            for sample in family.samples:
                labels = tuple(value for _, value in sorted(sample.labels.items()))
                found.setdefault(sample.name, {})[labels] = sample.value
        return found


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measured]:
    folder, port = tmp_path_factory.mktemp("metrics"), free_port()
    settings = {"LOG_FORMAT": "json", "METRICS_PORT": str(port), "TMPDIR": str(folder), "STORE": "memory"}
    with serve(folder, **settings) as service:
        yield Measured(service, f"http://127.0.0.1:{port}/metrics")


def use_everything(service: Service, http: httpx.Client) -> int:
    """Make calls of every kind; return how many of them the ledger has counted."""

    def expect(status: int, method: str, path: str, **more: Any) -> None:
        answer = http.request(method, path, **more)
        assert answer.status_code == status, answer.text

    with ThreadPoolExecutor(8) as pool:  # from all workers
        list(pool.map(lambda _: expect(200, "POST", PIX, json=CHARGE), range(30)))
    for _ in range(3):
        expect(422, "POST", PIX, json={})
        expect(200, "POST", f"{PIX}/decode", json={"brcode": "000201"})
        expect(401, "POST", PIX, headers={"X-API-Key": ""}, json=CHARGE)
        expect(404, "GET", f"/{random.random()}")
    for _ in range(2):
        expect(200, "GET", f"{CNPJ}/{COMPANY}")  # from its source, then stored
    expect(200, "GET", f"{CNPJ}/SANDBOX1000170")
    expect(404, "GET", f"{CNPJ}/{ABSENT}")
    service.providers.play("opencnpj", "500")
    expect(503, "GET", f"{CNPJ}/{COMPANY}?idade_maxima=0")
    batch = {"cnpjs": [COMPANY, COMPANY, "11222333000181", "SANDBOX1000170", "x"]}  # the third one fails
    expect(200, "POST", f"{CNPJ}/lote", json=batch)
    for _ in range(2):
        headers = {"Idempotency-Key": "a"}
        expect(200, "POST", f"{PIX}/lote", headers=headers, json={"itens": [CHARGE, {}, CHARGE]})
    for name, arguments in (("create_pix_code", CHARGE), ("create_pix_code", {})):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        expect(200, "POST", "/mcp", json={**message, "params": {"name": name, "arguments": arguments}})
    expect(200, "HEAD", "/api/v1/plans")
    calls: int = http.get("/api/v1/usage").json()["chamadas"]
    return calls


def test_metrics_equal_the_log_and_the_ledger(measured: Measured) -> None:  # first of those that share it
    service = measured.service
    with service.caller() as http:
        counted = use_everything(service, http)
    assert counted == 30 + 2 + 1 + 1 + 2
    found = measured.samples()
    lines = [line for line in service.lines() if line["message"] == "call"]
    requests = Counter((*line["route"].split(" "), str(line["status"])) for line in lines)
    assert found["brskills_request_duration_seconds_count"] == requests
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
    due, failed = (sum(line.get(field, 0) for line in lines) for field in ("calls", "failed"))
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


def test_whatever_callers_send_the_number_of_series_is_bounded(measured: Measured) -> None:
    name = "brskills_request_duration_seconds_count"
    before = measured.samples().get(name, {})
    with httpx.Client(base_url=measured.service.base, timeout=TIMEOUT) as http:
        for n in range(20):
            http.request(ODD_METHODS[n % 4], f"/{n}/segredo", headers={"X-API-Key": f"segredo{n}"})
            http.get(f"{CNPJ}/{n}", headers={"X-API-Key": f"segredo{n}"})
            http.get(f"/static/x/{n}.css")
        text = httpx.get(measured.metrics).text
    assert "segredo" not in text
    after = measured.samples()[name]
    assert {series for series in after if after[series] != before.get(series)} == {
        ("-", "-", "404"),
        ("GET", "/api/v1/skills/cnpj/{cnpj+}", "401"),
        ("GET", "/static/{file+}", "404"),
    }
    named = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    assert named <= {figure.name for figure in FIGURES}


def test_clients_that_hang_up_leave_no_line_and_idle_ones_take_no_thread(measured: Measured) -> None:
    port = int(measured.metrics.removesuffix("/metrics").rpartition(":")[2])
    lines = len(measured.service.lines())
    reset = struct.pack("ii", 1, 0)  # close by RST
    for sent in (b"GET /metrics HTTP/1.1\r\n\r\n", b"\x16\x03\x01", b"POST / HTTP/1.1\r\n\r\n") * 10:
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
            client.sendall(sent)
    assert measured.samples()
    assert {line["message"] for line in measured.service.lines()[lines:]} <= {"call"}

    threads = Path(f"/proc/{measured.service.process.pid}/task")
    before = len(list(threads.iterdir()))
    with ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        assert measured.samples()
        assert len(list(threads.iterdir())) == before


@pytest.mark.thorough
def test_a_dead_workers_counts_stay_and_its_requests_are_no_longer_in_progress(measured: Measured) -> None:
    service, calls = measured.service, ("counted", "demo", "create_pix_code")
    with httpx.Client(base_url=service.base, timeout=TIMEOUT) as http:
        for _ in range(20):
            assert http.post(PIX, json=CHARGE, headers=DEMO).status_code == 200
    before = workers(service.process.pid)
    with connect(service.base) as unfinished:
        unfinished.sendall(b"POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        eventually(lambda: measured.samples()["brskills_requests_under_way"] == {(): 1})
        for worker in before:
            os.kill(worker, signal.SIGKILL)
        eventually(lambda: measured.samples().get("brskills_workers_replaced_total") == {(): 2})
    found = measured.samples()
    assert found["brskills_calls_total"][calls] == 20
    assert found["brskills_requests_under_way"] == {(): 0}
    replaced = {line["worker"] for line in service.lines() if line["message"] == "worker replaced"}
    assert replaced == set(before)


@pytest.mark.thorough
def test_a_gateway_that_is_killed_leaves_no_worker_and_no_temporary_folder(measured: Measured) -> None:
    service = measured.service
    assert len(list(service.output.parent.glob("brskills-*"))) == 2
    service.process.kill()
    service.process.wait()

    def is_gone() -> bool:
        with suppress(ConnectionRefusedError):
            connect(service.base).close()
            return False
        return True

    eventually(is_gone)
    eventually(lambda: not list(service.output.parent.glob("brskills-*")))

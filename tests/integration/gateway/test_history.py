"""The history is what happened: it equals the recount of the log, whatever failed, however it was asked."""

from __future__ import annotations

import contextlib
import json
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from brskills_server.adapters.sqlite import open_stores
from brskills_server.telemetry.day_counts import DayCounts
from tests.services.gateway import free_port, gateway, start, wait_until_ready
from tests.services.packages import EXAMPLE, install, python_path
from tests.services.store import Destination
from tests.simulator import Simulator

from .test_gateway import CHARGE, DEMO, PIX
from .test_processes import PATIENCE, eventually

COMPANY, ABSENT = "33000167000101", "99000000000230"
CNPJ = "/api/v1/skills/cnpj"


@dataclass(frozen=True)
class Started:
    """A gateway of two workers; ``store`` is its file."""

    process: subprocess.Popen[bytes]
    base: str
    store: Path
    output: Path
    providers: Simulator

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it in order."""
        self.process.send_signal(number)
        assert self.process.wait(PATIENCE) == 0

    def logged(self) -> tuple[int, int]:
        """Calls and failures by the gateway's own lines."""
        lines = [json.loads(line) for line in self.output.read_text().splitlines()]
        told = [line for line in lines if line["message"] == "call" and "service" not in line]
        return sum(line.get("calls", 0) for line in told), sum(line.get("failed", 0) for line in told)

    def logged_by_functions(self) -> tuple[int, int]:
        """The same by the lines that functions leave on AWS, too."""
        lines = [json.loads(line) for line in self.output.read_text().splitlines()]
        told = [line for line in lines if line["message"] == "call" and "service" in line]
        return sum(line.get("calls", 0) for line in told), sum(line.get("failed", 0) for line in told)

    def kept(self) -> tuple[int, int]:
        """Calls and failures by the store."""
        days = open_stores(Destination(f"sqlite:///{self.store}")).access.days("2000-01-01", "9999-12-31")
        return total(list(days.values()))


def total(counts: list[DayCounts]) -> tuple[int, int]:
    return sum(one.calls for one in counts), sum(one.failed for one in counts)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Started]:
    port, output, store = free_port(), tmp_path / "output.txt", tmp_path / "x.db"
    install(EXAMPLE, tmp_path / "packages")
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        settings = {
            **python_path(tmp_path / "packages"),
            "LOG_FORMAT": "json",
            "POWERTOOLS_LOG_LEVEL": "INFO",
            "REGISTRY_PROVIDERS": "opencnpj",
            "SKILL_PLANS": "look_up_bank=free",
            "STORE": f"sqlite:///{store}",
            "STORE_TIMEOUT_SECONDS": "1",
            "WORKERS": "2",
        }
        process = start(port, output, **settings, **urls)
        try:
            base = f"http://127.0.0.1:{port}"
            wait_until_ready(f"{base}/livez", process, output)
            eventually(lambda: '"ready"' in output.read_text())
            yield Started(process, base, store, output, providers)
        finally:
            process.kill()
            process.wait()


class Caller:
    """Somebody with a key of their own, and a connection for each call, so that every worker is met."""

    def __init__(self, base: str) -> None:
        self._base = base
        self.key = {"X-API-Key": httpx.post(f"{base}/api/v1/keys", timeout=PATIENCE).json()["api_key"]}

    def ask(self, status: int, method: str, path: str, headers: Any = None, **more: Any) -> Any:
        headers = self.key if headers is None else headers
        answer = httpx.request(method, self._base + path, headers=headers, timeout=PATIENCE, **more)
        assert answer.status_code == status, answer.text
        return answer.json()

    def use(self, tool: str, **arguments: Any) -> bool:
        """Whether a tool answers."""
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        params = {"name": tool, "arguments": arguments}
        return not self.ask(200, "POST", "/mcp", json={**message, "params": params})["result"].get("isError")


def test_the_history_of_a_bad_day_can_be_recounted_from_the_log(started: Started) -> None:
    caller = Caller(started.base)
    calls, failed = 0, 0

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: caller.ask(200, "POST", PIX, json=CHARGE), range(20)))
    caller.ask(200, "POST", f"{PIX}/decode", json={"brcode": "000201"})
    caller.ask(200, "GET", f"{CNPJ}/{COMPANY}")
    assert not caller.ask(404, "GET", f"{CNPJ}/{ABSENT}")["confirmado"]
    caller.ask(200, "GET", f"{CNPJ}/SANDBOX1000170")
    caller.ask(503, "GET", f"{CNPJ}/SANDBOX5000158")  # which is what was asked for
    caller.ask(200, "POST", f"{PIX}/lote", json={"itens": [CHARGE, {}, CHARGE]})
    caller.ask(200, "POST", "/api/v1/skills/custom/look_up_bank", json={"codigo": "341"})
    assert caller.use("create_pix_code", **CHARGE)
    assert caller.use("look_up_bank", codigo="341")
    calls += 20 + 1 + 1 + 1 + 1 + 1 + 2 + 1 + 1 + 1

    # Nothing of this was due an answer, or is a call of a skill.
    caller.ask(422, "POST", PIX, json={})
    caller.ask(401, "POST", PIX, headers={}, json=CHARGE)
    caller.ask(401, "POST", PIX, headers={"X-API-Key": "brsk_unknown"}, json=CHARGE)
    caller.ask(404, "POST", "/api/v1/skills/custom/nothing", json={})
    caller.ask(200, "GET", "/api/v1/usage")
    assert caller.use("get_usage")
    assert not caller.use("create_pix_code")

    started.providers.play("opencnpj", "429-retry-after")
    caller.ask(503, "GET", f"{CNPJ}/{COMPANY}?idade_maxima=0")
    batch = {"cnpjs": [COMPANY, COMPANY, "11222333000181", "SANDBOX1000170", "x"]}  # the third one fails
    caller.ask(200, "POST", f"{CNPJ}/lote", json=batch)
    assert not caller.use("look_up_company", cnpj="11222333000181")
    caller.ask(503, "POST", f"{PIX}/conferir", json={"chave": "11222333000181", "nome_recebedor": "x"})
    calls, failed = calls + 1 + 4 + 1 + 1, failed + 4

    started.end()
    assert started.logged() == started.logged_by_functions() == started.kept() == (calls, failed)
    with gateway(STORE=f"sqlite:///{started.store}", WORKERS="1") as base:
        told = httpx.get(f"{base}/api/v1/status", timeout=PATIENCE).json()
    days = told["historico"]
    assert total([DayCounts(day["chamadas"], day["falhas"]) for day in days]) == (calls, failed)
    assert all(0 < day["disponibilidade"] <= 1 for day in days)
    assert told["sla"]["meta"] == 0.999


def test_a_store_that_is_away_is_in_the_history_when_it_is_back(started: Started) -> None:
    known, unknown = Caller(started.base), Caller(started.base)
    known.ask(200, "POST", PIX, json=CHARGE)
    with contextlib.closing(sqlite3.connect(started.store, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        known.ask(503, "POST", PIX, json=CHARGE)
        known.ask(503, "POST", PIX, json=CHARGE)
        other.execute("ROLLBACK")
    with contextlib.closing(sqlite3.connect(started.store, isolation_level=None)) as other:
        other.execute("ALTER TABLE keys RENAME TO away")  # nobody can say whose key this is
        unknown.ask(503, "POST", PIX, json=CHARGE)
        unknown.ask(503, "GET", "/api/v1/usage")
        assert not unknown.use("create_pix_code", **CHARGE)
        other.execute("ALTER TABLE away RENAME TO keys")
    unknown.ask(200, "POST", PIX, json=CHARGE)
    started.end(signal.SIGINT)
    assert started.logged() == started.logged_by_functions() == started.kept() == (6, 4)


def test_workers_that_are_replaced_leave_their_counts(started: Started) -> None:
    caller = Caller(started.base)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: caller.ask(200, "POST", PIX, json=CHARGE), range(16)))
    started.process.send_signal(signal.SIGHUP)
    eventually(lambda: started.output.read_text().count("worker replaced") == 2)
    assert started.kept() == started.logged() == (16, 0)


def test_a_number_that_keeps_failing_alone_is_one_failure_a_minute_and_process(started: Started) -> None:
    caller = Caller(started.base)
    started.providers.play("opencnpj", "empty-name")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: caller.ask(503, "GET", f"{CNPJ}/{COMPANY}?idade_maxima=0"), range(40)))
    assert started.providers.asked("opencnpj") <= 2
    for _ in range(5):
        caller.ask(200, "POST", f"{CNPJ}/lote", json={"cnpjs": [COMPANY], "idade_maxima": 0})
    started.end()
    calls, failed = started.kept()
    assert started.logged() == started.logged_by_functions() == (calls, failed)
    assert calls == failed
    assert 1 <= failed <= 2  # a minute, in each of two processes


def test_the_demo_keys_calls_are_counted_apart(started: Started) -> None:
    caller, demo = Caller(started.base), DEMO
    caller.ask(200, "POST", PIX, json=CHARGE)
    started.providers.play("opencnpj", "429-retry-after")
    for _ in range(3):
        caller.ask(503, "GET", f"{CNPJ}/{COMPANY}", headers=demo)
    caller.ask(200, "POST", PIX, headers=demo, json=CHARGE)
    started.end()
    assert started.logged() == started.logged_by_functions() == started.kept() == (1, 0)
    lines = [json.loads(line) for line in started.output.read_text().splitlines()]
    told = [line for line in lines if line["message"] == "call" and "service" not in line]
    assert sum(line.get("demo_calls", 0) for line in told) == 4
    assert sum(line.get("demo_failed", 0) for line in told) == 3
    with gateway(STORE=f"sqlite:///{started.store}", WORKERS="1") as base:
        (day,) = httpx.get(f"{base}/api/v1/status", timeout=PATIENCE).json()["historico"]
    assert (day["chamadas"], day["falhas"], day["demo"]) == (1, 0, {"chamadas": 4, "falhas": 3})

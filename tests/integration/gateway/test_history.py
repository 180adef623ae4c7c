"""The history of calls equals the recount of the log, whatever failed and however it was called."""

from __future__ import annotations

import contextlib
import signal
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from brskills_server.adapters.sqlite import open_stores
from tests.services.gateway_thread import gateway_thread
from tests.services.packages import EXAMPLE, install, python_path
from tests.services.store import Destination

from .service import CHARGE, CNPJ, DEMO, PIX, TIMEOUT, Service, eventually, serve

COMPANY, ABSENT, BROKEN = "33000167000101", "99000000000230", "19131243000197"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    install(EXAMPLE, folder)
    return folder


@pytest.fixture
def service(tmp_path: Path, packages: Path) -> Iterator[Service]:
    settings = {
        **python_path(packages),
        "LOG_FORMAT": "json",
        "POWERTOOLS_LOG_LEVEL": "INFO",
        "SKILL_PLANS": "look_up_bank=free",
        "STORE_TIMEOUT_SECONDS": "1",
    }
    with serve(tmp_path, **settings) as started:
        yield started


def logged(service: Service, *names: str, by_functions: bool = False) -> tuple[int, ...]:
    """Sums over the calls' lines: the gateway's, or those that functions write on AWS too."""
    lines = [
        line for line in service.lines() if line["message"] == "call" and ("service" in line) == by_functions
    ]
    return tuple(sum(line.get(name, 0) for line in lines) for name in names or ("calls", "failed"))


def stored(service: Service) -> tuple[int, int]:
    days = open_stores(Destination(f"sqlite:///{service.store}")).access.days("2000-01-01", "9999-12-31")
    return sum(day.calls for day in days.values()), sum(day.failed for day in days.values())


class Caller:
    """An account with a connection for each call, so that every worker is reached."""

    def __init__(self, service: Service) -> None:
        self._http = httpx.Client(base_url=service.base, headers={"Connection": "close"}, timeout=TIMEOUT)
        self.key = service.new_key()

    def ask(self, status: int, method: str, path: str, headers: Any = None, **more: Any) -> Any:
        headers = self.key if headers is None else headers
        answer = self._http.request(method, path, headers=headers, **more)
        assert answer.status_code == status, answer.text
        return answer.json()

    def use(self, tool: str, **arguments: Any) -> bool:
        """Whether a tool succeeds."""
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        params = {"name": tool, "arguments": arguments}
        return not self.ask(200, "POST", "/mcp", json={**message, "params": params})["result"].get("isError")


def test_the_history_of_a_bad_day_can_be_recounted_from_the_log(service: Service) -> None:
    caller = Caller(service)
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
    calls = 20 + 1 + 1 + 1 + 1 + 1 + 2 + 1 + 1 + 1

    # Errors of the caller, and what is no call of a skill.
    caller.ask(422, "POST", PIX, json={})
    caller.ask(401, "POST", PIX, headers={}, json=CHARGE)
    caller.ask(401, "POST", PIX, headers={"X-API-Key": "brsk_unknown"}, json=CHARGE)
    caller.ask(404, "POST", "/api/v1/skills/custom/nothing", json={})
    caller.ask(200, "GET", "/api/v1/usage")
    assert caller.use("get_usage")
    assert not caller.use("create_pix_code")

    service.providers.play("opencnpj", "429-retry-after")
    caller.ask(503, "GET", f"{CNPJ}/{COMPANY}?idade_maxima=0")
    batch = {"cnpjs": [COMPANY, COMPANY, "11222333000181", "SANDBOX1000170", "x"]}  # the third one fails
    caller.ask(200, "POST", f"{CNPJ}/lote", json=batch)
    assert not caller.use("look_up_company", cnpj="11222333000181")
    caller.ask(503, "POST", f"{PIX}/conferir", json={"chave": "11222333000181", "nome_recebedor": "x"})
    calls, failed = calls + 1 + 4 + 1 + 1, 4
    for _ in range(3):
        caller.ask(503, "GET", f"{CNPJ}/11444777000161", headers=DEMO)
    caller.ask(200, "POST", PIX, headers=DEMO, json=CHARGE)

    service.stop()
    assert logged(service) == logged(service, by_functions=True) == stored(service) == (calls, failed)
    assert logged(service, "demo_calls", "demo_failed") == (4, 3)
    with gateway_thread(STORE=f"sqlite:///{service.store}") as base:
        status = httpx.get(f"{base}/api/v1/status", timeout=TIMEOUT).json()
    days = status["historico"]
    assert (sum(day["chamadas"] for day in days), sum(day["falhas"] for day in days)) == (calls, failed)
    assert sum(day["demo"]["falhas"] for day in days) == 3
    assert all(0 < day["disponibilidade"] <= 1 for day in days)
    assert status["sla"]["meta"] is None


@pytest.mark.thorough
def test_no_call_is_lost_when_the_store_is_away_or_workers_are_replaced(service: Service) -> None:
    known, unknown = Caller(service), Caller(service)
    service.providers.play("opencnpj", "empty-name")  # a number that keeps failing alone
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: known.ask(503, "GET", f"{CNPJ}/{BROKEN}?idade_maxima=0"), range(10)))
    assert service.providers.asked("opencnpj") <= 2
    for _ in range(2):
        known.ask(200, "POST", f"{CNPJ}/lote", json={"cnpjs": [BROKEN], "idade_maxima": 0})

    known.ask(200, "POST", PIX, json=CHARGE)
    with contextlib.closing(sqlite3.connect(service.store, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for _ in range(2):
            known.ask(503, "POST", PIX, json=CHARGE)
        other.execute("ROLLBACK")
    with contextlib.closing(sqlite3.connect(service.store, isolation_level=None)) as other:
        other.execute("ALTER TABLE keys RENAME TO away")  # the key's account cannot be read
        unknown.ask(503, "POST", PIX, json=CHARGE)
        unknown.ask(503, "GET", "/api/v1/usage")
        assert not unknown.use("create_pix_code", **CHARGE)
        other.execute("ALTER TABLE away RENAME TO keys")
    unknown.ask(200, "POST", PIX, json=CHARGE)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: known.ask(200, "POST", PIX, json=CHARGE), range(16)))
    service.process.send_signal(signal.SIGHUP)
    eventually(lambda: service.output.read_text().count("worker replaced") == 2)
    assert stored(service) == logged(service)
    known.ask(200, "POST", PIX, json=CHARGE)
    service.stop(signal.SIGINT)
    calls, failed = stored(service)
    assert logged(service) == logged(service, by_functions=True) == (calls, failed)
    assert calls - failed == 1 + 1 + 16 + 1
    assert 4 + 1 <= failed <= 4 + 2  # the broken number once a minute, in each of two processes

"""The gateway over our own copy of the register: it comes, changes and goes while the gateway runs."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.register.copy_file import write_copy
from tests.services.gateway import gateway
from tests.simulator import Simulator
from tests.simulator.companies import company

from .test_gateway import DEMO

CNPJ = "/api/v1/skills/cnpj"
SEPTEMBER, OCTOBER = date(2026, 9, 12), date(2026, 10, 10)
COMPANY, NEW, NOBODY = "11222333000181", "98000000000196", "99000000000159"
PATIENCE = 60


@dataclass(frozen=True)
class Running:
    """A gateway with providers and a folder for copies; ``output`` is the file of what it prints."""

    http: httpx.Client
    providers: Simulator
    folder: Path
    output: Path

    def body(self, cnpj: str) -> dict[str, Any]:
        """What a look-up answers, whatever its status."""
        found: dict[str, Any] = self.http.get(f"{CNPJ}/{cnpj}").json()
        return found

    def sources(self) -> list[str]:
        """What the status page lists."""
        return [part["nome"] for part in self.http.get("/api/v1/status").json()["componentes"]]


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    folder, output = tmp_path / "receita", tmp_path / "output.txt"
    with Simulator() as providers:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        settings = {"REGISTRY_COPY": str(folder), "DEMO_MONTHLY_LIMIT": "1000000", "WORKERS": "2"}
        write_copy(folder, [company(COMPANY)], SEPTEMBER)
        with (
            gateway(output, **settings, **urls) as base,
            httpx.Client(base_url=base, timeout=60, headers=DEMO) as http,
        ):
            yield Running(http, providers, folder, output)


def eventually(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_company_comes_from_the_copy_by_every_way_and_nobody_is_asked(running: Running) -> None:
    answer = running.http.get(f"{CNPJ}/{COMPANY}")
    assert answer.status_code == 200
    body = answer.json()
    assert (body["fonte"], body["data_base"]) == ("receita", SEPTEMBER.isoformat())
    assert (body["razao_social"], body["capital_social"]) == (
        company(COMPANY)["razao_social"],
        company(COMPANY)["capital_social"],
    )
    assert (body["idade_segundos"], body["desatualizado"]) == (0, False)
    posted = running.http.post(CNPJ, json={"cnpj": COMPANY, "idade_maxima": 0})
    assert (posted.status_code, posted.json()["fonte"]) == (200, "receita")
    again = running.http.get(f"{CNPJ}/{COMPANY}", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    told = running.http.post(
        "/mcp",
        json={
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "look_up_company", "arguments": {"cnpj": COMPANY}},
        },
        headers={"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"},
    )
    found = told.json()["result"]["structuredContent"]
    times = {"consultado_em", "idade_segundos"}
    assert {k: v for k, v in found.items() if k not in times} == {
        k: v for k, v in body.items() if k not in times
    }
    assert running.providers.calls == []


def test_what_it_lacks_is_asked_of_the_others(running: Running) -> None:
    assert running.body(NEW)["fonte"] == "cnpja"
    absent = running.body(NOBODY)
    assert (absent["code"], absent["confirmado"]) == ("company_not_found", True)
    assert absent["data_base"] == SEPTEMBER.isoformat()
    assert {provider for provider, _ in running.providers.calls} == {"cnpja"}


def test_it_is_told_at_the_start_and_on_the_status_page(running: Running) -> None:
    eventually(lambda: f"There is a copy of the register of {SEPTEMBER}." in running.output.read_text())
    assert running.sources()[:4] == ["armazenamento", "pix", "cnpj", "receita"]
    parts = running.http.get("/api/v1/status").json()["componentes"]
    assert {part["nome"]: part["status"] for part in parts[:5]} == {
        **dict.fromkeys(("armazenamento", "pix", "cnpj", "receita"), "operational"),
        "opencnpj": "unknown",  # nobody has asked it
    }


def test_another_month_is_taken_without_a_restart_and_one_that_goes_is_not_missed(running: Running) -> None:
    before = running.http.get(f"{CNPJ}/{COMPANY}").headers["etag"]
    write_copy(running.folder, [company(COMPANY), company("33000167000101")], OCTOBER)
    eventually(lambda: running.body("33000167000101")["fonte"] == "receita")
    assert running.body(COMPANY)["fonte"] == "receita"
    eventually(lambda: running.body(COMPANY)["data_base"] == OCTOBER.isoformat())
    after = running.http.get(f"{CNPJ}/{COMPANY}", headers={"If-None-Match": before})
    assert after.status_code == 200
    shutil.rmtree(running.folder)
    eventually(lambda: running.body(COMPANY)["fonte"] == "opencnpj")
    eventually(lambda: "receita" not in running.sources())
    assert "opencnpj" in running.sources()


def test_a_copy_that_comes_later_is_taken(running: Running) -> None:
    shutil.rmtree(running.folder)
    eventually(lambda: running.body(COMPANY)["fonte"] == "opencnpj")
    write_copy(running.folder, [company(COMPANY)], OCTOBER)
    eventually(lambda: running.body(COMPANY)["fonte"] == "receita")


def test_what_is_printed_names_no_company(running: Running) -> None:
    (running.folder / SEPTEMBER.isoformat() / "companies.db").write_bytes(b"damaged" * 4096)
    for _ in range(3):
        assert running.body(COMPANY)["cnpj"] == COMPANY
    assert COMPANY not in running.output.read_text()

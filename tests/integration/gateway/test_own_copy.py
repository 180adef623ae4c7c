"""A gateway over a register snapshot that appears, changes and disappears while it runs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.register.copy_file import write_copy
from tests.simulator.companies import company

from .service import CNPJ, DEMO, TIMEOUT, Served, eventually, serve_here

SEPTEMBER, OCTOBER, NOVEMBER = date(2026, 9, 12), date(2026, 10, 10), date(2026, 11, 14)
COMPANY, NEW, NOBODY, LATER = "11222333000181", "98000000000196", "99000000000159", "33000167000101"
NAMELESS = "99000001000101"
TIMES = {"consultado_em", "idade_segundos"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("snapshot") / "receita"


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Served]:
    settings = {
        "REGISTRY_PROVIDERS": "receita,opencnpj,brasilapi,cnpja,cnpjws,receitaws",
        "REGISTRY_COPY": str(folder),
        "DEMO_MONTHLY_LIMIT": "1000000",
    }
    write_copy(folder, [company(COMPANY)], SEPTEMBER)
    with pytest.MonkeyPatch.context() as patched, serve_here(**settings) as started:
        patched.setattr("brskills_server.adapters.snapshots.stored._LOOK_SECONDS", 0.2)
        yield started


@pytest.fixture
def http(service: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.base, timeout=TIMEOUT, headers=DEMO) as client:
        yield client


def body(http: httpx.Client, cnpj: str) -> dict[str, Any]:
    found: dict[str, Any] = http.get(f"{CNPJ}/{cnpj}").json()
    return found


def sources(http: httpx.Client) -> dict[str, str]:
    parts = http.get("/api/v1/status").json()["componentes"]
    return {part["nome"]: part["status"] for part in parts}


def test_a_company_comes_from_the_snapshot_and_no_provider_is_asked(
    service: Served, http: httpx.Client
) -> None:
    answer = http.get(f"{CNPJ}/{COMPANY}")
    found, expected = answer.json(), company(COMPANY)
    assert (answer.status_code, found["fonte"], found["data_base"]) == (200, "receita", SEPTEMBER.isoformat())
    assert {name: found[name] for name in ("razao_social", "capital_social")} == {
        name: expected[name] for name in ("razao_social", "capital_social")
    }
    assert (found["idade_segundos"], found["desatualizado"]) == (0, False)
    posted = http.post(CNPJ, json={"cnpj": COMPANY, "idade_maxima": 0})
    assert (posted.status_code, posted.json()["fonte"]) == (200, "receita")
    again = http.get(f"{CNPJ}/{COMPANY}", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    call = {"name": "look_up_company", "arguments": {"cnpj": COMPANY}}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    result = http.post("/mcp", json=message, headers=headers).json()["result"]["structuredContent"]
    assert result | dict.fromkeys(TIMES) == found | dict.fromkeys(TIMES)
    assert service.providers.calls == []


def test_the_status_includes_it(http: httpx.Client) -> None:
    assert list(sources(http).items())[:5] == [
        *((name, "operational") for name in ("armazenamento", "pix", "cnpj", "receita")),
        ("opencnpj", "unknown"),  # no look-up has needed it
    ]


def test_what_it_lacks_is_asked_of_providers(service: Served, http: httpx.Client) -> None:
    assert body(http, NEW)["fonte"] == "cnpja"
    absent = body(http, NOBODY)
    assert (absent["code"], absent["confirmado"]) == ("company_not_found", True)
    assert absent["data_base"] == SEPTEMBER.isoformat()
    assert {provider for provider, _ in service.providers.calls} == {"cnpja"}


def test_another_month_is_taken_without_a_restart_and_one_that_is_removed_is_replaced(
    http: httpx.Client, folder: Path
) -> None:
    before = http.get(f"{CNPJ}/{COMPANY}").headers["etag"]
    write_copy(folder, [company(COMPANY), company(LATER)], OCTOBER)
    eventually(lambda: body(http, LATER)["fonte"] == "receita")
    eventually(lambda: body(http, COMPANY)["data_base"] == OCTOBER.isoformat())
    after = http.get(f"{CNPJ}/{COMPANY}", headers={"If-None-Match": before})
    assert after.status_code == 200
    shutil.rmtree(folder)
    eventually(lambda: body(http, COMPANY)["fonte"] == "opencnpj")
    eventually(lambda: "receita" not in sources(http))
    assert "opencnpj" in sources(http)
    write_copy(folder, [company(COMPANY)], OCTOBER)
    eventually(lambda: body(http, COMPANY)["fonte"] == "receita")


def test_a_damaged_snapshot_is_replaced(http: httpx.Client, folder: Path) -> None:
    if not (folder / OCTOBER.isoformat()).exists():  # the tests before may have run in another process
        write_copy(folder, [company(COMPANY)], OCTOBER)
    eventually(lambda: body(http, COMPANY)["data_base"] == OCTOBER.isoformat())
    (folder / OCTOBER.isoformat() / "companies.db").write_bytes(b"damaged" * 4096)
    for _ in range(3):
        assert body(http, COMPANY)["cnpj"] == COMPANY


def test_a_company_whose_record_the_copy_lacks_is_no_absence_and_not_asked_again_today(
    http: httpx.Client, folder: Path
) -> None:
    write_copy(folder, [company(COMPANY), company(NAMELESS) | {"razao_social": ""}], NOVEMBER)
    eventually(lambda: body(http, COMPANY)["data_base"] == NOVEMBER.isoformat())
    answer = http.get(f"{CNPJ}/{NAMELESS}", headers={"Accept-Language": "en"})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "86400")
    assert answer.json()["title"] == "Record incomplete at the source"

"""A gateway over a folder with two months: what changed between them, by every way in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from brskills_server.registry.snapshot.changes import NEW
from brskills_server.snapshot_builder.destinations.history_files import add_step
from tests.integration.adapters.copies.months import write_file
from tests.register.copy_file import put_in_place, rows_of
from tests.simulator.companies import company

from .service import CNPJ, DEMO, TIMEOUT, Served, calls_of, eventually, serve_here

SEPTEMBER, OCTOBER = "2026-09-12", "2026-10-10"
COMPANY, BRANCH, NOBODY = "11222333000181", "11222333000262", "99000000000159"
HISTORY = f"{CNPJ}/historico"
EXPECTED = {
    "cnpj": COMPANY,
    "desde": SEPTEMBER,
    "data_base": OCTOBER,
    "mudancas": [{"data_base": OCTOBER, "campo": "capital_social", "de": "1.00", "para": "2.00"}],
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("snapshot") / "receita"
    rows = rows_of(company(COMPANY))
    rows[BRANCH] = rows[COMPANY]
    file = write_file(
        folder / OCTOBER / "companies.db",
        rows,
        OCTOBER,
        build="0f1e2d3c4b5a6978",
        since=("1f1e2d3c4b5a6978", SEPTEMBER),
        changes={COMPANY[:8]: "c1.00\x1c2.00", BRANCH: NEW},
    )
    add_step(folder, file)
    put_in_place(folder, OCTOBER)
    settings = {"REGISTRY_PROVIDERS": "receita,opencnpj", "REGISTRY_COPY": str(folder)}
    with serve_here(**settings) as started:
        yield started


@pytest.fixture
def http(service: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.base, timeout=TIMEOUT) as client:
        key = client.post("/api/v1/keys").json()["api_key"]
        client.headers["X-API-Key"] = key
        yield client


def test_it_is_the_same_by_path_by_body_and_as_a_tool_and_counts_one_call_each(http: httpx.Client) -> None:
    answers = [
        http.get(f"{HISTORY}/{COMPANY}"),
        http.get(f"{HISTORY}/11.222.333/0001-81"),
        http.get(f"{HISTORY}/11.222.333%2F0001-81"),
        http.post(HISTORY, json={"cnpj": int(COMPANY)}),
    ]
    assert [(answer.status_code, answer.json()) for answer in answers] == [(200, EXPECTED)] * 4
    assert [int(answer.headers["x-ratelimit-remaining"]) for answer in answers] == [99, 98, 97, 96]
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}
    call = {"name": "company_history", "arguments": {"cnpj": COMPANY}}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    result = http.post("/mcp", json=message, headers=headers).json()["result"]
    assert result["structuredContent"] == EXPECTED
    eventually(lambda: calls_of(http) == 5)


def test_a_repeated_request_is_counted_once(http: httpx.Client) -> None:
    twice = [http.post(HISTORY, json={"cnpj": COMPANY}, headers={"Idempotency-Key": "a"}) for _ in range(2)]
    assert [answer.json() for answer in twice] == [EXPECTED] * 2
    assert twice[1].headers["idempotency-replayed"] == "true"
    assert calls_of(http) == 1


def test_it_is_given_as_a_proof(http: httpx.Client) -> None:
    answer = http.get(f"{HISTORY}/{COMPANY}", headers={"Accept": "application/jose"})
    assert answer.headers["content-type"] == "application/jose"
    assert answer.text.count(".") == 2
    assert calls_of(http) == 1


def test_a_branch_that_is_new_says_that_alone(http: httpx.Client) -> None:
    changes = http.get(f"{HISTORY}/{BRANCH}").json()["mudancas"]
    assert changes == [{"data_base": OCTOBER, "campo": "registro", "de": None, "para": "novo"}]


def problem(answer: httpx.Response) -> tuple[int, str, Any]:
    found = answer.json()
    return answer.status_code, found["code"], found.get("errors", [{}])[0].get("code")


def test_what_is_not_answered_costs_nothing(http: httpx.Client) -> None:
    absent = http.post(HISTORY, json={"cnpj": NOBODY})
    assert problem(absent) == (404, "company_not_found", None)
    assert (absent.json()["confirmado"], absent.json()["data_base"]) == (False, OCTOBER)
    assert problem(http.get(f"{HISTORY}/1")) == (422, "invalid_fields", "invalid_cnpj")
    assert problem(http.get(f"{HISTORY}/{COMPANY}?idade_maxima=1")) == (
        422,
        "invalid_fields",
        "unknown_field",
    )
    assert problem(http.get(HISTORY)) == (404, "not_found", None)
    sandbox = http.get(f"{HISTORY}/SANDBOX1000170")
    assert (sandbox.status_code, sandbox.json()["data_base"]) == (200, "2026-10-15")
    away = http.get(f"{HISTORY}/SANDBOX5000158")
    assert (problem(away), away.headers["retry-after"]) == ((503, "copy_unavailable", None), "30")
    assert calls_of(http) == 0


def test_without_a_copy_it_is_not_available(tmp_path: Path) -> None:
    with serve_here(REGISTRY_COPY=str(tmp_path), REGISTRY_PROVIDERS="receita,opencnpj") as started:
        answer = httpx.get(f"{started.base}{HISTORY}/{COMPANY}", headers=DEMO, timeout=TIMEOUT)
    assert problem(answer) == (503, "copy_unavailable", None)
    assert answer.headers["retry-after"] == "3600"
    assert "x-ratelimit-remaining" not in answer.headers

"""The search of a gateway over a snapshot that was built with its index, and that is replaced meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from brskills import verify_proof
from tests.integration.snapshot_builder.building import DAY, LATER_DAY, NEXT_DAY, build, publish
from tests.register.company import companies
from tests.register.truth import records

from .service import CNPJ, DEMO, TIMEOUT, Served, calls_of, eventually, serve_here

SEARCH = f"{CNPJ}/busca"
REGISTERED = list(companies(23, 300, step=7))
RECORDS = {number: record for company in REGISTERED for number, record in records(company, DAY).items()}
ACTIVE = [
    number
    for number, record in sorted(RECORDS.items())
    if record["situacao_cadastral"]["codigo"] == "02" and "LTDA" in record["razao_social"]
]


@pytest.fixture(scope="module")
def months(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Three months with the same companies, by day."""
    folder = tmp_path_factory.mktemp("published")
    for day in (DAY, NEXT_DAY, LATER_DAY):
        # Equal files on another day would be those of the month before.
        publish(folder / day.isoformat(), REGISTERED, day, line_end="\r\n" if day == NEXT_DAY else "\n")
    return {day.isoformat(): folder / day.isoformat() for day in (DAY, NEXT_DAY, LATER_DAY)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "receita"


@pytest.fixture
def service(folder: Path) -> Iterator[Served]:
    settings = {"REGISTRY_PROVIDERS": "receita", "REGISTRY_COPY": str(folder)}
    with serve_here(**settings, DEMO_MONTHLY_LIMIT="1000000") as started:
        yield started


@pytest.fixture
def http(service: Served) -> Iterator[httpx.Client]:
    with service.caller() as client:
        yield client


def found(http: httpx.Client, **content: Any) -> dict[str, Any]:
    answer = http.post(SEARCH, json=content)
    assert answer.status_code == 200, answer.text
    page: dict[str, Any] = answer.json()
    return page


def problem(http: httpx.Client, **content: Any) -> tuple[int, str]:
    answer = http.post(SEARCH, json=content)
    return answer.status_code, answer.json()["code"]


def test_the_pages_have_every_company_and_go_on_while_its_month_is_kept(
    http: httpx.Client, folder: Path, months: dict[str, Path]
) -> None:
    assert problem(http, nome="ltda") == (503, "copy_unavailable")
    assert found(http, nome="SANDBOX")["total"] == 3
    assert calls_of(http) == 0
    build(folder, months[DAY.isoformat()])
    first = found(http, nome="ltda", limite=10)
    assert (first["data_base"], first["total"]) == (DAY.isoformat(), len(ACTIVE))
    build(folder, months[NEXT_DAY.isoformat()])
    eventually(lambda: found(http, nome="ltda", limite=1)["data_base"] == NEXT_DAY.isoformat())
    pages = [first]
    while cursor := pages[-1]["cursor"]:
        pages.append(found(http, nome="ltda", limite=50, cursor=cursor))
    assert [row["cnpj"] for page in pages for row in page["empresas"]] == ACTIVE
    assert {page["data_base"] for page in pages} == {DAY.isoformat()}
    assert problem(http, nome="ltda", uf="SP", cursor=first["cursor"]) == (422, "invalid_fields")
    build(folder, months[LATER_DAY.isoformat()])
    eventually(lambda: found(http, nome="ltda", limite=1)["data_base"] == LATER_DAY.isoformat())
    assert problem(http, nome="ltda", cursor=first["cursor"]) == (410, "cursor_expired")


def test_a_search_finds_by_each_kind_of_field_and_counts(
    http: httpx.Client, folder: Path, months: dict[str, Path]
) -> None:
    build(folder, months[DAY.isoformat()])
    record = next(
        each for each in RECORDS.values() if each["nome_fantasia"] and each["endereco"]["codigo_ibge"]
    )
    address = record["endereco"]
    for number, content in enumerate((
        {"nome": record["nome_fantasia"].split()[0][:4].lower()},
        {"raiz": record["cnpj"][:8]},
        {"cnae": record["cnae_principal"]["codigo"], "uf": address["uf"]},
        {"municipio": address["codigo_ibge"], "natureza_juridica": record["natureza_juridica"]["codigo"]},
        {"municipio": int(address["codigo_siafi"]), "porte": record["porte"]["codigo"]},
        {"cep": address["cep"][:5], "aberta_ate": record["data_inicio_atividade"]},
    ), 1):  # fmt: skip
        page = found(http, **content, situacao="todas", limite=100)
        assert record["cnpj"] in {row["cnpj"] for row in page["empresas"]}, content
        assert calls_of(http) == number
    word = next(word for word in record["nome_fantasia"].split() if len(word) > 5)
    misspelt = found(http, nome=f"{word[:3]}Q{word[4:]}")
    assert misspelt["empresas"] == []
    assert len(misspelt["sugestoes"]) <= 5


def test_a_proof_and_a_tool_have_the_same_page(
    service: Served, http: httpx.Client, folder: Path, months: dict[str, Path]
) -> None:
    build(folder, months[DAY.isoformat()])
    page = found(http, nome="ltda", limite=3)
    query = f"{SEARCH}?nome=ltda&limite=3"
    proof = http.get(query, headers={"Accept": "application/jose"})
    assert (proof.status_code, proof.headers["content-type"]) == (200, "application/jose")
    keys = http.get("/.well-known/jwks.json").json()
    proven = verify_proof(proof.text, keys)
    assert (proven.answer, proven.path) == (page, query)
    call = {"name": "search_companies", "arguments": {"nome": ["ltda"], "limite": 3}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
    answer = http.post("/mcp", json=message, headers=headers).json()["result"]
    assert answer["structuredContent"] == page
    assert calls_of(http) == 3
    with httpx.Client(base_url=service.base, timeout=TIMEOUT, headers=DEMO) as demo:
        assert demo.get(query).json() == page


def test_texts_that_mean_something_to_an_engine_mean_nothing(
    http: httpx.Client, folder: Path, months: dict[str, Path]
) -> None:
    build(folder, months[DAY.isoformat()])
    for text in (
        'ltda" OR "a',
        "NOT ltda",
        "lt*",
        "NEAR(ltda, 2)",
        "words:ltda",
        "m_ltda",
        "\x00ltda",
        "'; --",
    ):
        answer = http.post(SEARCH, content=json.dumps({"nome": text}))
        assert answer.status_code in {200, 422}, text
    assert found(http, nome='"ltda"')["total"] == len(ACTIVE)
    assert found(http, nome="ltda OR ninguem")["total"] == 0

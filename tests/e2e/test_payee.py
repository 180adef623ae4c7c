"""POST /skills/pix/conferir."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

import brcode
from tests.e2e.conftest import Service, calls, failing
from tests.e2e.test_agents import rpc

CHECK = "/api/v1/skills/pix/conferir"
SHOP, SHOP_NAME = "23456780000184", "Loja de Exemplo"
ABSENT, TOO_NEW = "99000000000159", "99000000000230"


def code(key: str | None, name: str = "Padaria Estrela", **fields: str) -> str:
    payee = {"merchant_name": name, "merchant_city": "Recife"}
    return brcode.encode(**{"key": key, **payee, **fields}).payload


def codes(body: dict[str, Any]) -> list[str]:
    """Return the alerts but the one on the age of simulated data, which depends on the day."""
    return [alert["codigo"] for alert in body["alertas"] if alert["codigo"] != "dado_antigo"]


@pytest.mark.parametrize(
    ("cnpj", "name", "result", "alerts"),
    [
        ("SANDBOX1000170", "Empresa de Exemplo", "confere", []),
        ("SANDBOX2000114", "Maria Souza", "diverge", ["empresa_inativa", "nome_diverge"]),
        ("SANDBOX3000169", "Joana de Exemplo", "confere", []),
        ("SANDBOX4000103", "Padaria Estrela", "desconhecido", ["empresa_inexistente"]),
        ("SANDBOX6000100", "PIX", "desconhecido", ["dado_antigo"]),
    ],
)
def test_the_sandbox_answers_alike_everywhere_and_counts_nothing(
    api: httpx.Client, cnpj: str, name: str, result: str, alerts: list[str]
) -> None:
    before = calls(api)
    by_code = api.post(CHECK, json={"brcode": code(cnpj, name)})
    by_key = api.post(CHECK, json={"chave": cnpj.lower(), "tipo_chave": "cnpj", "nome_recebedor": name})
    for answer in (by_code, by_key):
        assert answer.status_code == 200
        body = answer.json()
        assert (body["chave"], body["tipo_chave"], body["nome_recebedor"]) == (cnpj, "cnpj", name)
        assert body["nome"] == result
        assert [alert["codigo"] for alert in body["alertas"]] == alerts
        assert "x-ratelimit-remaining" not in answer.headers
        if "empresa_inexistente" in alerts:
            assert body["recebedor"] is body["evidencia"] is None
        else:
            assert body["recebedor"]["cnpj"] == cnpj
            assert body["evidencia"]["fonte"] == "sandbox"
            assert body["evidencia"]["desatualizado"] == (cnpj == "SANDBOX6000100")
    assert calls(api) == before


def test_a_company_by_code_and_by_key_in_any_writing_counts_each_time(
    api: httpx.Client, simulated: Service
) -> None:
    before = calls(api)
    contents = [
        {"brcode": code(SHOP, SHOP_NAME)},
        {"chave": "23.456.780/0001-84", "nome_recebedor": SHOP_NAME},
        {"chave": SHOP, "tipo_chave": "cnpj", "nome_recebedor": SHOP_NAME},
    ]
    answers = [api.post(CHECK, json=content) for content in contents]
    bodies = [answer.json() for answer in answers]
    assert [body["chave"] for body in bodies] == [SHOP] * 3
    assert {body["nome"] for body in bodies} == {"confere"}
    assert {body["recebedor"]["razao_social"] for body in bodies} == {"EMPRESA FICTICIA 23456780 LTDA"}
    assert bodies[0]["recebedor"].keys() == {
        "cnpj",
        "razao_social",
        "nome_fantasia",
        "situacao_cadastral",
        "data_inicio_atividade",
        "municipio",
        "uf",
    }
    assert bodies[0]["evidencia"].keys() == {
        "fonte",
        "data_base",
        "consultado_em",
        "idade_segundos",
        "desatualizado",
    }
    assert all("x-ratelimit-remaining" in answer.headers for answer in answers)
    assert calls(api) == before + 3


def test_a_broken_code_is_an_alert_and_looked_up(api: httpx.Client, simulated: Service) -> None:
    before = calls(api)
    broken = api.post(CHECK, json={"brcode": f"{code(SHOP, SHOP_NAME)[:-4]}0000"}).json()
    assert (broken["nome"], codes(broken)) == ("confere", ["codigo_invalido"])
    assert "crc_mismatch" in broken["alertas"][0]["detalhe"]
    assert calls(api) == before + 1


def test_an_absence_that_only_dumps_report_is_no_evidence_and_free(
    api: httpx.Client, simulated: Service
) -> None:
    before = calls(api)
    with failing(simulated, "cnpja"):
        answer = api.post(CHECK, json={"chave": TOO_NEW})
    assert (answer.status_code, codes(answer.json())) == (200, ["sem_evidencia"])
    assert "x-ratelimit-remaining" not in answer.headers
    assert calls(api) == before


def test_when_every_source_fails_nothing_is_counted(api: httpx.Client, simulated: Service) -> None:
    before = calls(api)
    with failing(simulated, "opencnpj", "brasilapi", "cnpja"):
        answer = api.post(CHECK, json={"chave": "60746948000112"})
    assert (answer.status_code, answer.json()["code"]) == (503, "sources_unavailable")
    assert calls(api) == before


@pytest.mark.parametrize(
    "content",
    [
        {"brcode": code("pix@exemplo.com.br")},
        {"chave": "529.982.247-25", "tipo_chave": "cpf", "nome_recebedor": "Fulana"},
    ],
)
def test_a_key_without_a_company_is_no_evidence_and_free(api: httpx.Client, content: dict[str, str]) -> None:
    before = calls(api)
    answer = api.post(CHECK, json=content)
    assert answer.status_code == 200
    body = answer.json()
    assert codes(body)[-1] == "sem_evidencia"
    assert (body["nome"], body["recebedor"], body["evidencia"]) == ("desconhecido", None, None)
    assert calls(api) == before


@pytest.mark.parametrize(
    ("content", "faults"),
    [
        ({"brcode": "000201", "chave": SHOP}, {"brcode": "conflicting_fields"}),
        ({"chave": "23456780000185"}, {"chave": "invalid_check_digits"}),
        (
            {"brcode": "0" * 4097, "nome_recebedor": 7, "foo": 1},
            {"brcode": "too_long", "nome_recebedor": "invalid_type", "foo": "unknown_field"},
        ),
    ],
)
def test_an_invalid_request_names_every_field_and_is_free(
    api: httpx.Client, content: dict[str, Any], faults: dict[str, str]
) -> None:
    before = calls(api)
    answer = api.post(CHECK, json=content)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_fields")
    found = {(error["campo"], error["code"]) for error in answer.json()["errors"]}
    assert faults.items() <= found
    assert calls(api) == before


def test_an_agent_gets_the_same_answer(api: httpx.Client, api_key: str) -> None:
    content = {"chave": "SANDBOX1000170", "nome_recebedor": "Maria Souza"}
    call = {"name": "check_pix_payee", "arguments": content}
    by_mcp = rpc(api, "tools/call", call, **{"X-API-Key": api_key})["structuredContent"]
    by_http = api.post(CHECK, json=content).json()
    for answer in (by_mcp, by_http):
        answer["evidencia"].pop("consultado_em")
    assert by_mcp == by_http

"""POST /skills/pix/conferir."""

from typing import Any

import httpx
import pytest

import brcode
from tests.e2e.conftest import Service, counting, failing, problem, use_tool

CHECK = "/api/v1/skills/pix/conferir"
SHOP, SHOP_NAME = "23456780000184", "Loja de Exemplo"
TOO_NEW = "99000000000230"
PAYEE = {
    "cnpj", "razao_social", "nome_fantasia", "situacao_cadastral", "data_inicio_atividade", "municipio", "uf",
}  # fmt: skip
EVIDENCE = {"fonte", "data_base", "consultado_em", "idade_segundos", "desatualizado"}


def code(key: str | None, name: str = "Padaria Estrela") -> str:
    return brcode.encode(key=key, merchant_name=name, merchant_city="Recife").payload


def codes(body: dict[str, Any]) -> list[str]:
    """Return the alerts but the one on the age of simulated data, which depends on the day."""
    return [alert["codigo"] for alert in body["alertas"] if alert["codigo"] != "dado_antigo"]


@pytest.mark.parametrize(
    ("cnpj", "name", "result", "alerts"),
    [
        ("SANDBOX1000170", "Empresa de Exemplo", "confere", []),
        ("SANDBOX2000114", "Maria Souza", "diverge", ["empresa_inativa", "nome_diverge"]),
        ("SANDBOX4000103", "Padaria Estrela", "desconhecido", ["empresa_inexistente"]),
        ("SANDBOX6000100", "PIX", "desconhecido", ["nome_nao_comparado", "dado_antigo"]),
    ],
)
def test_the_sandbox_answers_alike_everywhere_and_counts_nothing(
    api: httpx.Client, cnpj: str, name: str, result: str, alerts: list[str]
) -> None:
    by_key = {"chave": cnpj.lower(), "tipo_chave": "cnpj", "nome_recebedor": name}
    with counting(api, 0):
        answers = [api.post(CHECK, json=content) for content in ({"brcode": code(cnpj, name)}, by_key)]
    for answer in answers:
        body = answer.raise_for_status().json()
        assert (body["chave"], body["tipo_chave"], body["nome_recebedor"]) == (cnpj, "cnpj", name)
        assert (body["nome"], [alert["codigo"] for alert in body["alertas"]]) == (result, alerts)
        assert "x-ratelimit-remaining" not in answer.headers
        if "empresa_inexistente" in alerts:
            assert body["recebedor"] is body["evidencia"] is None
        else:
            assert (body["recebedor"]["cnpj"], body["evidencia"]["fonte"]) == (cnpj, "sandbox")
            assert body["evidencia"]["desatualizado"] == (cnpj == "SANDBOX6000100")


@pytest.mark.parametrize(
    ("path", "state", "alerts"),
    [
        ("valida", "valida", ["psp_desconhecido"]),
        ("assinatura-errada", "invalida", ["assinatura_invalida", "sem_evidencia"]),
        ("expirada", "valida", ["cobranca_expirada", "psp_desconhecido"]),
    ],
)
def test_made_up_locations_answer_everywhere_and_count_nothing(
    api: httpx.Client, path: str, state: str, alerts: list[str]
) -> None:
    location = f"sandbox.brskills.example/pix/v2/{path}"
    dynamic = brcode.encode(location=location, merchant_name="Loja", merchant_city="Recife").payload
    with counting(api, 0):
        for content in ({"brcode": dynamic}, {"url": location}, {"url": f"https://{location}"}):
            body = api.post(CHECK, json={"seguir": True, **content}).raise_for_status().json()
            assert (body["assinatura"]["estado"], codes(body)) == (state, alerts)
            assert (body["recebedor"] is None) == (body["cobranca"] is None) == (state != "valida")


def test_a_location_is_named_only_to_be_followed(api: httpx.Client) -> None:
    location = {"url": "sandbox.brskills.example/pix/v2/valida"}
    for content, field in (
        (location, "seguir"),
        ({**location, "seguir": False}, "seguir"),
        ({**location, "seguir": True, "chave": "SANDBOX1000170"}, "url"),
        ({"url": "pix.example.com", "seguir": True}, "url"),
    ):
        answer = api.post(CHECK, json=content)
        assert field in {each["campo"] for each in problem(answer, 422, "invalid_fields")["errors"]}


def test_an_address_inside_the_network_is_not_asked(api: httpx.Client) -> None:
    with counting(api, 0):
        body = api.post(CHECK, json={"url": "169.254.169.254/latest", "seguir": True}).json()
    assert body["assinatura"]["motivos"] == ["endereco_nao_permitido"]
    assert codes(body) == ["localizacao_indisponivel", "sem_evidencia"]


def test_a_company_by_code_and_by_key_counts_each_time(api: httpx.Client, simulated: Service) -> None:
    with counting(api, 2):
        answers = [
            api.post(CHECK, json={"brcode": code(SHOP, SHOP_NAME)}),
            api.post(CHECK, json={"chave": "23.456.780/0001-84", "nome_recebedor": SHOP_NAME}),
        ]
    for answer in answers:
        body = answer.json()
        assert (body["chave"], body["nome"]) == (SHOP, "confere")
        assert body["recebedor"]["razao_social"] == "EMPRESA FICTICIA 23456780 LTDA"
        assert (body["recebedor"].keys(), body["evidencia"].keys()) == (PAYEE, EVIDENCE)
        assert "x-ratelimit-remaining" in answer.headers


def test_a_broken_code_is_an_alert_and_looked_up(api: httpx.Client, simulated: Service) -> None:
    with counting(api, 1):
        broken = api.post(CHECK, json={"brcode": f"{code(SHOP, SHOP_NAME)[:-4]}0000"}).json()
    assert (broken["nome"], codes(broken)) == ("confere", ["codigo_invalido"])
    assert "crc_mismatch" in broken["alertas"][0]["detalhe"]


def test_no_evidence_is_free(api: httpx.Client, simulated: Service) -> None:
    with counting(api, 0):
        with failing(simulated, "cnpja"):
            absent = api.post(CHECK, json={"chave": TOO_NEW})
        assert (absent.status_code, codes(absent.json())) == (200, ["sem_evidencia"])
        assert "x-ratelimit-remaining" not in absent.headers
        with failing(simulated):
            problem(api.post(CHECK, json={"chave": "60746948000112"}), 503, "sources_unavailable")
        person = {"chave": "529.982.247-25", "tipo_chave": "cpf", "nome_recebedor": "Fulana"}
        for content in ({"brcode": code("pix@exemplo.com.br")}, person):
            body = api.post(CHECK, json=content).raise_for_status().json()
            assert codes(body)[-1] == "sem_evidencia"
            assert (body["nome"], body["recebedor"], body["evidencia"]) == ("desconhecido", None, None)


def test_an_invalid_request_names_every_field_and_is_free(api: httpx.Client) -> None:
    long = {"brcode": "0" * 4097, "nome_recebedor": 7, "foo": 1}
    with counting(api, 0):
        for content, faults in (
            ({"brcode": "000201", "chave": SHOP}, {"brcode": "conflicting_fields"}),
            ({"chave": "23456780000185"}, {"chave": "invalid_check_digits"}),
            (long, {"brcode": "too_long", "nome_recebedor": "invalid_type", "foo": "unknown_field"}),
        ):
            errors = problem(api.post(CHECK, json=content), 422, "invalid_fields")["errors"]
            assert faults.items() <= {(error["campo"], error["code"]) for error in errors}


def test_an_agent_gets_the_same_answer(api: httpx.Client) -> None:
    content = {"chave": "SANDBOX1000170", "nome_recebedor": "Maria Souza"}
    by_mcp = use_tool(api, "check_pix_payee", content)["structuredContent"]
    by_http = api.post(CHECK, json=content).json()
    for answer in (by_mcp, by_http):
        answer["evidencia"].pop("consultado_em")
    assert by_mcp == by_http

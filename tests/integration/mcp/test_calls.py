"""Tools over real sockets: the same use cases, the same ledger, the same counting as by HTTP."""

from __future__ import annotations

import base64
from io import BytesIO
from typing import Any

import pytest
import zxingcpp
from PIL import Image

from .conftest import DEMO, Agent

CODE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Padaria", "cidade": "Recife", "valor": "10.00"}


def test_a_code_is_the_one_that_http_gives(agent: Agent, key: str) -> None:
    result = agent.result("create_pix_code", CODE, key)
    by_http = agent.http.post("/api/v1/skills/pix", json=CODE, headers={"X-API-Key": key})
    assert result["structuredContent"] == by_http.json()
    assert agent.calls_of(key) == 2


def test_an_alert_is_told_to_agents_too(agent: Agent, key: str) -> None:
    result = agent.result("create_pix_code", {**CODE, "chave": "pix@exemplo"}, key)
    (alert,) = result["structuredContent"]["alertas"]
    assert (alert["campo"], alert["codigo"]) == ("chave", "email_sem_ponto")
    assert alert["detalhe"] in result["content"][0]["text"]


def test_the_picture_is_the_code(agent: Agent, key: str) -> None:
    result = agent.result("create_pix_code", CODE, key)
    text, image = result["content"]
    picture = Image.open(BytesIO(base64.b64decode(image["data"])))
    (found,) = zxingcpp.read_barcodes(picture)
    assert found.text == result["structuredContent"]["brcode"]
    assert found.text in text["text"]


@pytest.mark.parametrize("amount", ["10.00", 10, 10.0, "10", "10.0"])
def test_an_amount_may_come_as_a_number(agent: Agent, amount: Any) -> None:
    result = agent.result("create_pix_code", {**CODE, "valor": amount}, agent.sign_up())
    assert result["structuredContent"]["valor"] == "10.00"


def test_a_numeric_pix_key_is_refused_for_its_zeros_may_be_lost(agent: Agent, key: str) -> None:
    result = agent.result("create_pix_code", {**CODE, "chave": 52998224725}, key)
    assert result["isError"]
    assert result["structuredContent"]["errors"][0]["campo"] == "chave"
    assert agent.calls_of(key) == 0


@pytest.mark.parametrize("number", [191, "00.000.000/0001-91", "00000000000191", 191.0])
def test_a_company_whose_number_lost_its_zeros_is_found(agent: Agent, key: str, number: Any) -> None:
    result = agent.result("look_up_company", {"cnpj": number}, key)
    assert result["structuredContent"]["cnpj"] == "00000000000191"
    assert agent.calls_of(key) == 1


def test_counted_answers_carry_the_rate_headers(agent: Agent, key: str) -> None:
    answered = agent.call("create_pix_code", CODE, key)
    assert (answered.headers["X-RateLimit-Limit"], answered.headers["X-RateLimit-Remaining"]) == ("100", "99")
    assert "X-RateLimit-Limit" not in agent.call("decode_pix_code", {"brcode": "x"}, key).headers


def test_what_is_not_counted(agent: Agent, key: str) -> None:
    assert not agent.result("decode_pix_code", {"brcode": "x"}, key)["structuredContent"]["valido"]
    assert (
        agent.result("look_up_company", {"cnpj": "SANDBOX1000170"}, key)["structuredContent"]["fonte"]
        == "sandbox"
    )
    assert (
        agent.result("look_up_company", {"cnpj": "SANDBOX5000158"}, key)["structuredContent"]["retry_after"]
        == 30
    )
    assert agent.result("create_pix_code", {}, key)["isError"]
    assert agent.result("get_usage", {"x": 1}, key)["isError"]
    assert agent.calls_of(key) == 0


def test_a_payee_is_told_and_counted_as_over_http(agent: Agent, key: str) -> None:
    payee = {"chave": "00000000000191", "nome_recebedor": "Maria Souza"}
    shown = agent.result("check_pix_payee", payee, key)["structuredContent"]
    by_http = agent.http.post("/api/v1/skills/pix/conferir", json=payee, headers={"X-API-Key": key}).json()
    assert shown.keys() == by_http.keys()
    assert (shown["recebedor"], shown["alertas"]) == (by_http["recebedor"], by_http["alertas"])
    assert agent.calls_of(key) == 2
    for free in ({"chave": "SANDBOX1000170"}, {"brcode": "x"}, {"chave": "pix@exemplo.com.br"}, {}):
        agent.result("check_pix_payee", free, key)
    assert agent.calls_of(key) == 2


def test_a_confirmed_absence_is_counted(agent: Agent, key: str) -> None:
    problem = agent.result("look_up_company", {"cnpj": "99000000000159"}, key)["structuredContent"]
    assert (problem["code"], problem["confirmado"]) == ("company_not_found", True)
    assert agent.calls_of(key) == 1


def test_a_revoked_key_opens_nothing(agent: Agent, key: str) -> None:
    assert agent.result("create_pix_code", CODE, key).get("isError") is None
    assert agent.http.post("/api/v1/keys/revoke", headers={"X-API-Key": key}).status_code == 204
    for name, arguments in (
        ("create_pix_code", CODE),
        ("decode_pix_code", {"brcode": "x"}),
        ("check_pix_payee", {"brcode": "x"}),
        ("look_up_company", {"cnpj": "SANDBOX1000170"}),
        ("get_usage", {}),
    ):
        assert agent.result(name, arguments, key)["structuredContent"]["code"] == "invalid_api_key"


def test_both_ways_of_sending_a_key(agent: Agent, key: str) -> None:
    assert agent.result("get_usage", Authorization=f"Bearer {key}")["structuredContent"]["plano"] == "free"
    assert (
        agent.result("get_usage", Authorization="Basic eDp5")["structuredContent"]["code"]
        == "missing_api_key"
    )
    assert agent.result("get_usage", key="brsk_x")["structuredContent"]["code"] == "invalid_api_key"


def test_without_a_key_the_answer_is_no_401(agent: Agent) -> None:
    answered = agent.call("get_usage")
    assert answered.status_code == 200
    assert answered.json()["result"]["structuredContent"]["code"] == "missing_api_key"


def test_the_demo_key_is_counted_by_address(agent: Agent) -> None:
    result = agent.result("get_usage", key=DEMO)["structuredContent"]
    assert (result["plano"], result["limite"]) == ("demo", 20)
    agent.result("create_pix_code", CODE, DEMO)
    assert agent.result("get_usage", key=DEMO)["structuredContent"]["chamadas"] == result["chamadas"] + 1


def test_other_methods_are_405(agent: Agent) -> None:
    for method in ("GET", "DELETE"):
        answered = agent.http.request(method, "/mcp")
        assert (answered.status_code, answered.headers["Allow"]) == (405, "POST")
    assert agent.http.put("/mcp").status_code == 404


def test_the_language_is_the_callers(agent: Agent) -> None:
    headers = {"Accept-Language": "en"}
    assert "What to do" in agent.result("get_usage", **headers)["content"][0]["text"]
    assert "O que fazer" in agent.result("get_usage")["content"][0]["text"]

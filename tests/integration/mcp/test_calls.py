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


def test_a_code_and_its_picture_are_those_of_http(agent: Agent, key: str) -> None:
    answered = agent.call("create_pix_code", CODE, key)
    result = answered.json()["result"]
    by_http = agent.http.post("/api/v1/skills/pix", json=CODE, headers={"X-API-Key": key})
    assert result["structuredContent"] == by_http.json()
    text, image = result["content"]
    (found,) = zxingcpp.read_barcodes(Image.open(BytesIO(base64.b64decode(image["data"]))))
    assert found.text == by_http.json()["brcode"]
    assert found.text in text["text"]
    assert (answered.headers["X-RateLimit-Limit"], answered.headers["X-RateLimit-Remaining"]) == ("100", "99")
    assert "X-RateLimit-Limit" not in agent.call("decode_pix_code", {"brcode": "x"}, key).headers
    assert agent.calls_of(key) == 2


@pytest.mark.parametrize("number", [191, "00.000.000/0001-91", 191.0])
def test_a_company_whose_number_lost_its_zeros_is_found(agent: Agent, key: str, number: Any) -> None:
    result = agent.result("look_up_company", {"cnpj": number}, key)
    assert result["structuredContent"]["cnpj"] == "00000000000191"
    assert agent.calls_of(key) == 1


def test_a_payee_check_is_answered_and_counted_as_over_http(agent: Agent, key: str) -> None:
    payee = {"chave": "00000000000191", "nome_recebedor": "Maria Souza"}
    shown = agent.result("check_pix_payee", payee, key)["structuredContent"]
    by_http = agent.http.post("/api/v1/skills/pix/conferir", json=payee, headers={"X-API-Key": key}).json()
    assert shown.keys() == by_http.keys()
    assert (shown["recebedor"], shown["alertas"]) == (by_http["recebedor"], by_http["alertas"])
    for free in ({"chave": "SANDBOX1000170"}, {"brcode": "x"}, {"chave": "pix@exemplo.com.br"}, {}):
        agent.result("check_pix_payee", free, key)
    assert agent.calls_of(key) == 2


def test_a_revoked_key_opens_nothing(agent: Agent, key: str) -> None:
    assert agent.http.post("/api/v1/keys/revoke", headers={"X-API-Key": key}).status_code == 204
    for name, arguments in (
        ("create_pix_code", CODE),
        ("decode_pix_code", {"brcode": "x"}),
        ("check_pix_payee", {"brcode": "x"}),
        ("look_up_company", {"cnpj": "SANDBOX1000170"}),
        ("get_usage", {}),
    ):
        assert agent.result(name, arguments, key)["structuredContent"]["code"] == "invalid_api_key"


def test_both_headers_of_a_key_and_none(agent: Agent, key: str) -> None:
    assert agent.result("get_usage", Authorization=f"Bearer {key}")["structuredContent"]["plano"] == "free"
    assert agent.result("get_usage", key="brsk_x")["structuredContent"]["code"] == "invalid_api_key"
    for headers in ({}, {"Authorization": "Basic eDp5"}):
        answered = agent.call("get_usage", **headers)
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

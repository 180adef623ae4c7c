"""A deployment without self-service sign-up, as on-premise: nothing that is served offers a key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from brskills_server.gateway.template import load
from tests.services.gateway_thread import gateway_thread
from tests.services.sign_in import Program

from .service import CHARGE, DEMO, PIX, TIMEOUT

SUPPORT = "https://brskills.example/ajuda?a=1"
MAIL = "ajuda@brskills.example"
CLOSED = {"SIGNUPS_PER_DAY": "0", "DEMO_MONTHLY_LIMIT": "0"}
OPEN_DOCUMENTS = sorted(
    {"/en", "/reference", "/docs", "/pricing", "/status", "/en/pricing"}.union(
        route.resource
        for route in load().routes
        if route.method == "GET" and not route.requires_key and "{" not in route.resource
    )
)
MCP_MESSAGES: dict[str, dict[str, Any]] = {
    "initialize": {"method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
    "tools/list": {"method": "tools/list"},
    "tools/call": {"method": "tools/call", "params": {"name": "get_usage"}},
}
OFFERS = re.compile(
    re.escape(DEMO["X-API-Key"])
    + r"|POST [^\s`]*/api/v1/keys(?!/)|curl[^`\n]* POST [^\s`]*keys"
    + r"|chave grátis|uma grátis|sem cadastro|key-form|crie (outra|a sua)|crie antes|criar (minha|uma) chave"
    + r"|free key|get a free|without signing up|get (a key|your own|another)|create (my|your) key"
    + r"|chave pública brsk|chave de demonstração dá|demo key gives|new_key|createApiKey|\{\{",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def closed() -> Iterator[httpx.Client]:
    settings = {**CLOSED, "SUPPORT_URL": SUPPORT, "CONTACT_EMAIL": MAIL}
    with gateway_thread(**settings) as base, httpx.Client(base_url=base, timeout=TIMEOUT) as http:
        yield http


def documents(http: httpx.Client) -> Iterator[tuple[str, str]]:
    """What people and programs read without a key."""
    for path in OPEN_DOCUMENTS:
        if path != "/oauth/authorize":
            yield path, http.get(path).text
    with Program(str(http.base_url).rstrip("/")) as program:
        assert program.register().status_code == 201
        for language in ("pt", "en"):
            yield f"/oauth/authorize in {language}", program.page({"Accept-Language": language}).text
    for language in ("pt", "en"):
        for keys in ({}, {"X-API-Key": "brsk_that_is_none"}):
            headers = {"Accept-Language": language, **keys}
            yield f"401 {headers}", http.post(PIX, json=CHARGE, headers=headers).text
            for name, message in MCP_MESSAGES.items():
                for path in ("/mcp", "/mcp/oauth"):
                    answer = http.post(path, json={"jsonrpc": "2.0", "id": 1, **message}, headers=headers)
                    yield f"{name} at {path} {headers}", answer.text


def test_nothing_offers_a_key(closed: httpx.Client) -> None:
    found = {name: [hit.group() for hit in OFFERS.finditer(text)] for name, text in documents(closed)}
    assert {name: hits for name, hits in found.items() if hits} == {}


def test_where_sign_up_is_open_the_same_documents_offer_keys(http: httpx.Client) -> None:
    offering = {name for name, text in documents(http) if OFFERS.search(text)}
    assert offering >= {"/", "/en", "/reference", "/llms.txt", "/SKILL.md", "/server.json"}
    assert offering >= {"/mcp/server-card", "/api/v1/openapi.json"}
    assert offering >= {"/oauth/authorize in pt", "/oauth/authorize in en"}
    assert {name.split()[0] for name in offering} >= {"initialize", "tools/call"}
    assert not offering & {"/api/v1/health", "/api/v1/status", "/.well-known/ai-catalog.json"}


@pytest.mark.parametrize("path", ["/", "/en", "/llms.txt", "/SKILL.md", "/server.json"])
def test_documents_name_the_operators_contacts(closed: httpx.Client, path: str) -> None:
    text = closed.get(path).text
    assert SUPPORT in text
    assert MAIL in text


def test_the_plans_promise_what_this_deployment_has_and_sell_nothing(closed: httpx.Client) -> None:
    plans = closed.get("/api/v1/plans").json()
    assert plans["contato"] == {"email": MAIL, "pagina": SUPPORT}
    assert plans["disponibilidade_url"] is None
    by_id = {plan["id"]: plan for plan in plans["planos"]}
    assert by_id.keys() == {"free", "pro", "enterprise"}
    assert by_id["pro"]["inclui"] == ["todas as APIs", "1.000 empresas monitoradas", "suporte por e-mail"]
    assert not any(plan["assinavel"] for plan in by_id.values())


def test_a_service_level_and_a_price_are_in_the_plans_and_missing_contacts_in_no_text() -> None:
    stripe = {
        "STRIPE_API_KEY": "sk_test_x",
        "STRIPE_WEBHOOK_SECRETS": "whsec_x",
        "STRIPE_PRICE_PRO": "price_x",
    }
    with gateway_thread(**CLOSED, **stripe, SLA_URL=SUPPORT) as base, httpx.Client(base_url=base) as http:
        plans = http.get("/api/v1/plans", headers={"Accept-Language": "en"}).json()
        detail = http.post("/api/v1/keys", timeout=TIMEOUT).json()["detail"]
    assert "()" not in detail
    assert "None" not in detail
    assert plans["disponibilidade_url"] == SUPPORT
    assert plans["contato"] == {"email": None, "pagina": None}
    (pro,) = (plan for plan in plans["planos"] if plan["assinavel"])
    assert (pro["id"], pro["inclui"]) == (
        "pro",
        ["all skills", "1,000 watched companies", "99.9% availability"],
    )


@pytest.mark.parametrize("body", [None, {}, {"email": "alguem@exemplo.com.br"}])
def test_sign_up_is_refused_with_the_contacts(closed: httpx.Client, body: dict[str, str] | None) -> None:
    refused = closed.post("/api/v1/keys", json=body, headers={"Accept-Language": "en"})
    assert (refused.status_code, refused.json()["code"]) == (403, "signup_closed")
    assert f"({SUPPORT}, {MAIL})" in refused.json()["detail"]
    assert "Retry-After" not in refused.headers


def test_the_demo_key_is_invalid(closed: httpx.Client) -> None:
    for path in (PIX, f"{PIX}/decode", "/api/v1/keys/rotate"):
        refused = closed.post(path, json=CHARGE, headers=DEMO)
        assert (refused.status_code, refused.json()["code"]) == (401, "invalid_api_key")
    call = {"jsonrpc": "2.0", "id": 1, **MCP_MESSAGES["tools/call"]}
    result = closed.post("/mcp", json=call, headers=DEMO).json()["result"]
    assert result["structuredContent"]["code"] == "invalid_api_key"


def test_a_sign_in_gives_no_key_either(closed: httpx.Client) -> None:
    with Program(str(closed.base_url).rstrip("/")) as program:
        program.register()
        answer = program.answer(program.page(), answer="new_key")
    assert answer.status_code == 422
    assert "brsk_" not in re.sub("Começa com brsk_", "", answer.text).replace(program.id, "")

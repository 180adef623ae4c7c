"""Tools by access token over real sockets: from the sign-in to its end, and at /mcp alone."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.integration.conftest import Running
from tests.services.sign_in import Program

from .conftest import Agent

CODE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Padaria", "cidade": "Recife", "valor": "10.00"}


@pytest.fixture
def program(base: str) -> Iterator[Program]:
    with Program(base) as program:
        program.register()
        yield program


@pytest.fixture
def token(program: Program, key: str) -> str:
    """An access token for Pix alone."""
    token: str = program.redeem(program.code(key, scope="pix")).json()["access_token"]
    return token


def bearing(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def grants(agent: Agent, key: str) -> list[dict[str, object]]:
    found: list[dict[str, object]]
    found = agent.http.get("/api/v1/grants", headers={"X-API-Key": key}).json()["acessos"]
    return found


def test_a_call_counts_for_the_account_and_the_owner_sees_who_made_it(
    agent: Agent, key: str, token: str
) -> None:
    answered = agent.call("create_pix_code", CODE, **bearing(token))
    assert answered.json()["result"]["structuredContent"]["valor"] == "10.00"
    assert answered.headers["X-RateLimit-Remaining"] == "99"
    assert agent.calls_of(key) == 1
    (grant,) = grants(agent, key)
    assert [*grant["chamadas"].values()] == [1]  # type: ignore[attr-defined]
    usage = agent.call("get_usage", **bearing(token))
    assert (usage.status_code, 'scope="conta pix"' in usage.headers["WWW-Authenticate"]) == (403, True)


def test_a_token_ends_at_once_with_its_grant(agent: Agent, key: str, token: str) -> None:
    (grant,) = grants(agent, key)
    headers = {"X-API-Key": key}
    assert agent.http.post("/api/v1/grants/end", json={"id": grant["id"]}, headers=headers).status_code == 204
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for refused in (
        agent.call("create_pix_code", CODE, **bearing(token)),
        agent.http.post("/mcp", json=listing, headers=bearing(token)),
    ):
        assert refused.status_code == 401
        challenge = refused.headers["WWW-Authenticate"]
        assert challenge.endswith('error="invalid_token"')
        metadata = challenge.partition('resource_metadata="')[2].partition('"')[0]
        assert httpx.get(metadata).json()["resource"] == f"{agent.http.base_url}".rstrip("/") + "/mcp"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/v1/skills/pix"),
        ("GET", "/api/v1/skills/cnpj/SANDBOX1000170"),
        ("GET", "/api/v1/usage"),
        ("POST", "/api/v1/keys/rotate"),
        ("POST", "/api/v1/keys/revoke"),
        ("GET", "/api/v1/grants"),
        ("POST", "/api/v1/billing/checkout"),
    ],
)
def test_at_other_routes_a_token_is_refused(agent: Agent, token: str, method: str, path: str) -> None:
    for headers, code in ((bearing(token), "missing_api_key"), ({"X-API-Key": token}, "invalid_api_key")):
        refused = agent.http.request(method, path, headers=headers, json=CODE if method == "POST" else None)
        assert (refused.status_code, refused.json()["code"]) == (401, code)
        assert "/mcp" in refused.json()["detail"]
    assert agent.call("decode_pix_code", {"brcode": "000201"}, **bearing(token)).status_code == 200


def test_nothing_of_a_token_is_printed(running: Running, agent: Agent, program: Program, key: str) -> None:
    made = program.redeem(program.code(key)).json()
    for token in (made["access_token"], made["refresh_token"], "brsk_at_segredo"):
        agent.call("create_pix_code", CODE, **bearing(token))
        agent.call("look_up_company", {"cnpj": "00000000000191"}, **bearing(token))
        agent.http.get("/api/v1/usage", headers={"X-API-Key": token})
        agent.http.post("/mcp/oauth", content=b"{", headers=bearing(token))
    program.refresh(made["refresh_token"])
    printed = running.output.read_text()
    assert "/mcp" in printed
    for secret in (made["access_token"], made["refresh_token"]):
        assert secret not in printed
        assert secret[24:56] not in printed  # what is secret of it
    assert "segredo" not in printed

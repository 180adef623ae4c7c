"""Which clients are challenged to sign in, by the rule of docs/sign-in-clients.md."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.accounts.errors import InvalidKey, InvalidToken, StoreUnavailable
from brskills_server.skills.errors import ApiError
from brskills_server.web.request import Request

from .conftest import META, Answered, Caller, request_of

METADATA = 'resource_metadata="https://api.example.com/v1/.well-known/oauth-protected-resource/mcp"'
TOKEN = {"Authorization": "Bearer brsk_at_x"}
CALL = {"name": "get_usage"}
INFO = "io.modelcontextprotocol/clientInfo"
OPEN = ("initialize", "ping", "tools/list")


def refused(error: Exception) -> Any:
    def run(*_: object) -> None:
        raise error

    return run


@pytest.fixture
def stranger(caller: Caller) -> Caller:
    """A caller without key and token."""
    caller.run = refused(ApiError("missing_api_key"))
    return caller


def asking(request: Request) -> Request:
    """The same at the address that challenges every caller."""
    context = {**request.context, "path": "/v1/mcp/oauth"}
    return Request({**request._event, "resource": "/mcp/oauth", "requestContext": context})


def sent(caller: Caller, method: str = "tools/list", **headers: str) -> Answered:
    """What comes of a message to it."""
    message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": CALL}
    return Answered(caller.server.post(asking(request_of(message, headers))))


@pytest.mark.parametrize("method", [*OPEN, "tools/call", "server/discover", "unheard/of"])
def test_one_address_asks_whoever_comes_without_credentials(stranger: Caller, method: str) -> None:
    answered = sent(stranger, method)
    assert answered.error == (401, -32010)
    assert answered.headers["WWW-Authenticate"] == f'Bearer {METADATA[:-1]}/oauth"'
    assert answered.body["id"] == 7
    assert answered.body["error"]["message"].startswith("missing_api_key: Entre por OAuth")
    assert "/api/v1/keys" in answered.body["error"]["message"]
    assert answered.body["error"]["data"]["problem"]["code"] == "missing_api_key"


def test_there_a_notification_is_asked_too_and_get_as_well(stranger: Caller) -> None:
    request = asking(request_of({"jsonrpc": "2.0", "method": "notifications/initialized"}))
    assert stranger.server.post(request).status == 401
    answered = stranger.server.refuse(request)
    assert answered.status == 401
    assert answered.headers["WWW-Authenticate"] == f'Bearer {METADATA[:-1]}/oauth"'


@pytest.mark.parametrize("method", OPEN)
@pytest.mark.parametrize("headers", [{"X-API-Key": "brsk_any"}, {"Authorization": "Bearer brsk_any"}, TOKEN])
def test_there_whoever_brings_credentials_is_answered(
    caller: Caller, method: str, headers: dict[str, str]
) -> None:
    assert sent(caller, method, **headers).status == 200
    assert caller.server.refuse(asking(request_of("", headers))).status == 405


@pytest.mark.parametrize(
    ("agent", "info"),
    [
        ("Claude-User", None),
        ("Mozilla/5.0 (compatible; claude-user/1.0)", None),
        (None, {"name": "Anthropic/ClaudeAI", "version": "1.0.0"}),
        (None, {"name": "Anthropic", "version": "1.0.0"}),
        ("x", {"name": "claude-ai"}),
    ],
)
def test_claude_is_asked_at_a_call_and_not_before(
    stranger: Caller, agent: str | None, info: dict[str, str] | None
) -> None:
    headers: dict[str, str | None] = {"User-Agent": agent}
    meta = {**META, **({INFO: info} if info else {})}
    answered = stranger.new("tools/call", {**CALL, "_meta": meta}, headers)
    assert answered.error == (401, -32010)
    assert answered.headers["WWW-Authenticate"] == f"Bearer {METADATA}"
    assert stranger.new("tools/list", {"_meta": meta}, headers).status == 200
    if agent and not info:
        assert stranger.old("tools/call", CALL, **{"User-Agent": agent}).status == 401
        assert stranger.old("initialize", {}, **{"User-Agent": agent}).status == 200


def test_claude_with_a_key_that_is_wrong_is_told_of_the_key(caller: Caller) -> None:
    caller.run = refused(InvalidKey())
    answered = caller.old("tools/call", CALL, **{"User-Agent": "Claude-User", "X-API-Key": "brsk_x"})
    assert answered.status == 200
    assert answered.body["result"]["structuredContent"]["code"] == "invalid_api_key"
    assert "_meta" not in answered.body["result"]


def test_everybody_else_gets_a_result_that_tells_chatgpt_where_to_sign_in(stranger: Caller) -> None:
    for answered in (stranger.old("tools/call", CALL), stranger.new("tools/call", CALL)):
        assert answered.status == 200
        result = answered.body["result"]
        assert result["isError"] is True
        assert "https://api.example.com/v1/mcp/oauth" in result["content"][0]["text"]
        (challenge,) = result["_meta"]["mcp/www_authenticate"]
        assert challenge.startswith(f'Bearer {METADATA}, error="invalid_token", error_description="')
        assert "WWW-Authenticate" not in answered.headers
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "brskills"


@given(
    st.text(st.characters(codec="latin-1", exclude_categories=["Cc"])),
    st.recursive(st.none() | st.text() | st.integers(), lambda inner: st.dictionaries(st.text(), inner)),
)
def test_nobody_else_is_asked_whatever_they_call_themselves(agent: str, info: Any) -> None:
    caller = Caller()
    caller.run = refused(ApiError("missing_api_key"))
    answered = caller.new("tools/call", {**CALL, "_meta": {**META, INFO: info}}, {"User-Agent": agent})
    name = str(info.get("name", "")).lower() if isinstance(info, dict) else ""
    is_claude = "claude-user" in agent.lower() or name.startswith(("anthropic", "claude-ai"))
    assert answered.status == (401 if is_claude else 200)


@pytest.mark.parametrize("method", [*OPEN, "unheard/of"])
def test_a_token_that_has_ended_is_refused_whatever_is_asked(caller: Caller, method: str) -> None:
    seen = []

    def check(token: str) -> None:
        seen.append(token)
        raise InvalidToken

    caller.check_token = check
    answered = caller.old(method, {}, **TOKEN)
    assert answered.error == (401, -32010)
    assert answered.headers["WWW-Authenticate"] == f'Bearer {METADATA}, error="invalid_token"'
    assert seen == ["brsk_at_x"]


def test_a_call_by_such_a_token_is_refused_by_what_runs_it(caller: Caller) -> None:
    for error in (
        InvalidToken(),
        InvalidKey(),
    ):  # the latter: its key has ended since the token was looked at
        caller.run = refused(error)
        for answered in (caller.old("tools/call", CALL, **TOKEN), caller.new("tools/call", CALL, {**TOKEN})):
            assert answered.error == (401, -32010)
            assert 'error="invalid_token"' in answered.headers["WWW-Authenticate"]


def test_a_store_that_fails_ends_nobodys_sign_in(caller: Caller) -> None:
    caller.run = refused(StoreUnavailable("x"))
    result = caller.old("tools/call", CALL, **TOKEN).body["result"]
    assert result["structuredContent"]["code"] == "store_unavailable"


def test_what_was_not_allowed_is_named_with_what_was(caller: Caller) -> None:
    caller.run = refused(
        ApiError("insufficient_scope", parameters={"scope": "cnpj"}, details={"scopes": "cnpj pix"})
    )
    answered = caller.old("tools/call", CALL, **TOKEN)
    assert answered.error == (403, -32010)
    challenge = f'Bearer {METADATA}, error="insufficient_scope", scope="cnpj pix"'
    assert answered.headers["WWW-Authenticate"] == challenge
    assert "cnpj" in answered.body["error"]["message"]


@given(st.text(), st.text())
def test_no_header_of_a_caller_breaks_out_of_the_challenge(host: str, proto: str) -> None:
    headers = {"Host": host, "X-Forwarded-Proto": proto}
    answered = Caller().server.post(
        asking(request_of({"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers))
    )
    challenge = answered.headers["WWW-Authenticate"]
    assert re.fullmatch(r'Bearer resource_metadata="[A-Za-z0-9.:/\[\]-]*"', challenge)


def test_tools_declare_what_chatgpt_signs_in_for(caller: Caller) -> None:
    tools = {tool["name"]: tool for tool in caller.old("tools/list").body["result"]["tools"]}
    assert {name: tool["securitySchemes"][0]["scopes"] for name, tool in tools.items()} == {
        "create_pix_code": ["pix"],
        "decode_pix_code": ["pix"],
        "check_pix_payee": ["pix"],
        "look_up_company": ["cnpj"],
        "get_usage": ["conta"],
    }
    for tool in tools.values():
        assert tool["_meta"] == {"securitySchemes": tool["securitySchemes"]}
        assert tool["title"] == tool["annotations"]["title"]
        assert tool["securitySchemes"][0]["type"] == "oauth2"


def test_a_token_is_looked_for_where_it_belongs() -> None:
    def token(**headers: str) -> tuple[str, str]:
        request = request_of("", {name.replace("_", "-"): value for name, value in headers.items()})
        return request.access_token, request.api_key

    assert token(Authorization="Bearer brsk_at_x") == ("brsk_at_x", "brsk_at_x")
    assert token(Authorization="bearer  brsk_at_x ") == ("brsk_at_x", "brsk_at_x")
    assert token(Authorization="Bearer brsk_at_x", X_API_Key="brsk_k") == ("", "brsk_k")
    assert token(X_API_Key="brsk_at_x") == ("", "brsk_at_x")
    assert token(Authorization="Basic brsk_at_x") == ("", "")
    assert token(Authorization="Bearer brsk_rt_x") == ("", "brsk_rt_x")

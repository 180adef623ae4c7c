"""Which clients are challenged to sign in, by the rule of ``brskills_server.agents.sign_in``."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.accounts.api_key import generate
from brskills_server.accounts.errors import InvalidKey, InvalidToken, StoreUnavailable
from brskills_server.skills.catalogue import SKILLS, TOOL_BATCHES
from brskills_server.skills.errors import ApiError
from brskills_server.web.request import Request

from .conftest import META, Answered, Caller, request_of

METADATA = 'resource_metadata="https://api.example.com/v1/.well-known/oauth-protected-resource/mcp"'
BEARER_KEY = {"Authorization": f"Bearer {generate()}"}
TOKEN = {"Authorization": "Bearer brsk_at_x"}
CALL = {"name": "get_usage"}
INFO = "io.modelcontextprotocol/clientInfo"
OPEN = ("initialize", "ping", "tools/list")
LATIN = "".join(map(chr, [*range(32, 127), *range(160, 256)]))  # of a header


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
def test_one_address_challenges_every_request_without_credentials(stranger: Caller, method: str) -> None:
    answered = sent(stranger, method)
    assert answered.error == (401, -32010)
    assert answered.headers["WWW-Authenticate"] == f'Bearer {METADATA[:-1]}/oauth"'
    assert answered.body["id"] == 7
    assert answered.body["error"]["message"].startswith("missing_api_key: Entre por OAuth")
    assert "/api/v1/keys" in answered.body["error"]["message"]
    assert answered.body["error"]["data"]["problem"]["code"] == "missing_api_key"


def test_that_address_challenges_notifications_and_get(stranger: Caller) -> None:
    request = asking(request_of({"jsonrpc": "2.0", "method": "notifications/initialized"}))
    assert stranger.server.post(request).status == 401
    answered = stranger.server.refuse(request)
    assert answered.status == 401
    assert answered.headers["WWW-Authenticate"] == f'Bearer {METADATA[:-1]}/oauth"'


@pytest.mark.parametrize("method", OPEN)
@pytest.mark.parametrize("headers", [{"X-API-Key": "brsk_any"}, BEARER_KEY, TOKEN])
def test_that_address_answers_requests_with_credentials(
    caller: Caller, method: str, headers: dict[str, str]
) -> None:
    assert sent(caller, method, **headers).status == 200
    assert caller.server.refuse(asking(request_of("", headers))).status == 405


@pytest.mark.parametrize("method", [*OPEN, "tools/call"])
def test_that_address_challenges_a_bearer_that_is_none(caller: Caller, method: str) -> None:
    answered = sent(caller, method, Authorization="Bearer nonsense")
    assert answered.error[0] == 401
    assert answered.headers["WWW-Authenticate"] == f'Bearer {METADATA[:-1]}/oauth", error="invalid_token"'


def test_that_address_challenges_a_call_with_an_unknown_key_as_bearer(caller: Caller) -> None:
    caller.run = refused(InvalidKey())
    assert "WWW-Authenticate" in sent(caller, "tools/call", **BEARER_KEY).headers
    assert caller.old("tools/call", CALL, **BEARER_KEY).status == 200  # at /mcp, a result


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
def test_claude_is_challenged_at_a_call_and_not_before(
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


def test_claude_with_an_invalid_key_gets_a_result(caller: Caller) -> None:
    caller.run = refused(InvalidKey())
    answered = caller.old("tools/call", CALL, **{"User-Agent": "Claude-User", "X-API-Key": "brsk_x"})
    assert answered.status == 200
    assert answered.body["result"]["structuredContent"]["code"] == "invalid_api_key"
    assert "_meta" not in answered.body["result"]


def test_other_clients_get_a_result_with_the_place_to_sign_in(stranger: Caller) -> None:
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
    st.text(LATIN),
    st.recursive(
        st.none() | st.text() | st.integers(), lambda inner: st.dictionaries(st.text(), inner), max_leaves=3
    ),
)
def test_other_names_are_not_challenged(agent: str, info: Any) -> None:
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


def test_a_call_with_an_ended_token(caller: Caller) -> None:
    for error in (InvalidToken(), InvalidKey()):  # the latter: its key was revoked after the token was read
        caller.run = refused(error)
        for answered in (caller.old("tools/call", CALL, **TOKEN), caller.new("tools/call", CALL, {**TOKEN})):
            assert answered.error == (401, -32010)
            assert 'error="invalid_token"' in answered.headers["WWW-Authenticate"]


def test_a_failing_store_ends_no_sign_in(caller: Caller) -> None:
    caller.run = refused(StoreUnavailable("x"))
    result = caller.old("tools/call", CALL, **TOKEN).body["result"]
    assert result["structuredContent"]["code"] == "store_unavailable"


def test_a_missing_scope_is_named_with_the_granted_ones(caller: Caller) -> None:
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


def test_tools_declare_the_scopes_that_chatgpt_reads(caller: Caller) -> None:
    tools = caller.old("tools/list").body["result"]["tools"]
    listed = {**SKILLS, **TOOL_BATCHES}
    assert [tool["name"] for tool in tools] == list(listed)
    for tool in tools:
        schemes = [{"type": "oauth2", "scopes": [listed[tool["name"]].scope]}]
        assert tool["securitySchemes"] == tool["_meta"]["securitySchemes"] == schemes


@pytest.mark.parametrize(
    ("headers", "token", "key"),
    [
        ({"Authorization": "Bearer brsk_at_x"}, "brsk_at_x", "brsk_at_x"),
        ({"Authorization": "bearer  brsk_at_x "}, "brsk_at_x", "brsk_at_x"),
        ({"Authorization": "Bearer brsk_at_x", "X-API-Key": "brsk_k"}, "", "brsk_k"),
        ({"X-API-Key": "brsk_at_x"}, "", "brsk_at_x"),
        ({"Authorization": "Basic brsk_at_x"}, "", ""),
        ({"Authorization": "Bearer brsk_rt_x"}, "", "brsk_rt_x"),
    ],
)
def test_the_headers_of_a_token_and_a_key(headers: dict[str, str], token: str, key: str) -> None:
    request = request_of("", headers)
    assert (request.access_token, request.api_key) == (token, key)

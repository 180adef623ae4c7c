"""Revision 2026-07-28: every request has all that its answer depends on."""

from __future__ import annotations

import pytest

from brskills_server.agents.protocol_versions import CAPABILITIES_KEY, SERVER_INFO_KEY, VERSION_KEY

from .conftest import META, NEW, Caller


def test_discovery_has_name_versions_and_instructions(caller: Caller) -> None:
    answered = caller.new("server/discover")
    result = answered.body["result"]
    assert answered.status == 200
    assert (result["resultType"], result["supportedVersions"]) == ("complete", [NEW])
    assert result["capabilities"] == {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}
    assert (result["ttlMs"], result["cacheScope"]) == (3_600_000, "public")
    assert result["_meta"][SERVER_INFO_KEY]["name"] == "brskills"
    assert "https://api.example.com/v1/api/v1/keys" in result["instructions"]


@pytest.mark.parametrize(
    ("headers", "caching"),
    [({}, (3_600_000, "public")), ({"X-API-Key": "brsk_x"}, (60_000, "private"))],
)
def test_a_list_may_be_cached_and_with_a_key_by_its_owner_alone(
    caller: Caller, headers: dict[str, str | None], caching: tuple[int, str]
) -> None:
    result = caller.new("tools/list", headers=headers).body["result"]
    assert (result["ttlMs"], result["cacheScope"]) == caching
    assert result["resultType"] == "complete"


def test_a_call_comes_back_with_its_id(caller: Caller) -> None:
    answered = caller.new("tools/call", {"name": "get_usage"})
    assert (answered.status, answered.body["id"]) == (200, 7)
    assert answered.body["result"]["structuredContent"] == {"nome": "get_usage"}


@pytest.mark.parametrize("key", [VERSION_KEY, CAPABILITIES_KEY])
def test_the_envelope_is_required(caller: Caller, key: str) -> None:
    lacking = {name: value for name, value in META.items() if name != key}
    for meta in (None, lacking, {**META, key: 1}):
        assert caller.new("tools/list", {"_meta": meta}).error == (400, -32602)


@pytest.mark.parametrize(
    "headers",
    [
        {"MCP-Protocol-Version": None},
        {"MCP-Protocol-Version": "2025-11-25"},
        {"Mcp-Method": None},
        {"Mcp-Method": "TOOLS/CALL"},
        {"Mcp-Name": None},
        {"Mcp-Name": "decode_pix_code"},
        {"Mcp-Name": "get_usage, get_usage"},  # sent twice
    ],
)
def test_headers_must_repeat_the_body(caller: Caller, headers: dict[str, str | None]) -> None:
    answered = caller.new("tools/call", {"name": "get_usage"}, headers)
    assert answered.error == (400, -32020)
    assert answered.body["id"] == 7


def test_space_around_a_header_is_nothing(caller: Caller) -> None:
    assert caller.new("tools/call", {"name": "get_usage"}, {"Mcp-Name": "  get_usage "}).status == 200


def test_an_unknown_version_is_answered_with_the_known_ones(caller: Caller) -> None:
    answered = caller.new(
        "server/discover", {"_meta": {**META, VERSION_KEY: "v9"}}, {"MCP-Protocol-Version": "v9"}
    )
    assert answered.error == (400, -32022)
    assert answered.body["error"]["data"] == {"supported": [NEW], "requested": "v9", "request_id": "abc"}


@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "resources/subscribe", "x"])
def test_an_unknown_method_is_404(caller: Caller, method: str) -> None:
    assert caller.new(method).error == (404, -32601)


def test_bad_parameters_of_a_call(caller: Caller) -> None:
    assert caller.new("tools/call", {"name": "x"}).error == (400, -32602)
    assert caller.new("tools/call", {"name": "get_usage", "arguments": []}).error == (400, -32602)
    assert caller.new("tools/list", {"cursor": "2"}).error == (400, -32602)

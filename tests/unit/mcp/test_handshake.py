"""Revisions 2024-11-05 to 2025-11-25, without a session."""

from __future__ import annotations

import pytest

from brskills_server.agents.protocol_versions import SERVER_INFO_KEY
from brskills_server.web.mcp_versions import HANDSHAKE_VERSIONS

from .conftest import NEW, Caller

NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
def test_the_version_asked_for_is_agreed_on(caller: Caller, version: str) -> None:
    answered = caller.old("initialize", {"protocolVersion": version, "capabilities": {}})
    assert answered.status == 200
    assert answered.body["result"]["protocolVersion"] == version
    assert "resultType" not in answered.body["result"]
    assert "mcp-session-id" not in {name.lower() for name in answered.headers}


@pytest.mark.parametrize("version", [NEW, "1999-01-01", 5, None, []])
def test_for_any_other_the_newest_is_offered(caller: Caller, version: object) -> None:
    result = caller.old("initialize", {"protocolVersion": version}).body["result"]
    assert result["protocolVersion"] == "2025-11-25"


def test_ping(caller: Caller) -> None:
    assert caller.old("ping").body == {"jsonrpc": "2.0", "id": 7, "result": {}}


@pytest.mark.parametrize("version", [None, *HANDSHAKE_VERSIONS, NEW])
def test_notifications_are_taken_and_dropped(caller: Caller, version: str | None) -> None:
    answered = caller.send(NOTIFICATION, {"MCP-Protocol-Version": version} if version else {})
    assert (answered.status, answered.body) == (202, None)


@pytest.mark.parametrize("version", ["1999-01-01", "", "2025-06-18, 2025-06-18"])
def test_a_notification_of_an_unknown_version_is_refused(caller: Caller, version: str) -> None:
    answered = caller.send(NOTIFICATION, {"MCP-Protocol-Version": version})
    assert answered.error == (400, -32022)
    assert answered.body["id"] is None
    assert answered.body["error"]["data"]["requested"] == version


def test_a_later_request_may_name_its_version(caller: Caller) -> None:
    answered = caller.send(
        {"jsonrpc": "2.0", "id": "a", "method": "tools/list"}, {"MCP-Protocol-Version": "2025-06-18"}
    )
    assert answered.body["id"] == "a"
    assert set(answered.body["result"]) == {"tools"}


def test_errors_of_a_call_do_not_end_the_connection(caller: Caller) -> None:
    assert caller.old("server/discover").error == (200, -32601)
    assert caller.old("tools/call", {"name": "x"}).error == (200, -32602)
    assert caller.old("tools/call", {"name": ["x"]}).error == (200, -32602)
    assert caller.old("tools/call", {"name": "get_usage", "arguments": "x"}).error == (200, -32602)


@pytest.mark.parametrize("version", ["1999-01-01", ""])
def test_an_unknown_version_in_the_header_is_refused_as_that(caller: Caller, version: str) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answered = caller.send(message, {"MCP-Protocol-Version": version})
    assert answered.error == (400, -32022)
    assert answered.body["error"]["data"]["requested"] == version


def test_it_introduces_itself_with_an_icon_that_is_served_here(caller: Caller) -> None:
    shown = caller.old("initialize", {"protocolVersion": "2025-11-25"}).body["result"]["serverInfo"]
    assert shown["websiteUrl"] == "https://github.com/brskills/brskills"
    (icon,) = shown["icons"]
    assert icon["src"] == "https://api.example.com/v1/static/any/icon.svg"
    assert caller.new("tools/list").body["result"]["_meta"][SERVER_INFO_KEY] == shown

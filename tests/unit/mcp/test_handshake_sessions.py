"""Clients of the older style state extensions once; the session's id repeats what they stated."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.agents.cards import MIME_TYPE
from brskills_server.agents.extensions import SKILLS, UI
from brskills_server.agents.handshake_sessions import HEADER, session_extensions, session_header
from brskills_server.agents.message import Message
from brskills_server.skills.catalogue import TOOL_BATCHES
from brskills_server.skills.tool_formats import tools_as
from cards.__main__ import make

from .conftest import Answered, Caller

# As Claude's desktop program sends it.
SHOWS_CARDS = {UI: {"mimeTypes": [MIME_TYPE]}}
RANDOM = "0" * 32


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("cards")
    make(made)
    return made


@pytest.fixture
def server(folder: Path) -> Caller:
    return Caller(folder)


def greet(server: Caller, extensions: Any, version: str = "2025-11-25") -> Answered:
    return server.old("initialize", {"protocolVersion": version, "capabilities": {"extensions": extensions}})


def session(server: Caller, extensions: Any) -> str:
    found: str = greet(server, extensions).headers[HEADER]
    return found


def cards(answered: Answered) -> list[str]:
    tools = answered.body["result"]["tools"]
    return [tool["name"] for tool in tools if "ui" in tool["_meta"]]


@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18", "2025-11-25"])
def test_a_host_that_states_cards_gets_a_session_and_its_list_has_them(server: Caller, version: str) -> None:
    answered = greet(server, SHOWS_CARDS, version)
    assert re.fullmatch("ui\\.[0-9a-f]{32}", answered.headers[HEADER])
    assert answered.body["result"]["capabilities"]["extensions"] == {UI: {}}
    listed = server.old("tools/list", **{HEADER: answered.headers[HEADER]})
    assert cards(listed) == ["create_pix_code", "check_pix_payee", "look_up_company"]


def test_an_id_is_that_of_one_session(server: Caller) -> None:
    assert len({session(server, SHOWS_CARDS) for _ in range(100)}) == 100


def test_it_names_each_extension_of_the_server(server: Caller) -> None:
    every = {"example.com/x": {}, **SHOWS_CARDS, SKILLS: {"directoryRead": True}}
    assert session(server, every).startswith("skills.ui.")
    assert session(server, {SKILLS: {}}).startswith("skills.")


@pytest.mark.parametrize("stated", [{}, None, [], {UI: {}}, {UI: {"mimeTypes": ["text/html"]}}, {"x/y": {}}])
def test_any_other_client_gets_none(server: Caller, stated: Any) -> None:
    assert HEADER not in greet(server, stated).headers


@pytest.mark.parametrize(
    "made_up",
    ["", "x", "ui", "ui.", f"ui.{RANDOM}0", f".{RANDOM}", RANDOM, f"UI.{RANDOM}", f"ui.{RANDOM}\n", "é"],
)
def test_an_id_that_is_not_the_servers_is_ignored(server: Caller, made_up: str) -> None:
    answered = server.old("tools/list", **{HEADER: made_up})
    assert answered.status == 200
    assert answered.body == server.old("tools/list").body
    assert answered.body["result"]["tools"] == tools_as("mcp", TOOL_BATCHES.values())


def test_the_newer_style_has_no_sessions(server: Caller) -> None:
    listed = server.new("tools/list", headers={HEADER: f"ui.{RANDOM}"})
    assert listed.body == server.new("tools/list").body
    hidden = server.new("skills/list", headers={HEADER: f"skills.{RANDOM}"})
    assert hidden.error == (404, -32601)


def test_calls_and_notifications_are_answered_as_without_a_session(server: Caller) -> None:
    ours = {HEADER: session(server, SHOWS_CARDS)}
    call = {"name": "get_usage", "arguments": {}}
    assert server.old("tools/call", call, **ours).body == server.old("tools/call", call).body
    assert server.send({"jsonrpc": "2.0", "method": "notifications/initialized"}, ours).status == 202


@given(st.sets(st.sampled_from([UI, SKILLS, "example.com/x"])))
def test_what_was_stated_is_read_from_the_id(stated: set[str]) -> None:
    extensions = {name: {"mimeTypes": [MIME_TYPE]} if name == UI else {} for name in stated}
    message = Message("initialize", {"capabilities": {"extensions": extensions}}, 1)
    headers = {name.lower(): value for name, value in session_header(message, ()).items()}
    assert session_extensions(headers) == {
        name: settings for name, settings in extensions.items() if name in (UI, SKILLS)
    }


@given(st.text())
def test_whatever_is_sent_as_an_id_is_read(text: str) -> None:
    assert session_extensions({HEADER.lower(): text}) == {}

"""Cards are for hosts that state MCP Apps; others see nothing of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from brskills_server.agents.cards import MIME_TYPE, Cards
from brskills_server.agents.extensions import UI
from brskills_server.agents.handshake_sessions import HEADER
from brskills_server.skills.catalogue import TOOL_BATCHES
from brskills_server.skills.tool_formats import tools_as
from cards.__main__ import make

from .conftest import META, Caller

CARDS = {
    "create_pix_code": "ui://brskills/pix.html",
    "check_pix_payee": "ui://brskills/payee.html",
    "look_up_company": "ui://brskills/company.html",
}
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
STATED = {UI: {"mimeTypes": ["text/plain", MIME_TYPE]}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("cards")
    make(made)
    return made


@pytest.fixture
def host(folder: Path) -> Caller:
    return Caller(folder)


def stating(extensions: Any, version: dict[str, Any] = META) -> dict[str, Any]:
    return {"_meta": {**version, CAPABILITIES: {"extensions": extensions}}}


def lists(host: Caller, stated: Any) -> tuple[Any, Any]:
    """The lists of tools for hosts of both styles."""
    return host.new("tools/list", stating(stated)), host.old("tools/list", stating(stated, {}))


def tools(answered: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answered.body["result"]["tools"]
    return found


def test_a_host_that_states_the_extension_gets_their_addresses_and_nothing_else_differs(host: Caller) -> None:
    for found in map(tools, lists(host, STATED)):
        marks = {tool["name"]: mark for tool in found if (mark := tool["_meta"].pop("ui", None))}
        assert marks == {name: {"resourceUri": uri, "visibility": ["model"]} for name, uri in CARDS.items()}
        assert found == tools_as("mcp", TOOL_BATCHES.values())


@pytest.mark.parametrize(
    "stated",
    [
        {},
        None,
        {UI: {}},
        {UI: None},
        {UI: {"mimeTypes": MIME_TYPE}},
        {UI: {"mimeTypes": ["text/html"]}},
        {"io.modelcontextprotocol/other": STATED[UI]},
    ],
)
def test_any_other_client_gets_the_same_bytes_as_without_cards(host: Caller, stated: Any) -> None:
    without = Caller()
    for answered, plain in zip(
        lists(host, stated), (without.new("tools/list"), without.old("tools/list")), strict=True
    ):
        assert json.dumps(answered.body) == json.dumps(plain.body)


def test_a_marked_list_is_little_longer(host: Caller) -> None:
    plain, marked = (json.dumps(tools(host.new("tools/list", stating(each)))) for each in ({}, STATED))
    assert len(plain) < len(marked) < len(plain) * 1.02


def test_a_card_is_read_as_it_was_made(host: Caller, folder: Path) -> None:
    for uri in CARDS.values():
        read = host.new("resources/read", {"uri": uri, **stating(STATED)}, {"Mcp-Name": uri})
        (content,) = read.body["result"]["contents"]
        assert content == {
            "uri": uri,
            "mimeType": MIME_TYPE,
            "text": (folder / uri.rpartition("/")[2]).read_text("utf-8"),
            "_meta": {"ui": {"prefersBorder": True, "permissions": {"clipboardWrite": {}}}},
        }
        assert content == host.old("resources/read", {"uri": uri}).body["result"]["contents"][0]


def test_the_server_states_the_extension_to_its_hosts(host: Caller) -> None:
    stated = host.new("server/discover", stating(STATED)).body["result"]["capabilities"]["extensions"]
    assert stated == {UI: {}}
    assert "extensions" not in host.new("server/discover").body["result"]["capabilities"]


def test_where_cards_were_not_made_nothing_of_them_is_offered(caller: Caller) -> None:
    assert tools(caller.new("tools/list", stating(STATED))) == tools_as("mcp", TOOL_BATCHES.values())
    assert Cards(Path("missing")).resources == {}
    greeted = caller.old("initialize", {"capabilities": {"extensions": STATED}})
    discovered = caller.new("server/discover", stating(STATED))
    for answered in (greeted, discovered):
        assert "extensions" not in answered.body["result"]["capabilities"]
        assert HEADER not in answered.headers
    listed = caller.old("resources/list").body["result"]["resources"]
    assert not [each for each in listed if each["uri"].startswith("ui:")]

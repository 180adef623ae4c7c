"""Resources are listed and read in both styles, without a key."""

from __future__ import annotations

from typing import Any

from brskills_server.agents.message import Message
from brskills_server.agents.protocol_versions import Style
from brskills_server.agents.resources import Resource, Resources
from tests.for_each import for_each

from .conftest import Caller, request_of

CARD = Resource(
    "ui://brskills/x.html", "x", "X", "A card", "text/html", lambda base: f"<a href={base}>", {"ui": {}}
)
PLAIN = Resource("skill://x/SKILL.md", "y", "Y", "A guide", "text/markdown", lambda base: "# Ç")
METHODS = Resources((CARD, PLAIN)).methods()


def ask(method: str, style: Style = Style.HANDSHAKE, **params: Any) -> dict[str, Any]:
    return METHODS[method](Message(method, params, 1), style, request_of(""))


def test_resources_are_listed_in_order_and_described() -> None:
    card, plain = ask("resources/list")["resources"]
    assert card == {
        "uri": "ui://brskills/x.html",
        "name": "x",
        "title": "X",
        "description": "A card",
        "mimeType": "text/html",
        "_meta": {"ui": {}},
    }
    assert (plain["uri"], plain.get("_meta")) == ("skill://x/SKILL.md", None)


def test_a_resource_is_read_with_the_address_of_the_request() -> None:
    (found,) = ask("resources/read", uri=CARD.uri)["contents"]
    assert found == {
        "uri": CARD.uri,
        "mimeType": "text/html",
        "text": "<a href=https://api.example.com/v1>",
        "_meta": {"ui": {}},
    }


@for_each("method", ["resources/list", "resources/templates/list", "resources/read"])
def test_newer_clients_may_keep_an_answer(method: str) -> None:
    kept = {"ttlMs": 3_600_000, "cacheScope": "public"}
    older, newer = (ask(method, style, uri=PLAIN.uri) for style in Style)
    assert newer == {**older, **kept}
    assert not kept.keys() & older.keys()


def test_there_are_no_templates_and_one_page(caller: Caller) -> None:
    assert caller.old("resources/templates/list").body["result"] == {"resourceTemplates": []}
    for method in ("resources/list", "resources/templates/list"):
        assert caller.old(method, {"cursor": "2"}).error == (200, -32602)
        assert caller.new(method, {"cursor": "2"}).error == (400, -32602)


def test_an_unknown_resource_has_the_code_of_each_revision(caller: Caller) -> None:
    unknown = {"uri": "skill://x"}
    assert caller.old("resources/read", unknown).error == (200, -32002)
    assert caller.new("resources/read", unknown, {"Mcp-Name": "skill://x"}).error == (400, -32602)
    assert caller.old("resources/read", {"uri": 1}).error == (200, -32602)


def test_the_name_header_repeats_the_uri(caller: Caller) -> None:
    for header in (None, "skill://y"):
        assert caller.new("resources/read", {"uri": "skill://x"}, {"Mcp-Name": header}).error == (400, -32020)

from __future__ import annotations

import json
import re
from pathlib import Path

from agents.discovery import ai_catalog, server_card, server_json
from agents.protocol_versions import HANDSHAKE_VERSIONS, VERSIONS

BASE, PROJECT = "https://api.example.com", "https://github.com/brskills/brskills"
ROOT = Path(__file__).parents[3]


def test_the_card_tells_how_to_connect() -> None:
    card = server_card(BASE, PROJECT)
    (remote,) = card["remotes"]
    assert (remote["type"], remote["url"]) == ("streamable-http", f"{BASE}/mcp")
    assert remote["supportedProtocolVersions"] == [*HANDSHAKE_VERSIONS, *VERSIONS]
    assert remote["headers"][0]["isSecret"] is True
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", card["name"])
    assert 1 <= len(card["description"]) <= 100


def test_the_catalogue_leads_to_the_card() -> None:
    entries = ai_catalog(BASE)["entries"]
    assert entries[0]["type"] == "application/mcp-server-card+json"
    assert entries[0]["url"] == f"{BASE}/mcp/server-card"
    assert {"identifier", "displayName", "type", "url"} == set(entries[0])


def test_the_file_for_registries_is_what_is_served_but_for_the_address() -> None:
    """A registry lists every deployment at once, so there the address is asked for."""
    kept = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    (remote,) = kept["remotes"]
    assert remote.pop("variables")["base_url"]["isRequired"] is True
    assert kept == server_json("{base_url}", PROJECT)

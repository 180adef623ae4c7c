import json
import re
from pathlib import Path
from typing import Any

import pytest

from brskills_server.agents.discovery import ai_catalog, server_card, server_json
from brskills_server.runtime.settings import Settings
from brskills_server.web.mcp_versions import HANDSHAKE_VERSIONS, VERSIONS
from functions.site import app as site

BASE = "https://api.example.com"
ROOT = Path(__file__).parents[3]
SETTINGS = Settings.from_environment({})


def test_the_card_has_both_ways_to_connect() -> None:
    card = server_card(BASE, SETTINGS)
    by_key, by_sign_in = card["remotes"]
    assert (by_key["type"], by_key["url"]) == ("streamable-http", f"{BASE}/mcp")
    (header,) = by_key["headers"]
    assert (header["name"], header["isRequired"], header["isSecret"]) == ("X-API-Key", False, True)
    assert "OAuth" in header["description"]
    assert (by_sign_in["type"], by_sign_in["url"]) == ("streamable-http", f"{BASE}/mcp/oauth")
    assert "headers" not in by_sign_in
    for remote in card["remotes"]:
        assert remote["supportedProtocolVersions"] == [*HANDSHAKE_VERSIONS, *VERSIONS]


def test_the_icon_is_served() -> None:
    (icon,) = server_card(BASE, SETTINGS)["icons"]
    event = {
        "httpMethod": "GET",
        "resource": "/static/{file+}",
        "pathParameters": {"file": icon["src"].removeprefix(f"{BASE}/static/")},
    }
    answer = site.handler(event, None)
    assert (answer["statusCode"], answer["headers"]["Content-Type"]) == (200, icon["mimeType"])
    assert answer["body"].startswith("<svg")


def test_the_catalogue_links_to_the_card() -> None:
    entries = ai_catalog(BASE)["entries"]
    assert entries[0]["type"] == "application/mcp-server-card+json"
    assert entries[0]["url"] == f"{BASE}/mcp/server-card"
    assert {"identifier", "displayName", "type", "url"} == set(entries[0])


def test_the_file_for_registries_is_the_served_one_but_for_the_address() -> None:
    """A registry lists every deployment at once, so its users enter the address."""
    kept = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    for remote in kept["remotes"]:
        assert remote.pop("variables")["base_url"]["isRequired"] is True
    assert kept == server_json("{base_url}", SETTINGS)


NAME = re.compile(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+")
ADDRESS = re.compile(r"https?://\S+")
REMOTE = re.compile(r"(https?://\S+|\{[a-zA-Z_]\w*\}\S*)")
MEMBERS: dict[str, tuple[re.Pattern[str], int, int]] = {
    "$schema": (ADDRESS, 1, 255),
    "name": (NAME, 3, 200),
    "title": (re.compile(".+"), 1, 100),
    "description": (re.compile(".+"), 1, 100),
    "version": (re.compile(r"\d+\.\d+\.\d+"), 1, 255),
    "websiteUrl": (ADDRESS, 1, 255),
}
"""Texts of the registries' schema (2025-12-11): form, and least and most characters."""


def check_entry(entry: dict[str, Any]) -> None:
    """Check an entry against the part of the registries' schema that is used."""
    for member, (form, least, most) in MEMBERS.items():
        assert form.fullmatch(entry[member]), member
        assert least <= len(entry[member]) <= most, member
    assert set(entry) - set(MEMBERS) <= {"repository", "icons", "remotes"}
    if repository := entry.get("repository"):
        assert repository["source"] == "github"
        assert repository["url"].startswith("https://github.com/")
    for icon in entry.get("icons", ()):
        assert icon["src"].startswith("https://")
        assert len(icon["src"]) <= 255
        assert icon["mimeType"] in {"image/png", "image/jpeg", "image/svg+xml", "image/webp"}
        assert all(re.fullmatch(r"\d+x\d+|any", size) for size in icon["sizes"])
    for remote in entry["remotes"]:
        assert remote["type"] == "streamable-http"
        assert REMOTE.fullmatch(remote["url"])
        asked_for = set(re.findall(r"\{(\w+)\}", remote["url"]))
        assert asked_for == set(remote.get("variables", ()))
        for header in remote.get("headers", ()):
            assert set(header) == {"name", "description", "isRequired", "isSecret"}


@pytest.mark.parametrize("base", [BASE, "https://abc123.execute-api.sa-east-1.amazonaws.com/v1"])
def test_registries_accept_what_is_served(base: str) -> None:
    entry = server_json(base, SETTINGS)
    check_entry(entry)
    assert entry["icons"] == server_card(base, SETTINGS)["icons"]
    assert entry["name"] == "io.github.brskills/brskills"


def test_registries_accept_the_file() -> None:
    check_entry(json.loads((ROOT / "server.json").read_text(encoding="utf-8")))


def test_an_operator_may_set_name_and_address() -> None:
    given = {"REGISTRY_NAME": "com.example/pix-cnpj", "PROJECT_URL": "https://www.example.com/brskills"}
    settings = Settings.from_environment(given)
    entry = server_json(BASE, settings)
    check_entry(entry)
    assert (entry["name"], entry["websiteUrl"]) == ("com.example/pix-cnpj", given["PROJECT_URL"])
    assert "repository" not in entry
    assert server_card(BASE, settings)["name"] == "com.example/pix-cnpj"


def test_without_https_registries_get_no_icon() -> None:
    assert "icons" not in server_json("http://127.0.0.1:8000", SETTINGS)

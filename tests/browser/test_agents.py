"""What an agent's program or library is given: with this address, and the key in use."""

from __future__ import annotations

import ast
import base64
import json
import shlex
import tomllib
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reading import demo_key
from tests.browser.test_key_box import create

LIBRARIES = ("Python", "LangChain", "OpenAI Agents", "Pydantic AI", "Strands")


def snippet(page: Page, name: str) -> str:
    page.locator("#agents").get_by_role("tab", name=name, exact=True).click()
    return page.locator("#installs-code").text_content() or ""


def server(base: str, key: str) -> dict:
    return {"url": f"{base}mcp", "headers": {"X-API-Key": key}}


def test_claude_code_is_one_command(open_page, base):
    page = open_page()
    words = shlex.split(snippet(page, "Claude Code"))
    assert words[:7] == ["claude", "mcp", "add", "--scope", "user", "--transport", "http"]
    assert words[7:] == ["brskills", f"{base}mcp", "--header", f"X-API-Key: {demo_key(page)}"]
    expect(page.locator("#installs-link")).to_be_hidden()


def test_cursor_gets_the_same_by_its_link_and_by_its_file(open_page, base):
    page = open_page("en")
    shown = json.loads(snippet(page, "Cursor"))
    assert shown == {"mcpServers": {"brskills": server(base, demo_key(page))}}
    link = page.get_by_role("link", name="Install in Cursor")
    address = urlsplit(link.get_attribute("href") or "")
    assert (address.scheme, address.netloc) == ("cursor", "anysphere.cursor-deeplink")
    assert address.path == "/mcp/install"
    asked = parse_qs(address.query)
    assert asked["name"] == ["brskills"]
    assert json.loads(base64.b64decode(asked["config"][0])) == server(base, demo_key(page))


def test_vs_code_gets_the_same_by_its_link_and_by_its_command(open_page, base):
    page = open_page()
    command, option, told = shlex.split(snippet(page, "VS Code"))
    assert (command, option) == ("code", "--add-mcp")
    assert json.loads(told) == {"name": "brskills", "type": "http", **server(base, demo_key(page))}
    link = page.get_by_role("link", name="Instalar no VS Code").get_attribute("href") or ""
    assert link.startswith("vscode:mcp/install?")
    assert unquote(link.partition("?")[2]) == told


def test_codex_gets_a_table_of_its_file(open_page, base):
    page = open_page()
    table = tomllib.loads(snippet(page, "Codex"))["mcp_servers"]["brskills"]
    assert table == {"url": f"{base}mcp", "http_headers": {"X-API-Key": demo_key(page)}}


def test_each_says_where_it_goes_and_how_to_see_that_it_works(open_page):
    page = open_page("en")
    where = page.locator("#installs-where")
    expect(where).to_contain_text("claude mcp list")
    snippet(page, "Codex")
    expect(where).to_contain_text("~/.codex/config.toml")
    for name in LIBRARIES:
        snippet(page, name)
        expect(where).to_contain_text("python agent.py")
    expect(page.locator("#agents")).to_contain_text("Is the company SANDBOX1000170 active?")


def test_the_note_on_the_key_leads_to_where_one_is_made(open_page):
    page = open_page("en")
    page.locator("#installs-note").get_by_role("link", name="Create your own").click()
    expect(page.locator("#key")).to_be_in_viewport()


@pytest.mark.parametrize("name", LIBRARIES)
def test_what_is_python_is_python_with_the_address_and_the_key(open_page, base, name):
    page = open_page()
    code = snippet(page, name)
    said = {node.value for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant)}
    assert {f"{base}mcp", demo_key(page)} <= said


def test_a_key_of_ones_own_goes_into_each_and_into_the_links(open_page):
    page = open_page()
    snippet(page, "Cursor")
    key = create(page)
    expect(page.locator("#installs-code")).to_contain_text(key)
    link = page.get_by_role("link", name="Instalar no Cursor").get_attribute("href") or ""
    assert key in base64.b64decode(parse_qs(urlsplit(link).query)["config"][0]).decode()
    for tab in page.locator("#agents").get_by_role("tab").all():
        tab.click()
        expect(page.locator("#installs-code")).to_contain_text(key)


def test_what_is_copied_is_what_is_shown(open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    code = snippet(page, "LangChain")
    page.click("[data-copy=installs-code]")
    expect(page.locator("[data-copy=installs-code]")).to_have_text("Copiado")
    assert page.evaluate("navigator.clipboard.readText()") == code

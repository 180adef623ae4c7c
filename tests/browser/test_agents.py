"""What an agent's program or library is given: with this address, and the key in use."""

import base64
import json
import shlex
from urllib.parse import parse_qs, unquote, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.reading import demo_key
from tests.browser.test_key_box import create

LIBRARIES = ("Python", "LangChain", "OpenAI Agents", "Pydantic AI", "Strands")


def snippet(page: Page, name: str) -> str:
    page.locator("#agents").get_by_role("tab", name=name, exact=True).click()
    return page.locator("#installs-code").text_content() or ""


def server(base: str, key: str) -> dict:
    return {"url": f"{base}mcp", "headers": {"X-API-Key": key}}


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


def test_vs_code_gets_the_same_by_its_link_and_by_its_command(page, base):
    command, option, config = shlex.split(snippet(page, "VS Code"))
    assert (command, option) == ("code", "--add-mcp")
    assert json.loads(config) == {"name": "brskills", "type": "http", **server(base, demo_key(page))}
    link = page.get_by_role("link", name="Instalar no VS Code").get_attribute("href") or ""
    assert link.startswith("vscode:mcp/install?")
    assert unquote(link.partition("?")[2]) == config


def test_a_key_of_ones_own_goes_into_each_and_into_the_links(page):
    snippet(page, "Cursor")
    key = create(page)
    expect(page.locator("#installs-code")).to_contain_text(key)
    link = page.get_by_role("link", name="Instalar no Cursor").get_attribute("href") or ""
    assert key in base64.b64decode(parse_qs(urlsplit(link).query)["config"][0]).decode()
    for tab in page.locator("#agents").get_by_role("tab").all():
        tab.click()
        expect(page.locator("#installs-code")).to_contain_text(key)

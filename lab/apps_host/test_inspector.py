"""The cards in MCP Inspector, which states MCP Apps in its handshake and lets a card load nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from lab.apps_host.inspector import Address, inspector, keyed_relay
from lab.clients.environments import node
from tests.browser.cards.calls import CALLS, CODE
from tests.browser.cards.test_answers import HEADINGS
from tests.browser.reading import scan

SECONDS = 90  # its page is large, and machines are busy


@pytest.fixture(scope="module")
def address(
    packages: Path, base: str, key: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Address]:
    home = tmp_path_factory.mktemp("inspector")
    with keyed_relay(f"{base}mcp", key) as server, inspector(packages, home, node(), server) as found:
        yield found


@pytest.mark.parametrize("name", ["pix", "payee", "company"])
def test_an_answer_is_shown(browser: Browser, address: Address, name: str) -> None:
    page = browser.new_page(locale="en-US")
    page.goto(address(*CALLS[name]))
    card = page.frame_locator("iframe").frame_locator("iframe")
    expect(card.locator("h1")).to_have_text(HEADINGS[name][1], timeout=SECONDS * 1000)
    if CALLS[name] is CODE:
        expect(card.locator(".qr canvas[width]")).to_be_visible()
        assert scan(card.locator(".qr")) == card.locator("#code").input_value()
    page.close()

"""The cards in a host made of the official packages, in a browser, at both styles of the protocol."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.cards.calls import CALLS, CODE, COMPANY
from tests.browser.cards.test_answers import AGREES, HEADINGS, PAPER
from tests.browser.reading import scan

from .conftest import Host

TOOLS = ["create_pix_code", "check_pix_payee", "look_up_company"]
MODES = ["legacy", "auto"]


@pytest.mark.parametrize("mode", MODES)
def test_the_tools_of_a_host_have_cards_if_it_states_them(host: Host, mode: str) -> None:
    assert host.connect(mode) == TOOLS
    assert host.connect(mode, shows_cards=False) == []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", CALLS)
def test_an_answer_is_shown(host: Host, mode: str, name: str) -> None:
    host.connect(mode)
    host.show(*CALLS[name], theme="dark", locale="en-US")
    expect(host.card.locator("h1")).to_have_text(HEADINGS[name][1])
    expect(host.card.locator("html")).to_have_attribute("lang", "en")
    paper = host.card.locator("body").evaluate("(body) => getComputedStyle(body).backgroundColor")
    assert paper == PAPER["dark"]


def test_the_qr_is_that_of_the_code(host: Host) -> None:
    host.connect("legacy")
    code = host.show(*CODE, locale="pt-BR")["structuredContent"]["brcode"]  # type: ignore[index]
    expect(host.card.locator("#code")).to_have_value(code)
    expect(host.card.locator(".qr canvas[width]")).to_be_visible()
    assert scan(host.card.locator(".qr")) == code


def test_the_frame_takes_the_cards_height_and_the_card_the_hosts_theme(host: Host) -> None:
    host.connect("legacy")
    host.show(*COMPANY, theme="light", locale="pt-BR")
    height = host.card.locator("html").evaluate("(root) => root.getBoundingClientRect().height")
    host.page.wait_for_function(f"Math.abs(document.querySelector('iframe').clientHeight - {height}) <= 1")
    host.page.evaluate("bridge.setHostContext({ theme: 'dark', locale: 'en' })")
    expect(host.card.locator("html")).to_have_attribute("data-theme", "dark")
    expect(host.card.locator("html")).to_have_attribute("lang", "en")
    host.page.evaluate("bridge.teardownResource({})")


def test_a_refused_call_is_shown_as_a_problem(host: Host) -> None:
    host.connect("auto")
    result = host.show("create_pix_code", {"chave": "x"}, locale="en")
    assert result["isError"] is True
    expect(host.card.locator(".finding li")).not_to_have_count(0)
    assert AGREES[1] not in host.card.locator("body").inner_text()

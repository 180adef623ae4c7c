"""The guides as people read them: found from the page, in either frame, on a phone, in the dark."""

import re

import pytest
from playwright.sync_api import expect

from guides.__main__ import names
from tests.browser.test_access import serious_issues

LISTED = [f"docs/{name}" for name in names()[::4]]


def test_who_comes_from_the_page_finds_a_guide_and_the_way_back(open_page):
    page = open_page("en")
    page.get_by_role("navigation", name="On this site").get_by_role("link", name="Docs").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Docs")
    page.get_by_role("main").get_by_role("link", name="Keys, quotas and limits").last.click()
    expect(page.locator("article")).to_contain_text("Idempotency-Key")
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Errors")
    page.get_by_role("link", name="Previous").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.locator(".language").click()
    expect(page.locator("html")).to_have_attribute("lang", "pt-BR")
    expect(page.get_by_role("heading", level=1)).to_have_text("Chaves, cotas e limites")


def test_the_search_finds_a_section_by_the_keyboard_whatever_its_accents(open_page):
    page = open_page("docs/start")
    page.keyboard.press("/")
    page.keyboard.type("devolucoes")
    found = page.locator("#found a")
    expect(found.first).to_contain_text("Devoluções")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("docs/confirmation#devoluções|docs/confirmation#devolu"))
    page.locator("#search").fill("zzz")
    expect(page.locator("#found")).to_have_text("Nada encontrado.")


def test_code_is_copied_with_the_address_of_the_service(open_page, base):
    page = open_page("en/docs/start", permissions=["clipboard-read", "clipboard-write"])
    page.locator("article .code").first.get_by_role("button", name="Copy").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"curl -s {base}api/v1/skills/pix ")


def test_contents_and_anchors_lead_to_where_they_say_below_the_bar(open_page):
    page = open_page("en/docs/keys", viewport={"width": 1300, "height": 800})
    page.get_by_role("navigation", name="On this page").get_by_role("link", name="Usage").click()
    heading = page.get_by_role("heading", name="Usage")
    expect(heading).to_be_in_viewport()
    bar, box = page.locator(".bar").bounding_box(), heading.bounding_box()
    assert box["y"] >= bar["height"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 390), ("dark", 1200)])
def test_axe_finds_no_serious_issue_and_no_page_is_too_wide(open_page, scheme, width):
    page = open_page("docs", color_scheme=scheme, viewport={"width": width, "height": 900})
    for address in ["docs", "pricing", "status", *LISTED]:
        page.goto(
            page.url.partition("/docs")[0].partition("/pricing")[0].partition("/status")[0] + "/" + address
        )
        assert serious_issues(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address


def test_a_table_that_is_wider_than_a_phone_is_scrolled_by_the_keyboard(open_page):
    page = open_page("docs/cnpj", viewport={"width": 320, "height": 800})
    box = page.locator("article .scroll").filter(has=page.locator("table")).first
    box.evaluate("(element) => element.querySelector('table').style.width = '60rem'")
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(element) => element.scrollLeft > 0", arg=box.element_handle())

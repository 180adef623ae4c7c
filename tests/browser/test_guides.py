"""The guides as people read them: found from the page, in either frame, on a phone, in the dark."""

import pytest
from playwright.sync_api import expect

from guides.__main__ import names
from tests.browser.test_access import serious_issues

LISTED = [f"guides/{name}" for name in names()[::5]]


def test_who_comes_from_the_page_finds_a_guide_and_the_way_back(open_page):
    page = open_page("en")
    page.get_by_role("navigation").get_by_role("link", name="Guides").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Guides")
    page.get_by_role("link", name="Keys and quotas").click()
    expect(page.locator("article")).to_contain_text("Idempotency-Key")
    page.get_by_role("link", name="stores", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Stores")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("link", name="brskills, home").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pix and CNPJ in one call.")


def test_contents_and_anchors_lead_to_where_they_say_below_the_bar(open_page):
    page = open_page("guides/billing?lang=en", viewport={"width": 1200, "height": 800})
    page.get_by_role("navigation", name="In this guide").get_by_role("link", name="Settings").click()
    heading = page.get_by_role("heading", name="Settings")
    expect(heading).to_be_in_viewport()
    bar, box = page.locator(".bar").bounding_box(), heading.bounding_box()
    assert box["y"] >= bar["height"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 390), ("dark", 1200)])
def test_axe_finds_no_serious_issue_and_no_guide_is_too_wide(open_page, scheme, width):
    page = open_page("guides", color_scheme=scheme, viewport={"width": width, "height": 900})
    for address in ["guides", *LISTED]:
        page.goto(page.url.partition("/guides")[0] + "/" + address)
        assert serious_issues(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address


def test_a_table_that_is_wider_than_a_phone_is_scrolled_by_the_keyboard(open_page):
    page = open_page("guides/billing", viewport={"width": 390, "height": 800})
    box = page.locator("article .scroll").filter(has=page.locator("table")).first
    assert box.evaluate("(element) => element.scrollWidth > element.clientWidth")
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(element) => element.scrollLeft > 0", arg=box.element_handle())

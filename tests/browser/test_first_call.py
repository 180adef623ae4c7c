"""The top of the page: a Pix call in five forms, and beside it the answer with its QR."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.held import Held, problem
from tests.browser.reading import demo_key, scan, submit_pix


@pytest.mark.parametrize("path", ["", "en"])
def test_the_example_that_the_page_brings_is_what_comes(open_page, path):
    page = open_page(path)
    expect(page.locator("#pix-measured")).to_have_text("example" if path else "exemplo")
    brought = json.loads(page.locator("#pix-answer").text_content() or "")
    assert scan(page.locator("#pix-qr")) == brought["brcode"]
    submit_pix(page)
    expect(page.locator("#pix-measured")).to_have_text(re.compile(r"^HTTP 200 \D+ \d+ ms$"))
    assert json.loads(page.locator("#pix-answer").text_content() or "") == brought


@pytest.mark.parametrize("path", ["", "en"])
def test_without_scripts_the_page_shows_the_call_and_its_answer(browser, base, path):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(base + path)
    _, _, sent = (page.locator("#pix-samples-code").text_content() or "").partition("\n\n")
    for name, value in json.loads(sent).items():
        typed = page.locator(f"#pix-form [name={name}]").get_attribute("value") or ""
        assert typed.replace(",", ".") == value
    assert json.loads(page.locator("#pix-answer").text_content() or "")["brcode"].startswith("000201")
    context.close()


@pytest.mark.parametrize(("width", "height", "screens"), [(1280, 800, 1), (390, 844, 2)])
def test_heading_call_answer_and_qr_are_seen_first(open_page, width, height, screens):
    page = open_page(viewport={"width": width, "height": height})
    for part in ("#hero-title", "#pix-form .call", "#pix-samples", "#pix-answer", "#pix-qr img"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] < height * screens, part
    for part in ("#pix-samples", "#pix-qr img"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height * screens, part


def test_a_refusal_is_shown_as_the_api_answers_it(page):
    held = Held(page, "skills/pix")
    submit_pix(page)
    held[0].fulfill(**problem(429, "quota_exceeded"))
    expect(page.locator("#pix-measured")).to_have_text(re.compile("^HTTP 429 "))
    assert json.loads(page.locator("#pix-answer").text_content() or "")["code"] == "quota_exceeded"
    page.fill("#pix-valor", "1")
    expect(page.locator("#pix-answer")).to_be_empty()
    expect(page.locator("[data-copy=pix-answer]")).to_be_disabled()


def test_the_forms_are_one_call_with_one_key(page):
    tabs = page.locator("#pix-samples").get_by_role("tab")
    expect(tabs).to_have_text(["curl", "Python", "TypeScript", "JavaScript", "MCP"])
    for name, content in [("Python", "Padaria"), ("TypeScript", "Padaria"), ("MCP", "mcpServers")]:
        tabs.filter(has_text=name).click()
        assert_code(page, content, demo_key(page))
    server = json.loads(page.locator("#pix-samples-code").text_content() or "")["mcpServers"]["brskills"]
    assert server["url"].endswith("/mcp")


def assert_code(page: Page, *parts: str) -> None:
    for part in parts:
        expect(page.locator("#pix-samples-code")).to_contain_text(part)

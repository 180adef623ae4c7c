"""The top of the page: one call in four forms, and beside it what the API answered to this visit."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.held import Held
from tests.browser.reading import demo_key


def test_what_is_shown_is_what_the_api_answers(page, base):
    held = Held(page, "skills/cnpj/SANDBOX1000170")
    page.reload(wait_until="domcontentloaded")
    record = {
        "cnpj": "X",
        "razao_social": None,
        "endereco": {"uf": "SP", "cep": "1" * 60},
        "socios": [{"a": 1}],
    }
    held[0].fulfill(status=203, json=record)
    expect(page.locator("#hero-measured")).to_have_text(re.compile(r"^HTTP 203 "))
    assert page.locator("#hero-answer").text_content() == (
        '{\n  "cnpj": "X",\n  "razao_social": null,\n  "endereco": {"uf": "SP", …},\n'
        '  "socios": [{"a":1}],\n  …\n}'
    )


@pytest.mark.parametrize("path", ["", "en"])
def test_the_example_that_the_page_brings_is_what_comes(browser, base, path):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(base + path)
    expect(page.locator("#hero-measured")).to_have_text("example" if path else "exemplo")
    expect(page.locator("#hero-code")).to_contain_text("GET api/v1/skills/cnpj/SANDBOX1000170")
    brought = page.locator("#hero-answer").text_content()
    context.close()
    context = browser.new_context()
    page = context.new_page()
    page.goto(base + path)
    expect(page.locator("#hero-measured")).to_contain_text("HTTP 200")
    assert page.locator("#hero-answer").text_content() == brought
    context.close()


def test_the_forms_are_one_call_with_one_key(page):
    tabs = page.locator(".hero").get_by_role("tab")
    expect(tabs).to_have_text(["curl", "Python", "TypeScript", "MCP"])
    for name, content in {
        "Python": "SANDBOX1000170",
        "TypeScript": "SANDBOX1000170",
        "MCP": "mcpServers",
    }.items():
        tabs.filter(has_text=name).click()
        expect(page.locator("#hero-code")).to_contain_text(content)
        expect(page.locator("#hero-code")).to_contain_text(demo_key(page))
    text = page.locator("#hero-code").text_content() or ""
    assert json.loads(text)["mcpServers"]["brskills"]["url"].endswith("/mcp")

"""The API reference: our own copy of the viewer over our own description, calling nobody else."""

from __future__ import annotations

from playwright.sync_api import expect


def test_the_reference_lists_the_api(open_page):
    page = open_page("reference")
    expect(page.locator(".swagger-ui .info .title")).to_contain_text("brskills")
    expect(page.locator("[data-path='/api/v1/skills/pix']")).to_be_visible()


def test_a_call_can_be_tried_with_the_demo_key(open_page):
    page = open_page("reference")
    operation = page.locator(".opblock", has=page.locator("[data-path='/api/v1/usage']"))
    operation.get_by_role("button").first.click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table .response-col_status").last).to_contain_text("200")


def test_it_comes_in_both_languages_and_says_what_it_has_in_one_alone(open_page):
    page = open_page("reference?lang=en")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator(".note")).to_contain_text("there is no English version")
    page.get_by_role("link", name="Português").click()
    expect(page.locator("html")).to_have_attribute("lang", "pt-BR")
    page.get_by_role("link", name="English").click()
    page.get_by_role("link", name="brskills").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pix and CNPJ in one call.")


def test_no_operation_is_unfolded(open_page):
    page = open_page("reference")
    expect(page.locator(".opblock").first).to_be_visible()
    expect(page.locator(".opblock-body")).to_have_count(0)

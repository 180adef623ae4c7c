"""The API reference: our own copy of the viewer over our own description, calling nobody else."""

import pytest
from playwright.sync_api import Locator, Page, expect


def operation(page: Page, path: str) -> Locator:
    return page.locator(".opblock", has=page.locator(f"[data-path='{path}']"))


# Some count: their examples are sent as they are filled in, one after the other.
AS_FILLED_IN = (
    "/api/v1/skills/pix",
    "/api/v1/skills/pix/conferir",
    "/api/v1/skills/pix/lote",
    "/api/v1/skills/cnpj/lote",
    "/api/v1/skills/cnpj/{cnpj}",
    "/api/v1/tools",
    "/mcp",
)


def test_what_is_filled_in_can_be_sent_operation_by_operation(open_page):
    page = open_page("reference")
    for path in AS_FILLED_IN:
        tried = operation(page, path).first
        tried.get_by_role("button").first.click()
        tried.get_by_role("button", name="Try it out").click()
        tried.get_by_role("button", name="Execute").click()
        expect(tried.locator(".live-responses-table .response-col_status").last).to_contain_text("200")


@pytest.mark.parametrize(("address", "language"), [("reference", "pt-BR"), ("en/reference", "en")])
def test_a_call_asks_for_the_language_of_the_page(open_page, address, language):
    page = open_page(address)
    page.route(
        "**/api/v1/plans",
        lambda route: route.fulfill(body=f"asked for in {route.request.headers['accept-language']}"),
    )
    plans = operation(page, "/api/v1/plans")
    plans.get_by_role("button").first.click()
    plans.get_by_role("button", name="Try it out").click()
    plans.get_by_role("button", name="Execute").click()
    expect(plans.locator(".live-responses-table")).to_contain_text(f"asked for in {language}")


def test_it_comes_in_both_languages_with_what_it_describes(open_page):
    page = open_page("en/reference")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator(".opblock-tag-section")).to_have_count(6)
    expect(page.get_by_role("heading", name="Billing", exact=False)).to_be_visible()
    expect(operation(page, "/api/v1/plans")).to_contain_text("List the plans")
    page.get_by_role("link", name="Português").click()
    expect(page.locator("html")).to_have_attribute("lang", "pt-BR")
    expect(operation(page, "/api/v1/plans")).to_contain_text("Ver os planos")
    expect(page.get_by_role("heading", name="Cobrança", exact=False)).to_be_visible()
    page.get_by_role("link", name="English").click()
    expect(operation(page, "/api/v1/plans")).to_contain_text("List the plans")
    page.get_by_role("link", name="brskills").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pix and CNPJ in one call.")

"""The status of a search: a choice in the form, and an offer where no active company is found."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_access import serious_issues, tab_to
from tests.browser.test_search import EMPTY, FOUND, SEARCH, opened, search

LANGUAGES = {
    "": (
        "Situação",
        ["Ativas", "Todas", "Baixadas", "Inaptas", "Suspensas", "Nulas"],
        "Nenhuma empresa ativa encontrada.",
        "Buscar em todas as situações (conta uma chamada)",
        "Encontradas: 4.",
    ),
    "en": (
        "Status",
        [
            "Active (ativa)",
            "All",
            "Closed (baixada)",
            "Unfit (inapta)",
            "Suspended (suspensa)",
            "Void (nula)",
        ],
        "No active company found.",
        "Search in every status (counts one call)",
        "Found: 4.",
    ),
}
"""By path: label and choices of the status, that no company is active, the offer, and its outcome."""


def find_no_active(page: Page) -> list[Any]:
    """Answer searches for active companies as if there were none. Return what is asked, as it comes."""
    asked: list[Any] = []

    def answer(route: Any) -> None:
        asked.append(route.request.post_data_json)
        if asked[-1]["situacao"] == "ativa":
            route.fulfill(json=EMPTY)
        else:
            route.continue_()

    page.route(SEARCH, answer)
    return asked


@pytest.mark.parametrize("path", LANGUAGES)
def test_a_status_is_chosen_and_its_companies_alone_are_found(open_page, path):
    page = opened(open_page(path))
    label, choices, *_ = LANGUAGES[path]
    chosen = page.get_by_label(label, exact=True)
    expect(chosen.locator("option")).to_have_text(choices)
    expect(chosen).to_have_value("ativa")
    search(page, "SANDBOX")
    expect(page.locator(f"{FOUND} .word")).to_have_text(["ATIVA"] * 3)
    chosen.select_option(choices[2])
    expect(page.locator(FOUND)).to_have_count(0)
    search(page, "SANDBOX")
    expect(page.locator(f"{FOUND} .word")).to_have_text(["BAIXADA"])


@pytest.mark.parametrize("path", LANGUAGES)
def test_where_no_company_is_active_one_press_searches_in_every_status(open_page, path):
    page = opened(open_page(path))
    _, _, nothing, offer, found = LANGUAGES[path]
    asked = find_no_active(page)
    search(page, "SANDBOX")
    expect(page.locator("#search-outcome")).to_have_text(nothing)
    page.get_by_role("button", name=offer).click()
    expect(page.locator("#search-outcome")).to_have_text(found)
    expect(page.locator(FOUND)).to_have_count(4)
    expect(page.locator("#search-situacao")).to_have_value("todas")
    expect(page.locator("#search-form > .submit button")).to_be_focused()
    expect(page.get_by_role("button", name=offer)).to_have_count(0)
    assert asked == [{"nome": "SANDBOX", "situacao": status} for status in ("ativa", "todas")]


def test_where_another_status_finds_nothing_no_search_is_offered(page):
    page.route(SEARCH, lambda route: route.fulfill(json=EMPTY))
    opened(page).select_option("#search-situacao", "todas")
    search(page, "padarja")
    expect(page.locator("#search-outcome")).to_have_text("Nenhuma empresa encontrada.")
    expect(page.locator("#search-result button")).to_have_count(0)


@pytest.mark.parametrize(("path", "scheme"), [("", "light"), ("en", "dark")])
def test_it_is_for_everybody(open_page, path, scheme):
    page = opened(open_page(path, color_scheme=scheme, viewport={"width": 320, "height": 700}))
    find_no_active(page)
    page.focus("#search-nome")
    page.keyboard.press("Enter")
    expect(page.locator("#search-result button")).to_be_visible()
    assert serious_issues(page) == []
    tab_to(page, "#search-result button")
    page.keyboard.press("Enter")
    expect(page.locator(FOUND)).to_have_count(4)
    assert serious_issues(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320

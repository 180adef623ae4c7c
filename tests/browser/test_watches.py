"""Watched companies on the page: listed, added and ended with one's own key, and what changed in them."""

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_access import serious_issues
from tests.browser.test_grants import bring


@pytest.fixture
def key(base: str) -> str:
    return str(httpx.post(f"{base}api/v1/keys").json()["api_key"])


def opened(page: Page) -> Page:
    page.click("#watches-title")
    expect(page.locator("#watches-message")).not_to_be_empty()
    return page


def add(page: Page, cnpj: str, reference: str = "") -> None:
    page.fill("#watches-cnpj", cnpj)
    page.fill("#watches-referencia", reference)
    page.locator("#watches form button").click()


def test_a_company_is_watched_changes_and_is_ended(open_page, base, key):
    page = open_page()
    bring(page, key)
    opened(page)
    expect(page.locator("#watches-message")).to_have_text("Nenhuma empresa monitorada.")
    add(page, "SANDBOX1000170", "<b>a</b>")
    expect(page.locator("#watches-message")).to_contain_text("Empresa monitorada")
    expect(page.locator("#watches-list li")).to_contain_text("SANDBOX1000170")
    expect(page.locator("#watches-list li")).to_contain_text("<b>a</b>")
    simulated = httpx.post(f"{base}api/v1/watches/simulate", headers={"X-API-Key": key})
    assert simulated.status_code == 202
    add(page, "1")
    expect(page.locator("#watches-message")).to_contain_text("CNPJ inválido")
    add(page, "SANDBOX2000114")
    expect(page.locator("#watches-list li")).to_have_count(2)
    expect(page.locator("#watches-news")).to_contain_text("Últimas mudanças")
    expect(page.locator("#watches-news dl")).to_have_count(1)
    assert serious_issues(page) == []
    page.get_by_role("button", name="Deixar de monitorar: SANDBOX1000170").click()
    expect(page.locator("#watches-list li")).to_have_count(1)
    expect(page.locator("#watches-message")).to_have_text("SANDBOX1000170 não é mais monitorada.")
    expect(page.locator("#watches-title")).to_be_focused()
    page.locator("#watches-list a").click()
    expect(page.locator("#cnpj-name")).to_have_text("EMPRESA ENCERRADA DE EXEMPLO LTDA")


@pytest.mark.parametrize(("scheme", "width"), [("light", 320), ("dark", 1200)])
def test_without_a_key_it_says_what_is_needed(open_page, scheme, width):
    page = open_page("en", color_scheme=scheme, viewport={"width": width, "height": 844})
    opened(page)
    expect(page.locator("#watches-message")).to_have_text(
        "To watch companies, enter your key under “I already have a key”."
    )
    assert serious_issues(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_list_is_of_the_key_in_use(open_page, base, key):
    httpx.post(f"{base}api/v1/watches", headers={"X-API-Key": key}, json={"cnpj": "SANDBOX3000169"})
    page = open_page()
    opened(page)
    bring(page, key)
    expect(page.locator("#watches-list li")).to_have_count(1)
    page.locator("#key-form button").click()
    expect(page.locator("#watches-message")).to_have_text("Nenhuma empresa monitorada.")
    expect(page.locator("#watches-list li")).to_have_count(0)


def test_a_company_is_watched_beside_its_changes(open_page, base, key):
    page = open_page()
    bring(page, key)
    page.locator("#cnpj-form .submit button").click()
    expect(page.locator("#cnpj-fields dl")).to_be_visible()
    page.get_by_text("Ver mudanças").click()
    page.get_by_role("button", name="Monitorar", exact=True).click()
    expect(page.locator("#cnpj-fields .submit [role=status]")).to_have_text("Empresa monitorada.")
    listed = httpx.get(f"{base}api/v1/watches", headers={"X-API-Key": key}).json()["watches"]
    assert [watch["cnpj"] for watch in listed] == ["SANDBOX1000170"]

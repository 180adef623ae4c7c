"""A company is shown only beside the number it was looked up by."""

import pytest
from playwright.sync_api import Page, expect

ACTIVE, CLOSED, ABSENT = "SANDBOX1000170", "SANDBOX2000114", "SANDBOX4000103"
ACTIVE_NAME, CLOSED_NAME = "EMPRESA DE EXEMPLO LTDA", "EMPRESA ENCERRADA DE EXEMPLO LTDA"


def ask(page: Page, number: str) -> None:
    page.fill("#cnpj-cnpj", number)
    page.locator("#cnpj-form .submit button").click()


def expect_company(page: Page, name: str) -> None:
    expect(page.locator("#cnpj-name")).to_have_text(name)
    expect(page.locator("#cnpj-fields dl")).to_be_visible()
    expect(page.locator("#cnpj-fields")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#cnpj-message")).to_contain_text(name)


def expect_none(page: Page, said: str = "", title: str = "Empresa") -> None:
    expect(page.locator("#cnpj-name")).to_have_text(title)
    expect(page.locator("#cnpj-fields dl, #cnpj-fields details")).to_have_count(0)
    expect(page.locator("#cnpj-fields")).to_have_text(said or "A empresa aparece aqui.")
    expect(page.locator("#cnpj-message")).to_have_text(said)


def test_another_number_takes_the_company_away_and_the_same_brings_it_back(page):
    expect_company(page, ACTIVE_NAME)
    page.fill("#cnpj-cnpj", CLOSED)
    expect_none(page, "O número mudou. Consulte de novo.")
    page.fill("#cnpj-cnpj", f" {ACTIVE}")
    expect_company(page, ACTIVE_NAME)


@pytest.mark.parametrize("number", [ABSENT, "123"])
def test_a_company_that_is_not_found_leaves_none_and_its_error_goes_with_the_next_edit(page, number):
    expect_company(page, ACTIVE_NAME)
    ask(page, number)
    expect(page.locator("#cnpj-form .summary")).to_be_focused()
    expect_none(page, "Sem resultado: veja o erro no formulário.")
    page.fill("#cnpj-cnpj", CLOSED)
    expect(page.locator("#cnpj-form .summary")).to_be_hidden()
    expect(page.locator("#cnpj-cnpj-issue")).to_have_count(0)
    expect_none(page)

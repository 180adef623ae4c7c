"""A company is shown only beside the number it was looked up by."""

import json
from typing import Any

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


@pytest.mark.parametrize(
    ("number", "word", "kind"),
    [(ACTIVE, "ATIVA", "good"), (CLOSED, "BAIXADA", "bad"), (ABSENT, "Não encontrada", "none")],
)
def test_an_answer_begins_with_a_coloured_word_for_the_status(page, number, word, kind):
    ask(page, number)
    expect(page.locator("#cnpj-status .word")).to_have_text(word)
    expect(page.locator("#cnpj-status .word")).to_have_attribute("data-kind", kind)


def test_changes_are_shown_when_they_are_asked_for(page):
    ask(page, CLOSED)
    expect_company(page, CLOSED_NAME)
    section = page.locator("details").filter(has_text="Ver mudanças (1 chamada)")
    expect(section.locator("dl")).to_have_count(0)
    section.locator("summary").click()
    expect(section).to_contain_text("13 de set. de 2025")
    expect(section.locator("dt")).to_have_text(
        ["13 de jun. de 2026 · Situação", "13 de jun. de 2026 · Simples Nacional"]
    )
    expect(section.locator("dd").first).to_contain_text("ATIVA · 11 de mar. de 2019 → BAIXADA")


def test_that_there_is_no_company_is_a_result_and_no_fault(page):
    expect_company(page, ACTIVE_NAME)
    ask(page, ABSENT)
    expect(page.locator("#cnpj-name")).to_have_text("Empresa inexistente")
    expect(page.locator("#cnpj-fields")).to_contain_text("fontes independentes concordam")
    expect(page.locator("#cnpj-message")).to_contain_text("fontes independentes concordam")
    expect(page.locator("#cnpj-form .summary")).to_be_hidden()
    expect(page.locator("#cnpj-cnpj")).not_to_have_attribute("aria-invalid", "true")
    page.fill("#cnpj-cnpj", CLOSED)
    expect_none(page, "O número mudou. Consulte de novo.")


def test_numbers_are_masked_but_for_those_of_test_companies(page):
    expect_company(page, ACTIVE_NAME)
    for shown in ("SANDBOX1000170", "6201-5/01", "01001-000"):
        expect(page.locator("#cnpj-fields dl")).to_contain_text(shown)
    body = {**record(page), "cnpj": "12ABC34501DE35"}
    page.route("**/api/v1/skills/cnpj", lambda route: route.fulfill(json=body))
    ask(page, "12ABC34501DE35")
    expect(page.locator("#cnpj-number")).to_have_text("12.ABC.345/01DE-35")


def test_the_number_and_the_record_are_copied_as_they_are_shown(open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.click("[data-copy=cnpj-number]")
    expect(page.locator("[data-copy=cnpj-number]")).to_have_text("Copiado")
    assert page.evaluate("navigator.clipboard.readText()") == ACTIVE
    page.locator("#cnpj-fields summary").last.click()
    page.click("[data-copy=cnpj-json]")
    expect(page.locator("[data-copy=cnpj-json]")).to_have_text("Copiado")
    assert json.loads(page.evaluate("navigator.clipboard.readText()")) == record(page)


def record(page: Page) -> dict[str, Any]:
    """The record that the page shows."""
    return dict(json.loads(page.locator("#cnpj-json").text_content() or ""))


def test_a_number_that_is_refused_leaves_no_company_and_its_error_goes_with_the_next_edit(page):
    expect_company(page, ACTIVE_NAME)
    ask(page, "123")
    expect(page.locator("#cnpj-form .summary")).to_be_focused()
    expect_none(page, "Sem resultado: veja o erro no formulário.")
    page.fill("#cnpj-cnpj", CLOSED)
    expect(page.locator("#cnpj-form .summary")).to_be_hidden()
    expect(page.locator("#cnpj-cnpj-issue")).to_have_count(0)
    expect_none(page)

"""Who is paid is asked by a press alone, and shown only beside the code it was asked for."""

import pytest
from playwright.sync_api import Page, Route, expect

import brcode
from tests.browser.held import Held
from tests.browser.reading import calls_of, demo_key
from tests.browser.test_access import serious_issues, tab_to

ASK = "skills/pix/conferir"
READ = "skills/pix/decode"
AGREES = "O nome confere com o cadastro deste CNPJ."
ANOTHER = "O código é outro. Confira de novo quem recebe."


def code(key: str, name: str = "Empresa de Exemplo") -> str:
    return brcode.encode(key=key, merchant_name=name, merchant_city="Recife").payload


CLOSED_NAME = "EMPRESA ENCERRADA DE EXEMPLO LTDA"
ACTIVE, CLOSED = code("SANDBOX1000170"), code("SANDBOX2000114", "Maria Souza")
NO_CNPJ = code("pix@exemplo.com.br")


def read(page: Page, text: str) -> None:
    page.fill("#check-brcode", text)
    expect(page.locator("#payee-form button")).to_be_visible()


def press(page: Page) -> None:
    page.locator("#payee-form button").click()


def ask(page: Page, text: str) -> None:
    read(page, text)
    press(page)


def expect_payee(page: Page, words: str, name: str) -> None:
    expect(page.locator("#payee-outcome")).to_have_text(words)
    expect(page.locator("#payee-result")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#payee-result dl")).to_contain_text(name)


def expect_none(page: Page, words: str) -> None:
    expect(page.locator("#payee-outcome")).to_have_text(words)
    expect(page.locator("#payee-outcome")).to_have_attribute("data-kind", "")
    expect(page.locator("#payee-result")).to_be_empty()


def test_reading_a_code_offers_the_check_where_its_key_is_a_cnpj_and_asks_nothing(page):
    held = Held(page, ASK)
    expect(page.locator("#payee-form")).to_be_hidden()
    read(page, ACTIVE)
    expect(page.locator("#payee-form [data-quota]")).to_have_text(
        "Conta uma chamada; empresas de teste não contam."
    )
    expect_none(page, "")
    page.fill("#check-brcode", NO_CNPJ)
    expect(page.locator("#check-fields")).to_contain_text("pix@exemplo.com.br")
    expect(page.locator("#payee-form")).to_be_hidden()
    assert held.count_after_a_while() == 0


def test_the_example_shows_company_and_evidence_and_spends_nothing(page, base):
    before = calls_of(base, demo_key(page))
    page.click("#check-company")
    press(page)
    expect_payee(page, AGREES, "EMPRESA DE EXEMPLO LTDA")
    expect(page.locator("#payee-outcome")).to_have_attribute("data-kind", "good")
    expect(page.locator("#payee-result .finding")).to_have_count(0)
    for shown in ("SANDBOX1000170", "ATIVA", "11 de mar. de 2019", "sandbox · 15 de out. de 2026"):
        expect(page.locator("#payee-result dl")).to_contain_text(shown)
    assert calls_of(base, demo_key(page)) == before


def test_every_alert_is_shown_and_none_of_it_looks_fine(page):
    ask(page, CLOSED)
    expect_payee(page, "O nome não é o que o cadastro tem deste CNPJ.", CLOSED_NAME)
    expect(page.locator("#payee-outcome")).to_have_attribute("data-kind", "warned")
    alerts = page.locator("#payee-result .finding.warning")
    expect(alerts.locator("code")).to_have_text(["empresa_inativa", "nome_diverge"])
    expect(alerts.first).to_contain_text("BAIXADA")
    expect(alerts.last).to_contain_text("confirme com quem cobra")


def test_a_name_that_agrees_is_not_green_beside_an_alert(page):
    ask(page, code("SANDBOX2000114", "Empresa Encerrada Exemplo"))
    expect(page.locator("#payee-outcome")).to_have_text(AGREES)
    expect(page.locator("#payee-outcome")).to_have_attribute("data-kind", "warned")


def test_a_name_that_agrees_is_not_green_over_stale_data(page):
    def age(route: Route) -> None:
        answer = route.fetch().json()
        route.fulfill(json={**answer, "evidencia": {**answer["evidencia"], "desatualizado": True}})

    page.route(f"**/{ASK}", age)
    ask(page, ACTIVE)
    expect_payee(page, AGREES, "EMPRESA DE EXEMPLO LTDA")
    expect(page.locator("#payee-result .finding")).to_have_count(0)
    expect(page.locator("#payee-outcome")).to_have_attribute("data-kind", "warned")


def test_a_name_that_cannot_be_compared_is_an_alert(page):
    ask(page, code("SANDBOX1000170", "PIX"))
    expect_payee(page, "Não há como comparar o nome com o cadastro deste CNPJ.", "EMPRESA DE EXEMPLO LTDA")
    expect(page.locator("#payee-outcome")).to_have_attribute("data-kind", "warned")
    expect(page.locator("#payee-result .finding code")).to_have_text(["nome_nao_comparado"])


def test_a_company_that_is_not_there_is_an_alert(open_page):
    page = open_page("en")
    ask(page, code("SANDBOX4000103"))
    expect(page.locator("#payee-outcome")).to_have_text("There is no company to compare the name with.")
    expect(page.locator("#payee-result .finding code")).to_have_text(["empresa_inexistente"])
    expect(page.locator("#payee-result dl")).to_have_count(0)


def test_another_code_takes_the_payee_away_at_once_and_the_same_brings_it_back(page):
    ask(page, ACTIVE)
    expect_payee(page, AGREES, "EMPRESA DE EXEMPLO LTDA")
    reading, asking = Held(page, READ), Held(page, ASK)
    page.fill("#check-brcode", CLOSED)
    expect(page.locator("#payee-form")).to_be_hidden()
    assert page.locator("#payee-result").text_content() == ""
    reading.pass_on(0)
    expect(page.locator("#payee-form")).to_be_visible()
    expect_none(page, ANOTHER)
    page.fill("#check-brcode", ACTIVE)
    reading.pass_on(1)
    expect_payee(page, AGREES, "EMPRESA DE EXEMPLO LTDA")
    assert asking.count_after_a_while() == 0


@pytest.mark.parametrize(("path", "scheme"), [("", "light"), ("en", "dark")])
def test_it_is_for_everybody(open_page, path, scheme):
    page = open_page(path, color_scheme=scheme, viewport={"width": 320, "height": 700})
    read(page, CLOSED)
    page.focus("#check-brcode")
    tab_to(page, "#payee-form button")
    page.keyboard.press("Enter")
    expect(page.locator("#payee-result .finding")).to_have_count(2)
    expect(page.locator("#payee-outcome")).to_have_attribute("role", "status")
    expect(page.locator("#payee-form button")).to_be_focused()
    assert serious_issues(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320

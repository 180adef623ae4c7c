"""What a PSP signed behind a dynamic code: shown only if the signature is valid."""

import re

import pytest
from playwright.sync_api import Page, expect

import brcode
from tests.browser.reading import calls_of, demo_key
from tests.browser.test_access import serious_issues, tab_to

SANDBOX = "sandbox.brskills.example/pix/v2/"


def read(page: Page, location: str) -> None:
    payload = brcode.encode(
        location=location, merchant_name="Empresa de Exemplo", merchant_city="Recife"
    ).payload
    page.fill("#check-brcode", payload)
    expect(page.locator("#payee-form button")).to_be_visible()


def ask(page: Page, location: str) -> None:
    read(page, location)
    page.locator("#payee-form button").click()
    expect(page.locator("#payee-result dl").first).to_be_visible()


def terms_of(page: Page) -> dict[str, str]:
    rows = page.locator("#payee-result dl > div")
    return dict(row.inner_text().split("\n", 1) for row in rows.all())


def test_a_valid_charge_says_who_signed_and_who_receives(page: Page, base: str) -> None:
    before = calls_of(base, demo_key(page))
    ask(page, f"{SANDBOX}valida")
    expect(page.locator("#payee-outcome")).to_have_text("O nome confere com o cadastro deste CNPJ.")
    expect(page.locator("#payee-outcome")).to_have_attribute("data-kind", "warned")
    expect(page.locator("#payee-result .finding code")).to_have_text(["psp_desconhecido"])
    shown = terms_of(page)
    assert shown["Assinatura"] == "válida"
    assert shown["Assinada por"] == "PSP DE EXEMPLO S.A. · certificado de organização"
    assert shown["Cobrança"] == "imediata · ATIVA"
    assert shown["Valor"] == "R$\u00a049,90"
    assert re.search(r"\d{4}, \d\d:\d\d", shown["Válida até"])
    assert shown["Recebedor, segundo o PSP"] == "EMPRESA DE EXEMPLO LTDA · SANDBOX1000170"
    assert shown["Razão social"] == "EMPRESA DE EXEMPLO LTDA"
    assert calls_of(base, demo_key(page)) == before


def test_nothing_of_a_charge_without_a_valid_signature_is_shown(page: Page) -> None:
    ask(page, f"{SANDBOX}assinatura-errada")
    expect(page.locator("#payee-outcome")).to_have_text("A assinatura da cobrança não é válida.")
    expect(page.locator("#payee-outcome")).to_have_attribute("data-kind", "bad")
    expect(page.locator("#payee-result .finding code")).to_have_text(["assinatura_invalida", "sem_evidencia"])
    assert terms_of(page) == {"Assinatura": "assinatura_errada"}


def test_an_expired_and_an_unreachable_charge_are_warnings(open_page) -> None:
    page = open_page("en")
    ask(page, f"{SANDBOX}expirada")
    codes = page.locator("#payee-result .finding code")
    expect(codes).to_have_text(["cobranca_expirada", "psp_desconhecido"])
    ask(page, "localhost/qr")
    expect(page.locator("#payee-outcome")).to_have_text("The charge could not be read or verified.")
    expect(page.locator("#payee-outcome")).to_have_attribute("data-kind", "warned")
    expect(codes).to_have_text(["localizacao_indisponivel", "sem_evidencia"])
    assert terms_of(page) == {"Signature": "endereco_nao_permitido"}


@pytest.mark.parametrize(("path", "scheme"), [("", "light"), ("en", "dark")])
def test_it_is_for_everybody(open_page, path: str, scheme: str) -> None:
    page = open_page(path, color_scheme=scheme, viewport={"width": 320, "height": 700})
    read(page, f"{SANDBOX}valida")
    page.focus("#check-brcode")
    tab_to(page, "#payee-form button")
    page.keyboard.press("Enter")
    expect(page.locator("#payee-result dl")).to_have_count(2)
    assert serious_issues(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320

"""The cards in a host: real answers, both themes and languages, as narrow as a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.reading import scan
from tests.browser.test_access import serious_issues

from .calls import CALLS, CODE, COMPANY, PIX

AGREES = (
    "O nome confere com o cadastro deste CNPJ.",
    "The name agrees with the registry's record of this CNPJ.",
)
HEADINGS = {
    "pix": ("Padaria Sao Joao", "Padaria Sao Joao"),
    "payee": AGREES,
    "signed": AGREES,
    "company": ("EMPRESA DE EXEMPLO LTDA", "EMPRESA DE EXEMPLO LTDA"),
    "absent": ("Empresa inexistente", "Company does not exist"),
}
PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 29, 26)"}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    ("theme", "locale"), [("light", "pt-BR"), ("dark", "en-US"), ("light", "en"), ("dark", "pt")]
)
def test_an_answer_is_shown_in_the_hosts_theme_and_language(host, name, theme, locale):
    host.show(*CALLS[name], theme=theme, locale=locale)
    portuguese = locale.startswith("pt")
    expect(host.card.locator("h1")).to_have_text(HEADINGS[name][0 if portuguese else 1])
    expect(host.card.locator("html")).to_have_attribute("lang", "pt-BR" if portuguese else "en")
    assert host.paper() == PAPER[theme]
    assert serious_issues(host.page) == []
    assert host.card.locator("html").evaluate("(root) => root.scrollWidth") <= 360


def test_the_frame_is_as_high_as_the_card(host):
    host.show(*CODE)
    height = host.card.locator("html").evaluate("(root) => root.getBoundingClientRect().height")
    assert height > 300
    host.page.wait_for_function(f"Math.abs(frame.clientHeight - {height}) <= 1")
    assert host.sent("ui/notifications/size-changed")[-1]["params"].keys() == {"height"}


@pytest.mark.parametrize("theme", PAPER)
def test_the_qr_is_that_of_the_code(host, theme):
    result = host.show(*CODE, theme=theme)
    code = result["structuredContent"]["brcode"]
    expect(host.card.locator("#code")).to_have_value(code)
    host.expect_picture()
    assert scan(host.card.locator(".qr")) == code


def test_a_code_is_shown_with_all_that_it_holds(host):
    host.show("create_pix_code", {**PIX, "valor": "1234.5", "txid": "PEDIDO42"}, locale="pt-BR")
    expect(host.card.locator(".amount")).to_have_text("R$ 1.234,50")
    assert host.lines()["Cidade"] == "Sao Paulo"
    assert host.lines()["txid"] == "PEDIDO42"
    expect(host.card.locator(".hint")).to_contain_text("Padaria São João → Padaria Sao Joao")
    expect(host.card.locator("#said")).to_contain_text("Código pronto. R$ 1.234,50")


def test_a_code_without_an_amount_says_who_enters_it(host):
    host.show("create_pix_code", PIX, locale="en")
    expect(host.card.locator(".amount")).to_have_text("entered by the payer")


def test_a_code_is_copied_where_the_host_allows_it(open_host):
    host = open_host(permissions=["clipboard-read", "clipboard-write"])
    code = host.show(*CODE, locale="pt", may_copy=True)["structuredContent"]["brcode"]
    host.card.get_by_role("button").click()
    expect(host.card.get_by_role("button")).to_have_text("Copiado")
    assert host.page.evaluate("navigator.clipboard.readText()") == code


@pytest.mark.parametrize(("command", "words"), [("true", "Copiado"), ("false", "Copie a seleção")])
def test_where_the_clipboard_is_refused_the_code_is_selected(host, command, words):
    code = host.show(*CODE, locale="pt")["structuredContent"]["brcode"]
    field = host.card.locator("#code")
    field.evaluate(f"(field) => {{ field.ownerDocument.execCommand = () => {command}; }}")
    host.card.get_by_role("button").press("Enter")
    expect(host.card.get_by_role("button")).to_have_text(words)
    selected = "(field) => field.value.slice(field.selectionStart, field.selectionEnd)"
    assert field.evaluate(selected) == code


def test_every_control_is_reached_by_keyboard(host):
    host.show(*CODE)
    host.card.locator("#code").press("Tab")
    expect(host.card.get_by_role("button")).to_be_focused()
    assert host.card.get_by_role("button").evaluate("(one) => getComputedStyle(one).outlineStyle") == "solid"
    host.show(*COMPANY)
    host.card.locator("summary").press("Enter")
    expect(host.card.get_by_text("6204-0/00")).to_be_visible()


def test_a_company_is_shown_with_source_and_dates(host):
    host.show(*COMPANY, locale="pt-BR")
    shown = host.lines()
    assert shown["Endereço"] == "AVENIDA DOS EXEMPLOS, 100, SALA 1, CENTRO, SAO PAULO, SP, 01001-000"
    assert shown["Sócios no cadastro"] == "3"
    assert re.fullmatch(r"sandbox · \d+ de \w+\. de \d{4}", shown["Fonte"])
    assert re.match(r"\d+ de \w+\. de \d{4}", shown["Consultado em"])
    expect(host.card.locator(".word")).to_have_text(["ATIVA"])
    expect(host.card.locator("#said")).to_have_text("EMPRESA DE EXEMPLO LTDA: ATIVA.")


@pytest.mark.parametrize(
    ("number", "words", "kinds"),
    [
        ("SANDBOX2000114", ["BAIXADA"], ["bad"]),
        ("SANDBOX6000100", ["ATIVA", "Dado antigo"], ["good", "warned"]),
    ],
)
def test_a_status_has_its_colour_and_old_data_a_word(host, number, words, kinds):
    host.show("look_up_company", {"cnpj": number}, locale="pt")
    expect(host.card.locator(".word")).to_have_text(words)
    assert [word.get_attribute("data-kind") for word in host.card.locator(".word").all()] == kinds

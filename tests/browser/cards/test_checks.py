"""A payee's card says what was checked and by whom; nothing looks verified that is not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

import brcode

from .calls import LOCATION, PAYEE, SIGNED
from .host import CardHost

CHECK = "check_pix_payee"
DYNAMIC = brcode.encode(location=f"{LOCATION}valida", merchant_name="X", merchant_city="Recife").payload
NAME, CHARGE, ACCOUNT = "Nome, no cadastro do CNPJ", "Cobrança, assinada pelo PSP", "Titular da conta"
UNCHECKED = "não conferido"


def good(host: CardHost) -> list[str]:
    return host.card.locator("[data-kind=good]").all_inner_texts()


def test_a_name_that_agrees_says_where_and_of_which_day(host):
    host.show(*PAYEE, locale="pt-BR")
    assert good(host) == ["O nome confere com o cadastro deste CNPJ.", "confere", "ATIVA"]
    shown = host.lines()
    assert re.match(r"confere\s*sandbox · dados de \d+ de \w+\. de \d{4} · consultado em \d+ de", shown[NAME])
    assert shown[CHARGE] == UNCHECKED
    assert re.match(rf"{UNCHECKED}\s*só os bancos sabem", shown[ACCOUNT])


def test_a_signed_charge_names_who_signed(host):
    host.show(*SIGNED, locale="pt-BR")
    assert re.match(r"assinatura válida\s*PSP DE EXEMPLO S\.A\. · AC de exemplo", host.lines()[CHARGE])
    expect(host.card.locator("h1")).to_have_attribute("data-kind", "warned")
    expect(host.card.locator(".finding")).to_contain_text("psp_desconhecido")
    assert host.lines()["Recebedor, segundo o PSP"] == "EMPRESA DE EXEMPLO LTDA · SANDBOX1000170"


@pytest.mark.parametrize(
    ("arguments", "name", "charge"),
    [
        ({"chave": "pix@exemplo.com.br", "nome_recebedor": "Maria"}, UNCHECKED, UNCHECKED),
        ({"chave": "SANDBOX4000103", "nome_recebedor": "Maria"}, UNCHECKED, UNCHECKED),
        ({"chave": "SANDBOX1000170", "nome_recebedor": "Maria Souza"}, "diverge", UNCHECKED),
        ({"brcode": DYNAMIC}, UNCHECKED, UNCHECKED),
        ({"url": f"{LOCATION}assinatura-errada", "seguir": True}, UNCHECKED, "assinatura inválida"),
        ({"url": f"{LOCATION}inexistente", "seguir": True}, UNCHECKED, "não verificada"),
    ],
)
def test_what_was_not_verified_does_not_look_so(host, arguments: dict[str, Any], name: str, charge: str):
    host.show(CHECK, arguments, locale="pt-BR")
    assert not set(good(host)) - {"ATIVA"}
    assert host.lines()[NAME].startswith(name)
    assert host.lines()[CHARGE] == charge
    expect(host.card.locator(".finding").first).to_be_visible()


@pytest.mark.parametrize("number", ["SANDBOX2000114", "SANDBOX6000100"])
def test_a_name_that_agrees_is_not_enough(host, number):
    company = host.server.call("look_up_company", {"cnpj": number})["structuredContent"]
    host.show(CHECK, {"chave": number, "nome_recebedor": company["razao_social"]}, locale="pt-BR")
    expect(host.card.locator("h1")).to_have_attribute("data-kind", "warned")
    assert host.lines()[NAME].startswith("confere")

"""One example for each rule of docs/payee.md."""

from __future__ import annotations

import pytest

from brskills_server.skills.payee.alike import is_built_of, may_be, stands_for
from brskills_server.skills.payee.names import compare_names
from brskills_server.skills.payee.reading import read_name


@pytest.mark.parametrize(
    ("written", "legal", "trade", "answer"),
    [
        ("Padaria Estrela do Sul", "PADARIA ESTRELA DO SUL LTDA", None, "confere"),
        ("Estrela do Sul", "PADARIA ESTRELA DO SUL LTDA", None, "parecido"),
        ("Casa do Bolo", "DELICIAS DA ROCA LTDA", "CASA DO BOLO", "confere"),
        ("PADARIADOZE", "PADARIA DO ZE LTDA", None, "confere"),
        ("Ind Com Plast Moldex", "INDUSTRIA E COMERCIO DE PLASTICOS MOLDEX LTDA", None, "confere"),
        ("Moldex Plasticos", "MOLDEX INDUSTRIA E COMERCIO DE PLASTICOS LTDA", None, "confere"),
        ("Transporte Vale do Cedro", "TRANSPORTES VALE DO CEDRO LTDA", None, "confere"),
        ("Oficina 4 Rodas", "OFICINA QUATRO RODAS LTDA", None, "confere"),
        ("Ferro & Fogo", "FERRO E FOGO LTDA", None, "confere"),
        ("MARIA A DE SOUZA", "12.345.678 MARIA APARECIDA DE SOUZA", None, "confere"),
        ("MARIA DE SOUZA", "12.345.678 MARIA APARECIDA DE SOUZA", None, "parecido"),
        ("JOAO S", "12.345.678 JOAO DA SILVA", None, "parecido"),
        ("JOAO DA SILVA 11144477735", "JOAO DA SILVA ***444777**", None, "confere"),
        ("Supermercado Boa Compra D", "SUPERMERCADO BOA COMPRA DE PIRAUBA LTDA", None, "confere"),
        ("Supermercado Boa Compra D", "SUPERMERCADO BOA COMPRA LTDA", None, "parecido"),
        ("PADARIA E CONFEITARIA SAO", "PADARIA E CONFEITARIA SAO JOAO LTDA", None, "parecido"),
        ("Padaria Central", "PADARIA CENTRO LTDA", None, "parecido"),
        ("BANCO ITAUU", "BANCO ITAU S.A.", None, "parecido"),
        ("Aurora", "HOTEL AURORA LTDA", None, "parecido"),
        ("Aurora", "AURORA COMERCIO E SERVICOS LTDA", None, "confere"),
        ("Pedra Bonita", "HOTEL PEDRA BONITA LTDA", None, "confere"),
        ("Super Mercado Boa Compra", "SUPERMERCADO BOA COMPRA LTDA", None, "confere"),
        ("Cida Souza", "45.678.901 MARIA APARECIDA DE SOUZA", None, "parecido"),
        ("Coopercedro", "COOPERATIVA AGRICOLA VALE DO CEDRO", None, "parecido"),
        ("Sudeste Mineracao", "MINERACAO DO SUDESTE S A MINERASUD", None, "parecido"),
        ("Mineracao do Sudeste SA", "MINERACAO DO SUDESTE S A MINERASUD", None, "confere"),
        ("Minerasud", "MINERACAO DO SUDESTE S.A. - MINERASUD", None, "confere"),
        ("Minerasud Transportes", "MINERACAO DO SUDESTE S A MINERASUD", None, "parecido"),
        ("Minera", "MINERACAO DO SUDESTE S A MINERA", None, "parecido"),
        ("Orion", "MINERACAO DO SUDESTE S A ORION", None, "parecido"),
        ("APMI", "ASSOCIACAO DE PROTECAO A MATERNIDADE E INFANCIA", None, "parecido"),
        ("JS", "PADARIA ESTRELA LTDA", None, "desconhecido"),
        ("Padaria", "PADARIA LTDA", None, "parecido"),
        ("Escola Municipal Anita", "MUNICIPIO DE PIRAUBA", None, "desconhecido"),
        ("Escola Municipal Anita", "MUNICIPIO DE PIRAUBA", "PREFEITURA", "diverge"),
        ("Hotel Aurora", "AURORA COMERCIO DE TECIDOS LTDA", None, "parecido"),
        ("Jose Maria Braga", "MARIA JOSE BRAGA ***123456**", None, "parecido"),
        ("Maria Souza", "AUTO POSTO ESTRELA LTDA", None, "diverge"),
        ("Ana da Silva", "12.345.678 JOAO DA SILVA", None, "diverge"),
        ("RECEITA FEDERAL", "12.345.678 JOAO DA SILVA", None, "diverge"),
        ("CORREIOS", "LOJA DO PESCADOR LTDA", None, "diverge"),
        ("MAGAZINE LUIZA", "ORION COMERCIO E SERVICOS LTDA", None, "diverge"),
        ("S?o Jo?o Panificadora", "SÃO JOÃO PANIFICADORA LTDA", None, "parecido"),
        ("X Burguer", "X BURGER LANCHES LTDA", None, "parecido"),
        ("Maria Souza Braga", "MARIA S BRAGA ME", None, "parecido"),
        ("1 Igreja Batista Tupi", "PRIMEIRA IGREJA BATISTA TUPI", None, "confere"),
        ("Pizzaria Bella Napoli", "AUTO POSTO ESTRELA LTDA", None, "diverge"),
        ("Padaria Bela Vista", "PADARIA ESTRELA LTDA", None, "diverge"),
        ("Pizzaria Bella Napoli", "12.345.678 JOAO DA SILVA", None, "desconhecido"),
        ("Pizzaria Bella Napoli", "12.345.678 JOAO DA SILVA", "BOLOS DO JOAO", "diverge"),
        ("Pizzaria Bella Napoli", "MARTINS E PEREIRA LTDA", None, "desconhecido"),
        ("Pizzaria Bella Napoli", "ORION COMERCIO E SERVICOS LTDA", None, "desconhecido"),
        ("Pizzaria Bella Napoli", "ORION COMERCIO E SERVICOS LTDA", "OTICA ORION", "diverge"),
        ("", "PADARIA ESTRELA LTDA", None, "desconhecido"),
        ("PIX", "PADARIA ESTRELA LTDA", None, "desconhecido"),
        ("12345678000195", "PADARIA ESTRELA LTDA", None, "desconhecido"),
        ("Padaria Estrela", None, None, "desconhecido"),
        ("Padaria Estrela", "LTDA", "LOJA", "desconhecido"),
    ],
)
def test_answers(written: str, legal: str | None, trade: str | None, answer: str) -> None:
    assert compare_names(written, legal, trade) == answer


def test_a_name_is_read_without_what_does_not_tell() -> None:
    name = read_name("12.345.678 João  d'Ávila & Cia. do Sul Ltda - ME")
    assert name
    assert name.words == ("JOAO", "DAVILA", "COMPANHIA", "SUL")
    assert name.leads == ("JOAO", "DAVILA", "E", "DO")
    assert (name.letters, name.owned, name.ends_open) == ("JOAODAVILAECIADOSUL", True, False)


@pytest.mark.parametrize(
    "text", ["", "  ", "***", "LTDA", "S.A.", "N/A", "Pix", "Minha Loja", "X", "123", "☕"]
)
def test_some_names_say_nothing(text: str) -> None:
    assert read_name(text) is None


@pytest.mark.parametrize(
    ("one", "other", "may"),
    [
        ("WAGNER", "VAGNER", True),
        ("THAYNA", "TAINA", True),
        ("CHAVES", "XAVES", True),
        ("FELYPE", "FILIPE", True),
        ("MARCOS", "MRCS", True),
        ("CIDA", "APARECIDA", True),
        ("NETFILX", "NETFLIX", True),
        ("LUZ", "LUS", True),
        ("JO?O", "JOAO", True),
        ("S?O", "SAO", True),
        ("SOL", "SUL", False),
        ("SILVA", "SILVESTRE", False),
        ("2001", "2010", False),
        ("JOAO", "JOANA", False),
    ],
)
def test_words_that_may_be_one(one: str, other: str, may: bool) -> None:
    assert may_be(one, other) is may_be(other, one) is may


def test_only_words_of_all_trades_are_shortened_for_certain() -> None:
    assert stands_for("TRANSP", "TRANSPORTES")
    assert not stands_for("CENTRAL", "CENTRALINA")
    assert not stands_for("TR", "TRANSPORTES")


def test_a_word_may_be_built_of_beginnings() -> None:
    words = ("COOPERATIVA", "AGRICOLA", "VALE", "CEDRO")
    assert is_built_of("COOPERCEDRO", words)
    assert is_built_of("AGROVALE", ("AGROPECUARIA", "VALE"))
    assert not is_built_of("CEDROVALE", words)
    assert not is_built_of("COOPERX", words)

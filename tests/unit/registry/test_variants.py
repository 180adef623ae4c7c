"""Ways to write a value that the recorded answers happen not to use."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from brskills_server.registry.company import Record
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.fields import Source
from brskills_server.registry.providers.reader import read_record
from tests.for_each import for_each
from tests.simulator.companies import company
from tests.simulator.dialects import DIALECTS

NUMBER = "11222333000181"


def answer(provider: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(json.dumps(DIALECTS[provider](company(NUMBER))), parse_float=Decimal)
    return content


def read(provider: str, **changes: Any) -> Record:
    return read_record(PROVIDERS[provider], {**answer(provider), **changes})


def numbers(record: Record) -> list[tuple[str | None, str]]:
    return [(phone.ddd, phone.numero) for phone in record.telefones]


@for_each("secondary", [True, 5, "x"])
def test_a_list_that_is_none_is_empty(secondary: Any) -> None:
    assert read("opencnpj", cnaes_secundarios=secondary).cnaes_secundarios == []


@pytest.mark.parametrize(
    ("provider", "changes"),
    [
        (
            "brasilapi",
            {"situacao_cadastral": None, "descricao_situacao_cadastral": "", "cep": "", "municipio": ""},
        ),
        ("receitaws", {"situacao": "", "cep": "", "municipio": ""}),
    ],
)
def test_without_status_municipality_and_cep_it_is_no_record(provider: str, changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not a record"):
        read(provider, **changes)
    assert read(provider, **{**changes, "cep": "01001000"}).endereco.cep == "01001000"


def test_a_partner_sent_twice_is_one() -> None:
    twice = [{"qual": "22-Sócio", "nome": "ACME"}] * 2
    assert [partner.nome for partner in read("receitaws", qsa=twice).socios] == ["ACME"]


@for_each(
    ("provider", "written", "phones"),
    [
        ("brasilapi", "11999998888", [("11", "999998888")]),
        ("brasilapi", "04733334444", [("47", "33334444")]),
        ("brasilapi", "(11) 99999-8888", [("11", "999998888")]),
        ("brasilapi", "1132221111", [("11", "32221111")]),
        ("brasilapi", "0000000000", []),
        ("receitaws", "(17) 3211-1234/ (17) 3211-5678", [("17", "32111234"), ("17", "32115678")]),
        ("receitaws", "() 3222-1111", [(None, "32221111")]),
        ("receitaws", "1132221111", [("11", "32221111")]),
        ("receitaws", "(0000) 0000-0000", []),
        ("receitaws", "", []),
    ],
)
def test_phones_in_every_form(provider: str, written: str, phones: list[tuple[str | None, str]]) -> None:
    fields = {"receitaws": {"telefone": written}}.get(
        provider, {"ddd_telefone_1": written, "ddd_telefone_2": ""}
    )
    assert numbers(read(provider, **fields)) == phones


@for_each(
    ("provider", "key"),
    [("opencnpj", "QSA"), ("brasilapi", "qsa"), ("cnpjws", "socios"), ("receitaws", "qsa")],
)
@for_each("nameless", [{}, None, {"nome_socio": "", "nome": None}])
def test_a_nameless_partner_does_not_cost_the_company(provider: str, key: str, nameless: Any) -> None:
    assert read(provider, **{key: [nameless]}).socios == []
    assert read(provider, **{key: ""}).socios == []


def test_an_exclusion_on_the_day_of_the_option_means_never() -> None:
    day = "2007-07-01"
    simples = read("opencnpj", opcao_simples="N", data_opcao_simples=day, data_exclusao_simples=day).simples
    assert simples is not None
    assert (simples.optante, simples.data_opcao, simples.data_exclusao) == (False, None, None)


def test_phones_lose_empty_and_repeated_ones() -> None:
    pairs = [("21", "21660000"), ("21", "2166-0000"), ("", ""), (None, None), (None, "3224")]
    record = read("opencnpj", telefones=[{"ddd": area, "numero": number} for area, number in pairs])
    assert numbers(record) == [("21", "21660000"), (None, "3224")]


@for_each(
    ("table", "text", "code"),
    [
        ("naturezas_juridicas", "Sociedade de Economia Mista", "2038"),
        ("naturezas_juridicas", "Natureza Jurídica não informada", "0000"),
        ("qualificacoes_socio", "Sócio-Administrador ", "49"),
        ("portes", "Microempresa (ME)", "01"),
        ("portes", "Empresa de Pequeno Porte (EPP)", "03"),
        ("situacoes", "Ativa", "02"),
        ("situacoes", "Something new", None),
    ],
)
def test_texts_find_their_codes(table: str, text: str, code: str | None) -> None:
    assert Source({"written": text}, {"item": {"descricao": "written"}}).coded(table, "item")[0] == code


def test_an_empty_text_where_an_object_belongs_is_none() -> None:
    record = read("opencnpj", motivo_situacao_cadastral="", pais="", telefones="")
    assert record.situacao_cadastral.motivo is None
    assert (record.endereco.pais, record.telefones) == (None, [])


def test_who_has_left_simples_has_the_period_of_cnpjas_history() -> None:
    content = answer("cnpja")
    content["company"]["simples"] = {
        "optant": False,
        "since": None,
        "history": [
            {"from": "2009-01-01", "until": "2010-12-31", "text": "x"},
            {"from": "2012-12-26", "until": "2013-12-31", "text": "x"},
        ],
    }
    simples = read_record(PROVIDERS["cnpja"], content).simples
    assert simples is not None
    assert not simples.optante
    assert (str(simples.data_opcao), str(simples.data_exclusao)) == ("2012-12-26", "2013-12-31")


def test_a_country_has_one_name_whoever_writes_it() -> None:
    content = answer("cnpja")
    content["address"]["country"] = {"id": 840, "name": "Estados Unidos"}
    assert read_record(PROVIDERS["cnpja"], content).endereco.pais == "ESTADOS UNIDOS"
    assert read("opencnpj", pais=None, codigo_pais="249").endereco.pais == "ESTADOS UNIDOS"


def test_state_registrations_come_in_one_order_and_once() -> None:
    rows = [
        {"number": "777", "state": "SP", "enabled": False},
        {"number": "ISENTO", "state": "AC", "enabled": True},
        {"number": "0962101427", "state": "RS", "enabled": True},
        {"number": "096/2101427", "state": "RS", "enabled": True},
        {"number": "555"},
    ]
    for given in (rows, rows[::-1]):
        found = read("cnpja", registrations=given).inscricoes_estaduais
        assert [(row.uf, row.numero, row.ativa) for row in found or ()] == [
            (None, "555", None),
            ("RS", "0962101427", True),
            ("SP", "777", False),
        ]


def test_a_source_that_is_silent_on_state_registrations_does_not_say_that_there_are_none() -> None:
    assert read("cnpja", registrations=[]).inscricoes_estaduais == []
    assert read("cnpja", registrations=None).inscricoes_estaduais is None
    assert read("opencnpj").inscricoes_estaduais is None

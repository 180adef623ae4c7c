"""The record of a snapshot's rows, for any rows that a builder may write."""

import json
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brskills_server.registry import tables
from brskills_server.registry.company import Record
from brskills_server.registry.free_text import clean_text
from brskills_server.registry.snapshot.rows import (
    COMPANY_FIELDS,
    ESTABLISHMENT_FIELDS,
    FIELD_SEPARATOR,
    ITEM_SEPARATOR,
    PART_SEPARATOR,
    PARTNER_FIELDS,
    Edition,
    SnapshotCompany,
    record_text,
)
from tests.register.copy_file import rows_of
from tests.simulator.companies import company

texts = st.text(
    st.characters(
        exclude_categories=["Cs"], exclude_characters=FIELD_SEPARATOR + ITEM_SEPARATOR + PART_SEPARATOR
    ),
    max_size=30,
)
names = texts.filter(clean_text)
days = st.just("") | st.dates().map(lambda day: day.isoformat().replace("-", ""))
options = st.sampled_from(["", "S", "N", "?"])


def codes(table: str) -> st.SearchStrategy[str]:
    """Known ones, unknown ones, none."""
    width = tables.width(table)
    known = sorted(tables._read(table))
    return st.sampled_from(["", *known]) | st.text("0123456789", min_size=width, max_size=width)


def lines(names: tuple[str, ...], between: str, **fields: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Rows with these fields; all others are texts."""
    return st.tuples(*(fields.get(name, texts) for name in names)).map(between.join)


branches = lines(
    ESTABLISHMENT_FIELDS,
    FIELD_SEPARATOR,
    kind=st.sampled_from(["", "1", "2", "9"]),
    status=codes("situacoes").filter(bool),
    status_date=days,
    status_reason=codes("motivos"),
    country=codes("paises"),
    opened=days,
    activity=codes("cnaes"),
    other_activities=st.lists(codes("cnaes"), max_size=4).map(",".join),
    city=codes("municipios_siafi"),
    special_date=days,
)
partners = lines(
    PARTNER_FIELDS,
    PART_SEPARATOR,
    kind=st.sampled_from(["", "1", "2", "3", "9"]),
    role=codes("qualificacoes_socio"),
    since=days,
    country=codes("paises"),
    agent_role=codes("qualificacoes_socio"),
    age_band=st.sampled_from([*"0123456789", ""]),
)
roots = lines(
    COMPANY_FIELDS,
    FIELD_SEPARATOR,
    name=names,
    nature=codes("naturezas_juridicas"),
    capital=st.just("") | st.decimals(0, 10**17, places=2, allow_nan=False).map(lambda d: f"{d:.2f}"),
    size=codes("portes"),
    simples=options,
    simples_since=days,
    simples_until=days,
    mei=options,
    mei_since=days,
    mei_until=days,
    responsible=codes("qualificacoes_socio"),
    simples_void=days,
    mei_void=days,
    partners=st.lists(partners, max_size=3).map(ITEM_SEPARATOR.join),
)
own_texts = st.dictionaries(
    st.sampled_from(["paises", "motivos", "cnaes"]), st.dictionaries(codes("paises"), texts, max_size=3)
)
editions = st.builds(Edition, st.dates(), own_texts)
DAY = date(2026, 9, 12)
NUMBER = "11222333000181"
SEPTEMBER = Edition(DAY)
numbers = st.from_regex(r"[0-9A-Z]{12}[0-9]{2}", fullmatch=True)


@settings(max_examples=40)
@given(st.builds(SnapshotCompany, numbers, branches, roots, editions))
def test_it_is_the_text_that_the_model_would_write(copied: SnapshotCompany) -> None:
    text = record_text(copied)
    assert Record.model_validate_json(text).model_dump_json() == text


def changed(names: tuple[str, ...], row: str, changes: dict[str, str]) -> str:
    values = dict(zip(names, row.split(FIELD_SEPARATOR), strict=True)) | changes
    return FIELD_SEPARATOR.join(values[name] for name in names)


def text_of(branch: dict[str, str], root: dict[str, str], edition: Edition = SEPTEMBER) -> str:
    """Return the record of a company's rows after changes of their fields."""
    rows = rows_of(company(NUMBER))
    branch_row = changed(ESTABLISHMENT_FIELDS, rows[NUMBER], branch)
    return record_text(
        SnapshotCompany(NUMBER, branch_row, changed(COMPANY_FIELDS, rows[NUMBER[:8]], root), edition)
    )


@given(st.data(), st.sampled_from([0, 1]), st.integers(0, 6))
def test_a_wrong_bit_makes_no_record_that_the_model_would_refuse(data, row: int, bit: int) -> None:
    rows = rows_of(company(NUMBER))
    texts = [rows[NUMBER], rows[NUMBER[:8]]]
    at = data.draw(st.integers(0, len(texts[row]) - 1))
    wrong = chr(ord(texts[row][at]) ^ (1 << bit))
    texts[row] = texts[row][:at] + wrong + texts[row][at + 1 :]
    try:
        text = record_text(SnapshotCompany(NUMBER, *texts, Edition(DAY)))
    except ValueError:
        return
    assert Record.model_validate_json(text).model_dump_json() == text


@pytest.mark.parametrize(
    ("branch", "root"),
    [
        ({}, {"name": ""}),
        ({"status": "", "city": "", "postal_code": ""}, {}),
    ],
)
def test_rows_without_what_every_record_has_are_none(branch: dict[str, str], root: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="every record"):
        text_of(branch, root)


@pytest.mark.parametrize(
    ("branch", "root", "read"),
    [
        ({"opened": "20261301"}, {}, {"data_inicio_atividade": None}),
        ({"special_date": "2026-1-1"}, {}, {"data_situacao_especial": None}),
        ({"activity": "47ll302"}, {}, {"cnae_principal": None}),
        ({"other_activities": "٤٧١١٣٠٢,47113"}, {}, {"cnaes_secundarios": []}),
        ({}, {"capital": "1e5"}, {"capital_social": None, "capital_social_precisao": None}),
        ({}, {"capital": "-1000.00"}, {"capital_social": None, "capital_social_precisao": None}),
        (
            {"area_1": "0021", "phone_1": "2171300", "area_2": "021", "phone_2": "2171300"},
            {},
            {"telefones": [{"ddd": "21", "numero": "2171300"}]},
        ),
        (
            {},
            {"responsible": "36"},
            {"qualificacao_do_responsavel": {"codigo": "36", "descricao": "Gerente-Delegado"}},
        ),
    ],
)
def test_a_field_that_cannot_be_read_is_null_and_the_rest_stays(branch, root, read) -> None:
    assert json.loads(text_of(branch, root)) == json.loads(text_of({}, {})) | read


@pytest.mark.parametrize(("code", "name"), [("150", "JERSEY, ILHA DO CANAL"), ("008", None)])
def test_a_country_keeps_its_code_without_a_text(code: str, name: str | None) -> None:
    place = json.loads(text_of({"country": code}, {}))["endereco"]
    assert (place["pais_codigo"], place["pais"]) == (code, name)


def test_the_record_of_a_company() -> None:
    truth = company(NUMBER)
    found = Record.model_validate_json(text_of({}, {})).model_dump(mode="json")
    assert (found.pop("fonte"), found.pop("data_base")) == ("receita", "2026-09-12")
    assert found.pop("capital_social_precisao") == "exata"
    assert found.pop("endereco") == truth.pop("endereco")
    partners = [{**partner, "faixa_etaria": None} for partner in truth.pop("socios")]
    assert found.pop("socios") == partners
    assert found == {**truth, "inscricoes_estaduais": None}  # no edition has them


def test_rows_of_an_earlier_release_are_cleaned_as_they_are_read() -> None:
    partner = dict.fromkeys(PARTNER_FIELDS, "") | {"kind": "2", "name": "ANA\u200b 111 444 777.35"}
    branch = {"trade_name": "LOJA \u202eATERP", "complement": "111 - 444 - 777 - 35", "country": "008"}
    root = {
        "name": "PADARIA\U000e0041 111\u2013444\u2013777\u201335",
        "partners": PART_SEPARATOR.join(partner.values()),
    }
    text = text_of(branch, root, Edition(DAY, {"paises": {"008": "UM\u2066 NOVO"}}))
    record = Record.model_validate_json(text)
    assert record.razao_social == "PADARIA ***444777**"
    assert (record.nome_fantasia, record.endereco.complemento) == ("LOJA ATERP", "***444777**")
    assert (record.socios[0].nome, record.endereco.pais) == ("ANA ***444777**", "UM NOVO")

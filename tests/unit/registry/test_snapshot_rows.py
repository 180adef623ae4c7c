"""The record of a snapshot's rows, for any rows that a builder may write."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brskills_server.registry import tables
from brskills_server.registry.company import Record
from brskills_server.registry.free_text import clean_text
from brskills_server.registry.snapshot.rows import (
    BRANCH_FIELDS,
    FIELD,
    ITEM,
    PART,
    PARTNER_FIELDS,
    ROOT_FIELDS,
    Edition,
    SnapshotCompany,
    record_text,
)
from tests.register.copy_file import rows_of
from tests.simulator.companies import company

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=FIELD + ITEM + PART), max_size=30)
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
    BRANCH_FIELDS,
    FIELD,
    kind=st.sampled_from(["", "1", "2", "9"]),
    status=codes("situacoes"),
    status_date=days,
    status_reason=codes("motivos"),
    country=codes("paises"),
    opened=days,
    activity=codes("cnaes"),
    other_activities=st.lists(codes("cnaes"), max_size=4).map(",".join),
    city=codes("municipios_siafi"),
)
partners = lines(
    PARTNER_FIELDS,
    PART,
    kind=st.sampled_from(["", "1", "2", "3", "9"]),
    role=codes("qualificacoes_socio"),
    since=days,
    country=codes("paises"),
    agent_role=codes("qualificacoes_socio"),
    age_band=st.sampled_from([*"0123456789", ""]),
)
roots = lines(
    ROOT_FIELDS,
    FIELD,
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
    partners=st.lists(partners, max_size=3).map(ITEM.join),
)
own_texts = st.dictionaries(
    st.sampled_from(["paises", "motivos", "cnaes"]), st.dictionaries(codes("paises"), texts, max_size=3)
)
editions = st.builds(Edition, st.dates(), own_texts)
DAY = date(2026, 9, 12)
numbers = st.from_regex(r"[0-9A-Z]{12}[0-9]{2}", fullmatch=True)


@settings(max_examples=40)
@given(st.builds(SnapshotCompany, numbers, branches, roots, editions))
def test_it_is_the_text_that_the_model_would_write(copied: SnapshotCompany) -> None:
    text = record_text(copied)
    assert Record.model_validate_json(text).model_dump_json() == text


@given(st.data(), st.sampled_from([0, 1]), st.integers(0, 6))
def test_a_wrong_bit_makes_no_record_that_the_model_would_refuse(data, row, bit) -> None:
    rows = rows_of(company("11222333000181"))
    texts = [rows["11222333000181"], rows["11222333"]]
    at = data.draw(st.integers(0, len(texts[row]) - 1))
    wrong = chr(ord(texts[row][at]) ^ (1 << bit))
    texts[row] = texts[row][:at] + wrong + texts[row][at + 1 :]
    try:
        text = record_text(SnapshotCompany("11222333000181", *texts, Edition(date(2026, 9, 12))))
    except ValueError:
        return
    assert Record.model_validate_json(text).model_dump_json() == text


@pytest.mark.parametrize(
    ("kind", "name", "wrong"),
    [
        ("branch", "opened", "20261301"),
        ("branch", "status_date", "2026-1-1"),
        ("branch", "activity", "47ll302"),
        ("branch", "other_activities", "4711302,٤٧١١٣٠٢"),
        ("root", "capital", "1e5"),
        ("root", "capital", "100,00"),
        ("root", "simples_since", "00000000"),
        ("root", "name", ""),
    ],
)
def test_a_field_of_another_form_is_no_record(kind: str, name: str, wrong: str) -> None:
    rows = rows_of(company("11222333000181"))
    fields = {"branch": BRANCH_FIELDS, "root": ROOT_FIELDS}[kind]
    key = {"branch": "11222333000181", "root": "11222333"}[kind]
    values = dict(zip(fields, rows[key].split(FIELD), strict=True)) | {name: wrong, "simples": "S"}
    rows[key] = FIELD.join(values[field] for field in fields)
    with pytest.raises(ValueError, match=r"form|month|range|date|record"):
        record_text(SnapshotCompany("11222333000181", rows["11222333000181"], rows["11222333"], Edition(DAY)))


def test_the_record_of_a_company() -> None:
    truth = company("11222333000181")
    rows = rows_of(truth)
    edition = Edition(date(2026, 9, 12))
    text = record_text(SnapshotCompany("11222333000181", rows["11222333000181"], rows["11222333"], edition))
    found = Record.model_validate_json(text).model_dump(mode="json")
    assert (found.pop("fonte"), found.pop("data_base")) == ("receita", "2026-09-12")
    assert found.pop("capital_social_precisao") == "exata"
    assert found.pop("endereco") == truth.pop("endereco")
    partners = [{**partner, "faixa_etaria": None} for partner in truth.pop("socios")]
    assert found.pop("socios") == partners
    assert found == {**truth, "inscricoes_estaduais": None}  # no month has them


def test_a_month_of_an_earlier_release_is_cleaned_as_it_is_read() -> None:
    rows = rows_of(company("11222333000181"))
    branch = dict(zip(BRANCH_FIELDS, rows["11222333000181"].split(FIELD), strict=True))
    root = dict(zip(ROOT_FIELDS, rows["11222333"].split(FIELD), strict=True))
    partner = dict.fromkeys(PARTNER_FIELDS, "") | {"kind": "2", "name": "ANA\u200b 111 444 777.35"}
    branch |= {"trade_name": "LOJA \u202eATERP", "complement": "111 - 444 - 777 - 35", "country": "008"}
    root |= {
        "name": "PADARIA\U000e0041 111\u2013444\u2013777\u201335",
        "partners": PART.join(partner.values()),
    }
    edition = Edition(DAY, {"paises": {"008": "UM\u2066 NOVO"}})
    text = record_text(
        SnapshotCompany("11222333000181", FIELD.join(branch.values()), FIELD.join(root.values()), edition)
    )
    record = Record.model_validate_json(text)
    assert record.razao_social == "PADARIA ***444777**"
    assert (record.nome_fantasia, record.endereco.complemento) == ("LOJA ATERP", "***444777**")
    assert (record.socios[0].nome, record.endereco.pais) == ("ANA ***444777**", "UM NOVO")

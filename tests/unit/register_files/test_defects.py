"""Each defect does what it says.

Whether a row can be read is asked of two readings: that of CSV, and the plain one that cuts a line at its
separators, for the files escape nothing. A row that reads by neither is one that nobody can read for certain.
"""

import csv
from collections.abc import Callable, Iterator
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxid import cnpj
from tests.register.company import FIRST, companies, invent
from tests.register.defect import Case, written
from tests.register.defects import ALL, Outcome, spread
from tests.register.files import write_month
from tests.register.rows import COMPANIES, ESTABLISHMENTS, KINDS, OPTIONS, PARTNERS, fields_of, line
from tests.register.truth import records

OFFICIAL_32 = "INEXISTENTE DE FATO - ADE/COSAR"

DAY = date(2026, 9, 12)
COLUMNS = {COMPANIES: 7, ESTABLISHMENTS: 30, PARTNERS: 11, OPTIONS: 7}
SPOILED = {name: defect for name, defect in ALL.items() if defect.spoil}
CHANGED = sorted(ALL.keys() - SPOILED.keys())


def numbers(test: Callable[..., None]) -> Callable[..., None]:
    """The test for some companies, whatever their number."""
    return settings(max_examples=15)(given(number=st.integers(0, 5_000))(test))


def case(name: str, number: int, **sizes: int) -> Case:
    return written(invent(2, FIRST + number, **sizes), ALL[name])


def readings(text: str) -> Iterator[list[str]]:
    """What a line may be, by either reading."""
    try:
        yield from csv.reader(StringIO(text, newline=""), delimiter=";", strict=True)
    except csv.Error:
        yield text.rstrip("\r")[1:-1].split('";"')


def is_row(kind: str, row: list[str]) -> bool:
    """Whether fields are a row of the kind as far as the row itself tells."""
    if len(row) != COLUMNS[kind] or max(map(len, row)) > 2_000 or not row[0].isalnum() or len(row[0]) != 8:
        return False
    if kind == ESTABLISHMENTS:
        return cnpj.is_valid("".join(row[:3]).upper())
    return kind != COMPANIES or bool(row[1].replace("\0", "").replace("\xa0", "").strip(" *"))


def rows_in(found: Case, kind: str) -> list[tuple[str, ...]]:
    """The rows of a kind that can be read."""
    read = [tuple(row) for k, text in found.lines if k == kind for row in readings(text) if is_row(kind, row)]
    return [(row[0].upper(), *row[1:]) for row in read]


@pytest.mark.parametrize("name", [name for name, d in ALL.items() if d.outcome is Outcome.HARMLESS])
@numbers
def test_what_is_harmless_can_be_read(name: str, number: int) -> None:
    found = case(name, number)
    assert not found.lost | found.illegible
    assert found.found() == found.company.numbers()
    for kind in KINDS:
        assert set(fields_of(found.company, kind)) <= set(rows_in(found, kind))


@pytest.mark.parametrize("name", [name for name, d in ALL.items() if d.outcome is not Outcome.HARMLESS])
@numbers
def test_what_is_lost_cannot_be_read(name: str, number: int) -> None:
    found, defect = case(name, number, branches=3), ALL[name]
    for kind in KINDS:
        missing = len(fields_of(found.company, kind)) - len(rows_in(found, kind))
        assert missing == (1 if kind == defect.kind else 0)
    gone = found.lost | found.illegible
    assert len(gone) == (1 if defect.kind == ESTABLISHMENTS else 3)
    assert sorted(found.found()) == sorted(set(found.company.numbers()) - gone)


@pytest.mark.parametrize("name", SPOILED)
@numbers
def test_counts_are_those_of_the_lines(name: str, number: int) -> None:
    found, defect = case(name, number), ALL[name]
    lines = [text for kind, text in found.lines if kind == defect.kind and text]
    readable = rows_in(found, defect.kind)
    assert found.counts[defect.kind, "rejected"] == len(lines) - len(readable)
    assert found.counts[defect.kind, "duplicate"] == len(readable) - len(set(readable))
    roots = {row[0] for row in rows_in(found, COMPANIES)}
    for kind in KINDS[1:]:
        assert found.counts[kind, "orphan"] == sum(row[0] not in roots for row in rows_in(found, kind))
    key = 3 if defect.kind == ESTABLISHMENTS else 1
    if defect.kind != PARTNERS:
        several = len(set(readable)) - len({row[:key] for row in readable})
        assert found.counts[defect.kind, "conflict"] == several


@numbers
def test_of_two_rows_the_later_or_greater_stands(number: int) -> None:
    for kind in (COMPANIES, ESTABLISHMENTS, OPTIONS):
        (name,) = (name for name in SPOILED if name.endswith(f"another_content:{kind}"))
        found = case(name, number)
        (stands,) = (row for row in fields_of(found.company, kind) if rows_of(found, kind, row[:3]) != [row])
        (other,) = (row for row in rows_of(found, kind, stands[:3]) if row != stands)
        place = (lambda row: (row[6], row)) if kind == ESTABLISHMENTS else (lambda row: ("", row))
        assert place(stands) > place(other)


def rows_of(found: Case, kind: str, number: tuple[str, ...]) -> list[tuple[str, ...]]:
    width = 3 if kind == ESTABLISHMENTS else 1
    return [row for row in rows_in(found, kind) if row[:width] == number[:width]]


def test_a_line_that_is_cut_off_keeps_its_number_and_is_no_more_than_a_beginning() -> None:
    for number in range(200):
        found = case(f"cut_off:{ESTABLISHMENTS}", number)
        plain = {line(row) for row in fields_of(found.company, ESTABLISHMENTS)}
        (cut,) = (text for kind, text in found.lines if kind == ESTABLISHMENTS and text not in plain)
        assert any(whole.startswith(cut) for whole in plain)
        assert found.lost == {cut[1:9] + cut[12:16] + cut[19:21]}


def some(name: str, value: Callable[[dict[str, Any]], bool]) -> Any:
    return pytest.param(name, value, id=name)


@pytest.mark.parametrize(
    ("name", "is_so"),
    [
        some("zero_dates", lambda r: r["data_inicio_atividade"] is None),
        some("impossible_dates", lambda r: r["situacao_cadastral"]["data"] is None),
        some("postcode_of_seven_digits", lambda r: r["endereco"]["cep"][0] == "0" != r["endereco"]["cep"][1]),
        some("postcode_of_zeros", lambda r: r["endereco"]["cep"] is None),
        some("capital_sentinel", lambda r: r["capital_social"] is None),
        some("capital_that_is_none", lambda r: r["capital_social_precisao"] is None),
        some(
            "reason_in_no_table",
            lambda r: r["situacao_cadastral"]["motivo"] == {"codigo": "32", "descricao": OFFICIAL_32},
        ),
        some(
            "reason_of_the_month",
            lambda r: r["situacao_cadastral"]["motivo"]["descricao"] == "MOTIVO NOVO DE EXEMPLO",
        ),
        some("country_in_no_table", lambda r: bool(r["endereco"]["pais"]) and r["endereco"]["uf"] == "EX"),
        some(
            "equal_masked_documents",
            lambda r: any(
                p["documento"] == q["documento"] for p in r["socios"] for q in r["socios"] if p != q
            ),
        ),
        some(
            "partner_in_two_roles",
            lambda r: (
                len({(p["nome"], p["documento"], p["data_entrada"]) for p in r["socios"]}) < len(r["socios"])
            ),
        ),
        some("partner_with_a_full_cpf", lambda r: any(p["representante_legal"] for p in r["socios"])),
        some("stray_quotes", lambda r: '"' in r["razao_social"]),
        some("quote_at_the_end_of_a_row", lambda r: r["ente_federativo"] == 'MUNICIPIO DE "EXEMPLO"'),
        some("backslashes", lambda r: r["razao_social"].endswith("\\")),
        some("nul_bytes", lambda r: r["endereco"]["logradouro"] == "DO COMERCIO"),
        some("nul_bytes_in_a_cpf", lambda r: r["razao_social"].endswith("**")),
        some("control_characters", lambda r: r["endereco"]["logradouro"].startswith("A BA BA")),
        some("non_breaking_spaces", lambda r: r["endereco"]["bairro"] == "CENTRO VELHO"),
        some("line_feed_in_a_field", lambda r: r["nome_fantasia"] == "DOCE LAR DOIS INCORPORADORA"),
        some("carriage_return_in_a_field", lambda r: r["endereco"]["complemento"] == "CASA FUNDOS"),
        some("semicolon_in_a_field", lambda r: r["endereco"]["bairro"] == ";CENTRO"),
        some("codes_without_zeros", lambda r: r["cnae_principal"]["codigo"] == "0111301"),
        some("codes_nobody_knows", lambda r: r["porte"] == {"codigo": "07", "descricao": None}),
        some("values_that_are_not_codes", lambda r: r["porte"] is r["natureza_juridica"] is None),
        some(
            "nothing_told", lambda r: r["simples"] is r["mei"] is r["matriz"] is r["endereco"]["uf"] is None
        ),
        some("asterisks_and_blanks", lambda r: r["nome_fantasia"] is r["endereco"]["logradouro"] is None),
        some("spaces_everywhere", lambda r: r["endereco"]["logradouro"] == "DO COMERCIO"),
        some("cpf_in_every_text", lambda r: "**" in r["email"] and "**" in r["endereco"]["numero"]),
        some("long_texts", lambda r: len(r["endereco"]["complemento"]) == len(r["razao_social"]) == 2_000),
        some("repeated_and_odd_phones", lambda r: len(r["telefones"]) < 2),
        some("options_that_never_were", lambda r: r["simples"]["data_opcao"] is None),
        some("letters_in_the_order", lambda r: r["cnpj"][8:12] == "00ZX"),
    ],
)
@numbers
def test_odd_values_are_in_the_truth_as_told(name: str, is_so: Any, number: int) -> None:
    found = case(name, number, branches=1)
    (one,) = records(found.company, DAY).values()
    assert is_so(one)


def test_a_partner_without_a_name_is_nobody() -> None:
    before = invent(2, FIRST, partners=3)
    after = written(before, ALL["partner_without_a_name"]).company
    assert len(after.partners) == 4
    assert [r["socios"] for r in records(after, DAY).values()] == [
        r["socios"] for r in records(before, DAY).values()
    ]


def test_all_odd_values_are_tested_above() -> None:
    marks = test_odd_values_are_in_the_truth_as_told.pytestmark  # type: ignore[attr-defined]
    tested = {mark.values[0] for mark in marks[0].args[1]}
    assert tested | {"partner_without_a_name"} == set(CHANGED)


def test_a_month_knows_what_it_holds(tmp_path: Path) -> None:
    given_companies = list(companies(4, 300))
    month = write_month(tmp_path, given_companies, DAY, spread(ALL.values(), given_companies))
    found = month.records()
    assert found.keys().isdisjoint(month.lost | month.illegible)
    assert len(month.illegible) == 1
    assert len(month.lost) >= sum(defect.outcome is Outcome.LOST for defect in ALL.values())
    assert all(month.counts[kind, "rejected"] for kind in KINDS)
    assert len(month.cpfs) > 20
    text = str(found)
    assert not [cpf for cpf in month.cpfs if cpf in text]


def test_defects_need_as_many_companies() -> None:
    with pytest.raises(ValueError, match="more defects than companies"):
        spread(ALL.values(), companies(1, 3))

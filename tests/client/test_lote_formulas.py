"""Escaping of formulas in the output of ``brskills lote``, for every separator of a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills.command.language import texts_in
from brskills.lote.companies import Companies
from brskills.lote.formulas import SIGNS, safe_cell, safe_row
from brskills.lote.journal import Answer
from brskills.lote.output import records, write_output
from brskills.lote.table import read_table
from tests.for_each import for_each

CNPJ = "33000167000101"
COMMAND = '=HYPERLINK("http://127.0.0.1/"&A1)'
OWN_SEPARATORS = ";,\t"
SPLITS = (*OWN_SEPARATORS, "|", ":", " ", ";,\t", ";,\t ")
"""The separators of Excel, LibreOffice and Google Sheets, and the combinations of LibreOffice."""

texts = st.text(f"{SIGNS};,\t|: \"'\r\n\x0b\x85\u2028\ufeff\xa0.aB1", max_size=10) | st.text(max_size=10)
rows = st.lists(st.lists(texts, min_size=1, max_size=4), min_size=1, max_size=3)


def written(table: Sequence[Sequence[str]], separator: str) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(safe_row(row) for row in table)
    return out.getvalue()


def cells_at_any_separator(text: str) -> Iterator[str]:
    """Yield the cells of a file at every separator, with and without quoting."""
    for marks in SPLITS:
        split = text.translate(dict.fromkeys(map(ord, marks), "\x1f"))
        for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
            for row in csv.reader(io.StringIO(split, newline=""), delimiter="\x1f", quoting=quoting):
                yield from row


def is_formula(cell: str) -> bool:
    shown = re.sub(r'^[\s\ufeff"]+|[\s"]+$', "", cell)
    harmless = shown in SIGNS or re.fullmatch(r"[+-][0-9]+([.,][0-9]+)*", shown)
    return not harmless and shown.startswith((*SIGNS,))


@given(rows, st.sampled_from(OWN_SEPARATORS))
def test_no_separator_makes_a_formula(table: list[list[str]], separator: str) -> None:
    assert not [cell for cell in cells_at_any_separator(written(table, separator)) if is_formula(cell)]


@given(rows, st.sampled_from(OWN_SEPARATORS))
def test_round_trip(table: list[list[str]], separator: str) -> None:
    read = list(csv.reader(io.StringIO(written(table, separator), newline=""), delimiter=separator))
    assert read == [safe_row(row) for row in table]


@given(texts)
def test_escaping_is_idempotent_and_keeps_the_text(text: str) -> None:
    def bare(cell: str) -> str:
        return re.sub(r"[\s\x00-\x1f\x7f-\x9f]+|'", "", cell)

    assert bare(safe_cell(text)) == bare(text)
    assert safe_cell(safe_cell(text)) == safe_cell(text)


@for_each(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("RUA A,=1+1", "RUA A,'=1+1"),
        ("RUA A; @x", "RUA A; '@x"),
        ("RUA A\t+1", "RUA A '+1"),
        ("A\r\n-1+1", "A\n'-1+1"),
        ('"=1+1"', '"\'=1+1"'),
        ("＝1+1", "'＝1+1"),
        ("-5,00", "-5,00"),
        ("+5511955550100", "+5511955550100"),
        ("+55 11 95555-0100", "'+55 11 95555-0100"),
        ("J. SILVA - COMERCIO S.A.-ME", "J. SILVA - COMERCIO S.A.-ME"),
        ("contato+nf@exemplo-1.com.br", "contato+nf@exemplo-1.com.br"),
    ],
)
def test_escaped_cells(text: str, shown: str) -> None:
    assert safe_cell(text) == shown


def test_signed_numbers_in_a_row() -> None:
    assert safe_row(["-5", "*1", "-5"]) == ["'-5", "*1", "-5"]
    assert safe_row(["", "-5", "x,", "", "-5", "x", "-5"]) == ["", "'-5", "x,", "", "'-5", "x", "-5"]


def test_signs_include_all_that_normalize_to_one() -> None:
    composed = filter(unicodedata.decomposition, map(chr, range(sys.maxunicode + 1)))
    assert {one for one in composed if unicodedata.normalize("NFKC", one)[0] in "=+-@"} <= {*SIGNS}


@pytest.mark.parametrize("separator", OWN_SEPARATORS)
def test_hostile_tables_and_records(tmp_path: Path, separator: str) -> None:
    attacks = [f"A{mark}{COMMAND}" for mark in ';,\t|:\n"'] + [COMMAND]
    for attack in attacks:
        source, output = tmp_path / "in.csv", tmp_path / "out.csv"
        with source.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=separator).writerows([[attack, "CNPJ"], ["-5", CNPJ], [attack, CNPJ]])
        record = {"razao_social": attack, "bairro": f"*1{attack}", "socios": f"B | {attack}"}
        table, text = read_table(source), texts_in("en")
        kind = Companies(table, 1, text, {})
        items, answers = [kind.item(row) for row in table.rows], {CNPJ: Answer("encontrada", record)}
        write_output(output, table, kind.columns, records(kind, items, answers, text))
        content = output.read_text(encoding="utf-8-sig")
        assert not [cell for cell in cells_at_any_separator(content) if is_formula(cell)], attack

"""Numbers and tables as spreadsheets change them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills.command.language import texts_in
from brskills.company import Company
from brskills.lote.bad_table import BadTable
from brskills.lote.cells import COLUMNS, cells_of
from brskills.lote.companies import number_column
from brskills.lote.number import Reading, read_number
from brskills.lote.table import Table, read_table
from brskills.reading import read
from taxid import cnpj, cpf
from tests.client.answering import COMPANY
from tests.for_each import for_each
from tests.register.digits import cnpj_digits

BODIES = st.text("0123456789ABCXYZ", min_size=12, max_size=12)
DIGITS = st.text("0123456789", min_size=12, max_size=12)


def whole(body: str) -> str:
    return body + cnpj_digits(body)


@given(BODIES)
def test_numbers_with_and_without_mask(body: str) -> None:
    number = whole(body)
    if not cnpj.is_valid(number):  # fourteen equal digits
        return
    for cell in (number, cnpj.format(number), f" {number.lower()} ", f"'{number}", f'="{number}"'):
        assert read_number(cell) == Reading(number)


@given(DIGITS, st.sampled_from(["", ".0", ",00"]))
def test_lost_zeros_are_restored_if_check_digits_match(body: str, decimals: str) -> None:
    number = whole(body)
    shown = number.lstrip("0")
    reading = read_number(shown + decimals)
    if not cnpj.is_valid(number):
        assert reading.number is None
    elif len(shown) == 14:
        assert reading == Reading(number, "decimals_removed" if decimals else "")
    elif len(shown) == 11 and cpf.is_valid(shown):
        assert reading == Reading(None, "not_a_cnpj")
    else:
        assert reading == Reading(number, "zeros_restored")


@given(DIGITS.map(whole), st.integers(0, 13), st.integers(1, 9))
def test_wrong_digits_are_never_repaired(number: str, place: int, step: int) -> None:
    wrong = number[:place] + str((int(number[place]) + step) % 10) + number[place + 1 :]
    assert read_number(wrong).number in {None, wrong}
    short = wrong.lstrip("0")
    if 12 <= len(short) < 14 and not cnpj.is_valid(wrong):
        assert read_number(short) == Reading(None, "check_digits")


REMARKS = {
    "digits_lost": ["3,3E+13", "3.30002E+13", "3E13"],
    "empty": ["", "  "],
    "not_a_cnpj": ["52998224725", "Padaria", "33.000.167/0001-0"],
    "check_digits": ["33000167000102"],
}


@for_each(("cell", "remark"), [(cell, name) for name, cells in REMARKS.items() for cell in cells])
def test_remarks_for_invalid_numbers(cell: str, remark: str) -> None:
    assert read_number(cell) == Reading(None, remark)


NUMBER, OTHER = "33000167000101", "00360305000104"


def table(tmp_path: Path, text: str, encoding: str = "utf-8") -> Table:
    file = tmp_path / "c.csv"
    file.write_bytes(text.encode(encoding))
    return read_table(file)


def numbers(found: Table) -> list[str | None]:
    column = number_column(found, None)
    return [read_number(row[column]).number for row in found.rows]


@pytest.mark.parametrize(
    ("encoding", "separator", "end"),
    [("utf-8", ";", "\n"), ("utf-8-sig", ",", "\r\n"), ("utf-16", "\t", "\r\n"), ("cp1252", ";", "\r\n")],
)
def test_detection_of_encoding_separator_and_header(
    tmp_path: Path, encoding: str, separator: str, end: str
) -> None:
    lines = [["Razão", "CNPJ/MF"], ["Açaí", NUMBER], ["São João", "33.000.167/0001-01"]]
    found = table(tmp_path, end.join(separator.join(line) for line in lines) + end, encoding)
    assert (found.header, found.separator, number_column(found, None)) == (("Razão", "CNPJ/MF"), separator, 1)
    assert [row[0] for row in found.rows] == ["Açaí", "São João"]
    assert numbers(found) == [NUMBER, NUMBER]


def test_separator_with_rows_of_equal_width(tmp_path: Path) -> None:
    found = table(tmp_path, f"{NUMBER};Silva, Souza, Lima\n{OTHER};Outra, S.A.\n")
    assert (found.separator, found.header, len(found.rows)) == (";", ("coluna_1", "coluna_2"), 2)


@pytest.mark.parametrize(
    "text",
    [
        f"{NUMBER};Rua A, 10, Centro, Recife\n{OTHER};Rua B, 20, Centro, Recife\n",
        f"CNPJ;Onde\n{NUMBER};Rua A, 10, Olinda\n{OTHER};Rua B, 2, Recife\n{OTHER};Rua C; 3, 4, Natal\n",
        f"CNPJ\tOnde\n{NUMBER}\tRua A; 10, Centro\n{OTHER}\tRua B; 20, Centro\n",
    ],
)
def test_separator_that_isolates_numbers(tmp_path: Path, text: str) -> None:
    found = table(tmp_path, text)
    assert found.separator in ";\t"
    assert numbers(found)[:2] == [NUMBER, OTHER]


def test_quotes_inside_cells_of_another_separator(tmp_path: Path) -> None:
    found = table(tmp_path, f'{NUMBER};Rua A,"B\n' + f"{OTHER};Rua C\n" * 10_000)
    assert (found.separator, len(found.rows)) == (";", 10_001)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (f"{NUMBER}\n\n{OTHER}\n", ((NUMBER,), (OTHER,))),  # no header
        (f"A;3,3E+13\nB;{NUMBER}\n", (("A", "3,3E+13"), ("B", NUMBER))),  # a damaged number in the first row
        (f"cnpj;nome;x\n{NUMBER}\n", ((NUMBER, "", ""),)),  # a short row
        (f"sep=;\r\nNome, só;CNPJ\r\nA, B;{NUMBER}\r\n", (("A, B", NUMBER),)),  # a declared separator
    ],
)
def test_rows(tmp_path: Path, text: str, rows: tuple[tuple[str, ...], ...]) -> None:
    assert table(tmp_path, text).rows == rows


def test_choice_of_the_column(tmp_path: Path) -> None:
    text = f"matriz_cnpj;cnpj\n;{NUMBER}\n{OTHER};{OTHER}\n"
    assert number_column(table(tmp_path, text), None) == 1
    for name in ("matriz_cnpj", "MATRIZ_CNPJ", "1"):
        assert number_column(table(tmp_path, text), name) == 0


def test_a_column_of_numbers_without_their_zeros(tmp_path: Path) -> None:
    found = table(tmp_path, "nome;c\nA;191\nB;208000100\n")
    assert numbers(found) == ["00000000000191", "00000208000100"]
    assert numbers(table(tmp_path, f"id;cnpj\n191;{NUMBER}\n")) == [NUMBER]


@pytest.mark.parametrize(
    ("text", "column", "code"),
    [
        (b"", None, "empty"),
        (b"\n \n", None, "empty"),
        (b"nome;cidade\nA;B\n", None, "no_column"),
        (b"a;b\nA;33000167000101\n", "c", "no_such_column"),
        (b"a;b\nA;33000167000101\n", "3", "no_such_column"),
        (b"PK\x03\x04" + bytes(500), None, "not_xlsx"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), None, "spreadsheet"),
    ],
)
def test_unusable_tables(tmp_path: Path, text: bytes, column: str | None, code: str) -> None:
    (tmp_path / "c.csv").write_bytes(text)
    with pytest.raises(BadTable) as bad:
        number_column(read_table(tmp_path / "c.csv"), column)
    assert bad.value.code == code


def test_cells_of_a_record() -> None:
    company, texts = read(Company, COMPANY), texts_in("pt")
    cells = cells_of(company, ";", texts)
    assert tuple(cells) == COLUMNS
    assert cells["capital_social"] == "250000,00"
    assert cells_of(company, "\t", texts)["capital_social"] == "250000,00"
    assert cells_of(company, ",", texts)["capital_social"] == "250000.00"
    assert [cells[name] for name in ("cep", "cnae_principal")] == ["01001-000", "6201-5/01"]
    assert cells["telefones"] == "(11) 55550100"
    assert (cells["simples"], cells["desatualizado"]) == ("não", "não")
    assert cells_of(company, ";", texts_in("en"))["simples"] == "no"

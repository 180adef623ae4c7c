"""Spreadsheets: numbers with all their zeros, and hostile files."""

from __future__ import annotations

import io
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from brskills.lote import bad_table, spreadsheet, table
from brskills.lote.bad_table import BadTable
from brskills.lote.table import read_table
from tests.client.batches import Batches
from tests.client.test_lote_command import rows

CNPJ = 360305000104


def book(folder: Path, *lines: list[Any], formats: dict[str, str] | None = None) -> Path:
    """Write a spreadsheet. ``formats``: the number format of a cell."""
    made = openpyxl.Workbook()
    assert made.active is not None
    for line in lines:
        made.active.append(line)
    for place, form in (formats or {}).items():
        made.active[place].number_format = form
    made.save(folder / "c.xlsx")
    return folder / "c.xlsx"


def test_companies_of_a_spreadsheet(ended: Any, home: Path) -> None:
    book(
        home, ["Nome", "CNPJ"], ["A", 33000167000101], ["B", CNPJ], ["C", "33.000.167/0001-01"], ["=1+1", 191]
    )
    batches = Batches()
    assert ended("lote", "c.xlsx", answer=batches)[0] == 0
    found = rows(home / "c-empresas.csv")
    assert [row["cnpj_consultado"] for row in found] == [
        "33.000.167/0001-01",
        "00.360.305/0001-04",
        "33.000.167/0001-01",
        "00.000.000/0001-91",
    ]
    assert found[3]["observacao"] == "leading zeros restored"
    assert found[1]["observacao"] == "leading zeros restored"
    assert batches.calls == 3


def test_pix_codes_of_a_spreadsheet(ended: Any, home: Path) -> None:
    header = ["chave", "valor", "nome_recebedor", "cidade", "cep", "txid"]
    line = ["pix@exemplo.com.br", 19.99 * 3, "Padaria", "Recife", 1001000, 7]
    book(home, header, line, formats={"F2": "0000"})
    code, _, err = ended("lote", "c.xlsx", answer=Batches())
    assert code == 0, err
    (row,) = rows(home / "c-codigos.csv")
    assert "540559.97" in row["brcode"]
    assert "610801001000" in row["brcode"]
    assert row["brcode"].count("05040007") == 1


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (CNPJ, "00000000000000", "00360305000104"),
        (CNPJ, r"00\.000\.000\/0000\-00", "00360305000104"),
        (191, '000"."000"."000-00', "00000000191"),
        (191, "0", "191"),
        (191, "0.00", "191"),
        (191, "#,##0", "191"),
        (191, "General", "191"),
        (49.9, "0.00", "49.9"),
        (0.1 + 0.2, "General", "0.3"),
        (33000167000101.0, "General", "33000167000101"),
        (True, "General", "sim"),
        (datetime(2026, 11, 1), "yyyy-mm-dd", "2026-11-01"),
    ],
)
def test_values_as_a_spreadsheet_shows_them(tmp_path: Path, value: object, form: str, text: str) -> None:
    found = read_table(book(tmp_path, ["a", "b"], ["x", value], formats={"B2": form}))
    assert found.rows == (("x", text),)


def test_the_library_is_named_if_it_is_missing(
    ended: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book(home, ["CNPJ"], [CNPJ])
    for name in ("openpyxl", "defusedxml"):
        with monkeypatch.context() as without:
            without.setitem(sys.modules, name, None)
            code, _, err = ended("lote", "c.xlsx", answer=Batches())
        assert (code, "install: " in err and "openpyxl defusedxml" in err) == (2, True)


def test_a_formula_without_a_stored_value_is_refused(ended: Any, home: Path) -> None:
    book(
        home,
        ["chave", "nome_recebedor", "cidade", "valor"],
        ["pix@exemplo.com.br", "Padaria", "Recife", "=10*5"],
        ["pix@exemplo.com.br", "Padaria", "Recife", 50],
    )
    assert ended("lote", "c.xlsx", answer=Batches())[0] == 0
    found = rows(home / "c-codigos.csv")
    assert [row["resultado"] for row in found] == ["campo_invalido", "criado"]
    assert "valor" in found[0]["observacao"]


def test_merged_cells_are_refused(tmp_path: Path) -> None:
    file = book(tmp_path, ["chave", "valor"], ["a", 10], ["b", None])
    made = openpyxl.load_workbook(file)
    assert made.active is not None
    made.active.merge_cells("B2:B3")
    made.save(file)
    assert refusal(file) == "merged"
    made.active.unmerge_cells("B2:B3")
    made.active.merge_cells("A1:B1")
    made.save(file)
    assert len(read_table(file).rows) == 2


def repacked(file: Path, change: Callable[[str, bytes], bytes]) -> Path:
    """Rewrite the parts of a spreadsheet."""
    content, packed = file.read_bytes(), io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as before,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as after,
    ):
        for name in before.namelist():
            after.writestr(name, change(name, before.read(name)))
    file.write_bytes(packed.getvalue())
    return file


def refusal(file: Path) -> str:
    with pytest.raises(BadTable) as bad:
        read_table(file)
    return bad.value.code


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    file = repacked(
        book(tmp_path, ["CNPJ"], [CNPJ]),
        lambda name, part: bytes(300 * 1024 * 1024) if name.endswith("sheet1.xml") else part,
    )
    tracemalloc.start()
    try:
        assert refusal(file) == "too_large"
        assert tracemalloc.get_traced_memory()[1] < 8 * 1024 * 1024
    finally:
        tracemalloc.stop()


def test_a_part_is_read_no_further_than_it_says(tmp_path: Path) -> None:
    file = book(tmp_path, ["CNPJ"], *[[CNPJ]] * 5_000)
    with zipfile.ZipFile(file) as archive:
        size = archive.getinfo("xl/worksheets/sheet1.xml").file_size
    content = file.read_bytes()
    file.write_bytes(content.replace(size.to_bytes(4, "little"), (100).to_bytes(4, "little")))
    assert refusal(file) == "not_xlsx"


ENTITIES = b'<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]>'


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml"])
def test_entities_are_refused(tmp_path: Path, part: str) -> None:
    def change(name: str, content: bytes) -> bytes:
        return ENTITIES + content if name == part else content

    assert refusal(repacked(book(tmp_path, ["CNPJ"], [CNPJ]), change)) == "not_xlsx"


def test_too_many_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    far = book(tmp_path, ["CNPJ"], [CNPJ])

    def change(_name: str, content: bytes) -> bytes:
        return content.replace(b'r="2"', b'r="99999999"').replace(b'r="A2"', b'r="A99999999"')

    assert refusal(repacked(far, change)) == "too_large"
    monkeypatch.setattr(spreadsheet, "MAX_CELLS", 3)
    assert refusal(book(tmp_path, ["a", "b"], ["c", "d"])) == "too_large"


def test_large_files_are_refused_before_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "c.csv"
    file.write_text("CNPJ\n33000167000101\n")
    monkeypatch.setattr(table, "MAX_CELLS", 0)
    assert refusal(file) == "too_large"
    with file.open("wb") as sparse:
        sparse.truncate(bad_table.MAX_BYTES + 1)
    monkeypatch.setattr(Path, "read_bytes", lambda _path: pytest.fail("read"))
    assert refusal(file) == "too_large"


def test_other_archives_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "c.ods"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("content.xml", "<a/>")
    assert refusal(file) == "spreadsheet"
    file.write_bytes(b"PK\x03\x04" + bytes(500))
    assert refusal(file) == "not_xlsx"

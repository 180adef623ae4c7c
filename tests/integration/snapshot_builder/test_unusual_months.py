"""Months unlike others, with rows that are missing or exist twice, and what an operator accepts of them."""

import shutil
from pathlib import Path

import pytest

from brskills_server.snapshot_builder import checks
from tests.integration.snapshot_builder.building import (
    DAY,
    NEXT_DAY,
    assert_holds,
    build,
    content,
    current_file,
    failure,
    make_copy,
    publish,
    record_of,
    report_of,
    write_content,
)
from tests.register.company import companies
from tests.register.files import write_month
from tests.register.layout import members
from tests.register.share import FakeShare


def name_as_before_2023(folder: Path) -> None:
    for name, member in members(DAY).items():
        (folder / name).rename(folder / f"{member}.zip")


def test_a_local_month_with_names_before_2023(tmp_path):
    month = publish(tmp_path / "in", companies(3, 20))
    name_as_before_2023(tmp_path / "in")
    build(tmp_path / "copy", tmp_path / "in")
    assert_holds(tmp_path / "copy", month)
    assert report_of(current_file(tmp_path / "copy"))["rows_by_file"]["Socios0.zip"] > 0


def test_a_month_of_a_share_with_names_before_2023(tmp_path):
    month = publish(tmp_path / "share" / "2022-09", companies(3, 20))
    name_as_before_2023(tmp_path / "share" / "2022-09")
    with FakeShare(tmp_path / "share") as share:
        build(tmp_path / "copy", share.page)
        assert ("GET", f"{members(DAY)['Simples.zip']}.zip", None) in share.requests
        assert "kept already" in make_copy(tmp_path / "copy", "build", share.page)[1]
    assert_holds(tmp_path / "copy", month)


def test_a_file_with_both_names(tmp_path):
    publish(tmp_path / "in", companies(3, 20))
    old = f"{members(DAY)['Socios0.zip']}.zip"
    shutil.copy(tmp_path / "in" / "Socios0.zip", tmp_path / "in" / old)
    assert failure(tmp_path / "copy", tmp_path / "in") == f"{tmp_path}/in: twice: {old}, Socios0.zip"


@pytest.fixture(autouse=True)
def small_tolerance(monkeypatch):
    """Hold months of some hundred rows to the shares."""
    monkeypatch.setattr(checks, "_TOLERANCE", 5)


def spread_month(folder: Path, day=DAY):
    """Write a month whose rows are in all files of a kind."""
    folder.mkdir()
    return write_month(folder, companies(5, 300), day)


def shorten(path: Path, day, rows: int = 3) -> None:
    lines = content(path).splitlines(keepends=True)
    assert len(lines) > 4 * rows
    write_content(path, b"".join(lines[:rows]), day)


def accept(folder: Path, source: Path, *names: str) -> str:
    code, output = make_copy(
        folder, "build", source, *(text for name in names for text in ("--accept", name))
    )
    assert code == 0, output
    return output


def test_a_first_month_with_a_short_file(tmp_path):
    spread_month(tmp_path / "in")
    shorten(tmp_path / "in" / "Socios3.zip", DAY)
    code, output = make_copy(tmp_path / "copy", "build", tmp_path / "in")
    assert code == 1
    assert "\nSocios3.zip: 3 rows, and the other files have about " in output
    assert ": it may be incomplete, download it again\n" in output
    assert output.endswith('whatever else is unusual in these files: ARGS="--accept socios"\n')
    output = accept(tmp_path / "copy", tmp_path / "in", "socios")
    assert "accepted: Socios3.zip: 3 rows" in output
    assert output.count("(as before)") == 31
    assert report_of(current_file(tmp_path / "copy"))["accepted"] == ["socios"]


def test_a_later_month_with_a_short_file(tmp_path):
    month = spread_month(tmp_path / "1")
    build(tmp_path / "copy", tmp_path / "1")
    spread_month(tmp_path / "2", day=NEXT_DAY)
    shorten(tmp_path / "2" / "Socios3.zip", NEXT_DAY)
    code, output = make_copy(tmp_path / "copy", "build", tmp_path / "2")
    assert (code, "Socios3.zip: 3 rows, and the month before had " in output) == (1, True)
    assert_holds(tmp_path / "copy", month)


def test_partners_that_are_gone_from_all_files(tmp_path):
    registered = list(companies(5, 300))
    publish(tmp_path / "1", registered, DAY)
    build(tmp_path / "copy", tmp_path / "1")
    for n in [n for n, company in enumerate(registered) if company.partners][:9]:
        registered[n] = registered[n]._replace(partners=())
    month = publish(tmp_path / "2", registered, NEXT_DAY)
    code, output = make_copy(tmp_path / "copy", "build", tmp_path / "2")
    assert code == 1
    assert "\n9 of 300 companies have lost every partner since the month before\n" in output
    assert "accepted: 9 of 300 companies" in accept(tmp_path / "copy", tmp_path / "2", "socios")
    assert_holds(tmp_path / "copy", month)


@pytest.mark.parametrize("first", [True, False])
def test_an_empty_row_beside_the_company_s_own(tmp_path, first):
    month = publish(tmp_path / "in", companies(3, 20))
    path = tmp_path / "in" / "Empresas0.zip"
    root = month.cases[4].company.root
    empty = f'"{root}";"";"0000";"00";"0,00";"";""\n'.encode()
    rows = content(path) + b"\n"
    write_content(path, empty + rows if first else rows + empty)
    report = report_of(build(tmp_path / "copy", tmp_path / "in"))
    assert_holds(tmp_path / "copy", month)
    assert (report["register"]["blank"], report["register"]["contradicted"]) == (1, 0)


def test_a_company_with_an_empty_row_alone(tmp_path):
    """It exists, and has no record."""
    month = publish(tmp_path / "in", companies(3, 20))
    path, company = tmp_path / "in" / "Empresas0.zip", month.cases[4].company
    lines = [line for line in content(path).splitlines() if company.root.encode() not in line]
    lines += [f'"{company.root}";"";"0000";"00";"0,00";"";""'.encode()] * 2
    write_content(path, b"\n".join(lines))
    file = build(tmp_path / "copy", tmp_path / "in")
    assert record_of(file, company.numbers()[0]) == "unknown"


def test_two_rows_of_a_company_that_say_different_things(tmp_path):
    month = publish(tmp_path / "in", companies(3, 20))
    path, company = tmp_path / "in" / "Empresas0.zip", month.cases[4].company
    other = f'"{company.root}";"ZZ OUTRO NOME";"2062";"49";"10,00";"01";""'.encode()
    write_content(path, content(path) + b"\n" + other)
    code, output = make_copy(tmp_path / "copy", "build", tmp_path / "in")
    assert code == 0
    assert "1 contradicted by others" in output
    record = record_of(current_file(tmp_path / "copy"), company.numbers()[0])
    assert isinstance(record, dict)
    assert record["razao_social"] == "ZZ OUTRO NOME"


@pytest.mark.parametrize(
    ("kind", "text"), [("Estabelecimentos", "rows that exist twice"), ("Socios", "rows of partners")]
)
def test_rows_that_are_twice_there(tmp_path, kind, text):
    month = publish(tmp_path / "in", companies(3, 40))
    path = tmp_path / "in" / f"{kind}0.zip"
    write_content(path, content(path) + b"\n" + content(path))
    code, output = make_copy(tmp_path / "copy", "build", tmp_path / "in")
    assert (code, text in output) == (1, True)
    assert output.endswith('ARGS="--accept repeated"\n')
    accept(tmp_path / "copy", tmp_path / "in", "repeated")
    assert_holds(tmp_path / "copy", month)


def test_other_names_are_not_accepted(tmp_path):
    assert make_copy(tmp_path, "build", tmp_path, "--accept", "all")[0] == 2

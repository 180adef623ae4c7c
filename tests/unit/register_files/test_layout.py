"""A month without defects, read by the rules of its layout alone."""

import csv
import zipfile
from collections import defaultdict
from datetime import date
from pathlib import Path

import pytest

from tests.register.company import companies
from tests.register.files import Month, write_month
from tests.register.layout import members, zips_of
from tests.register.rows import COMPANIES, ESTABLISHMENTS, KINDS, OPTIONS, PARTNERS, fields_of
from tests.register.tables import MISSING_COUNTRIES, MISSING_REASON
from tests.register.words import codes

DAY = date(2026, 9, 12)
COLUMNS = {COMPANIES: 7, ESTABLISHMENTS: 30, PARTNERS: 11, OPTIONS: 7}
ALL = list(companies(1, 400))


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Month:
    return write_month(tmp_path_factory.mktemp("month"), ALL, DAY)


def member(month: Month, name: str) -> bytes:
    with zipfile.ZipFile(month.folder / name) as file:
        (info,) = file.infolist()
        assert info.compress_type == zipfile.ZIP_DEFLATED
        return file.read(info)


def rows(month: Month, name: str) -> list[tuple[str, ...]]:
    text = member(month, name).decode("iso-8859-1")
    return [tuple(row) for row in csv.reader(text.splitlines(), delimiter=";", strict=True)]


def test_there_are_37_files_with_published_names(month: Month) -> None:
    assert len(members(DAY)) == 37
    assert sorted(path.name for path in month.folder.iterdir()) == sorted(members(DAY))
    for name, inside in members(DAY).items():
        with zipfile.ZipFile(month.folder / name) as file:
            assert file.namelist() == [inside]
    assert members(DAY)["Estabelecimentos3.zip"] == "K3241.K03200Y3.D60912.ESTABELE"
    assert members(DAY)["Simples.zip"] == "F.K03200$W.SIMPLES.CSV.D60912"
    assert members(DAY)["Municipios.zip"] == "F.K03200$Z.D60912.MUNICCSV"


def test_every_field_is_quoted_and_every_line_ends(month: Month) -> None:
    for name in members(DAY):
        data = member(month, name)
        assert data.endswith(b'"\n')
        assert all(line[:1] == line[-1:] == b'"' for line in data[:-1].split(b"\n"))


def test_rows_are_those_of_the_companies(month: Month) -> None:
    for kind in KINDS:
        written = [row for name in zips_of(kind) for row in rows(month, name)]
        assert {len(row) for row in written} == {COLUMNS[kind]}
        assert sorted(written) == sorted(row for company in ALL for row in fields_of(company, kind))
        assert sum(month.rows[name] for name in zips_of(kind)) == len(written)


def test_rows_of_one_root_are_in_many_files_in_no_order(month: Month) -> None:
    places: dict[str, set[str]] = defaultdict(set)
    for name in zips_of(PARTNERS):
        written = rows(month, name)
        assert written != sorted(written)
        for row in written:
            places[row[0]].add(name)
    assert max(map(len, places.values())) > 3


def test_the_tables_lack_what_the_published_ones_lack(month: Month) -> None:
    reasons, countries = dict(rows(month, "Motivos.zip")), dict(rows(month, "Paises.zip"))
    assert MISSING_REASON not in reasons
    assert codes("paises").keys() - countries.keys() == set(MISSING_COUNTRIES)
    assert len(MISSING_COUNTRIES) == 14
    assert dict(rows(month, "Cnaes.zip")) == codes("cnaes")


def test_the_same_arguments_give_the_same_bytes(month: Month, tmp_path: Path) -> None:
    write_month(tmp_path, ALL, DAY)
    for name in members(DAY):
        assert (tmp_path / name).read_bytes() == (month.folder / name).read_bytes()


def test_line_ends_can_be_others(month: Month, tmp_path: Path) -> None:
    other = write_month(tmp_path, ALL, DAY, line_end="\r\n", last_newline=False)
    for name in members(DAY):
        assert member(other, name) == member(month, name)[:-1].replace(b"\n", b"\r\n")
    assert other.rows == month.rows

"""Which files a month has, and of which day it is."""

from datetime import date
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.source_files import PublishedFile, open_month
from tests.register.files import write_member
from tests.register.layout import members


def a_month(folder: Path, day: date, **others: date) -> Path:
    """``others``: files whose members are of other days."""
    for name in members(day):
        own = others.get(name.removesuffix(".zip"), day)
        write_member(folder / name, members(own)[name], b"\n", day)
    return folder


@pytest.mark.parametrize("day", [date(2026, 9, 12), date(2020, 1, 31), date(2019, 12, 14), date(2024, 2, 29)])
def test_a_year_s_last_digit_is_that_of_the_last_such_year(tmp_path, day):
    assert open_month(a_month(tmp_path, day), today=date(2026, 11, 20)).day == day
    assert open_month(tmp_path, today=day).day == day


def test_files_of_several_days_are_named(tmp_path):
    folder = a_month(tmp_path, date(2026, 9, 12), Socios3=date(2026, 8, 15), Cnaes=date(2026, 8, 15))
    with pytest.raises(SnapshotError, match=r"2026-08-15: Cnaes\.zip, Socios3\.zip; 2026-09-12: 35 files"):
        open_month(folder, today=date(2026, 11, 20))


def test_the_same_content_of_another_day_is_another_month(tmp_path):
    today = date(2026, 11, 20)
    first, again, later = (
        open_month(a_month(tmp_path, day), today)
        for day in (date(2026, 9, 12), date(2026, 9, 12), date(2026, 10, 10))
    )
    assert first.id == again.id != later.id


def test_zips_made_again_and_unzipped_files_are_of_the_day_that_is_stated(tmp_path: Path) -> None:
    published, again, plain, named = (tmp_path / name for name in ("published", "again", "plain", "named"))
    for folder in (published, again, plain, named):
        folder.mkdir()
    day = date(2026, 9, 12)
    whole = open_month(a_month(published, day))
    for n, file in enumerate(whole.files):
        content = b"".join(file.pieces())
        with ZipFile(again / file.name, "w", (ZIP_STORED, ZIP_DEFLATED, ZIP_BZIP2)[n % 3]) as archive:
            archive.writestr(f"{file.kind}.csv", content)
        (plain / file.name.replace(".zip", (".csv", "", ".CSV")[n % 3])).write_bytes(content)
        (named / file.member).write_bytes(content)
    assert open_month(named).id == whole.id
    for folder in (again, plain):
        with pytest.raises(SnapshotError, match="37 files: state the month's with --day"):
            open_month(folder)
        month = open_month(folder, stated=day)
        assert (month.day, [(file.name, file.crc) for file in month.files]) == (
            day, [(file.name, file.crc) for file in whole.files]
        )  # fmt: skip
        assert [*map(b"".join, (file.pieces(1) for file in month.files))] == [b"\n"] * 37
    with pytest.raises(SnapshotError, match=r"2026-09-12: 37 files; 2026-10-10: --day"):
        open_month(published, stated=date(2026, 10, 10))
    with pytest.raises(SnapshotError, match="--day is in the future"):
        open_month(plain, today=day, stated=date(2026, 9, 13))


def test_an_unzipped_file_that_changes_is_reported(tmp_path: Path) -> None:
    (tmp_path / "Cnaes.csv").write_bytes(b'"1";"A"\n')
    file = PublishedFile("Cnaes.zip", tmp_path / "Cnaes.csv", "Cnaes.csv", 8, 0)
    with pytest.raises(SnapshotError, match=r"Cnaes\.csv has changed since the build began"):
        list(file.pieces())


def test_all_unusable_zips_are_reported_at_once(tmp_path):
    a_month(tmp_path, date(2026, 9, 12))
    cut = tmp_path / "Socios7.zip"
    cut.write_bytes(cut.read_bytes()[:-30])
    write_member(tmp_path / "Simples.zip", "SIMPLES.CSV", b"\n", date(2026, 9, 12))
    with ZipFile(tmp_path / "Motivos.zip", "w"):
        pass
    with pytest.raises(SnapshotError) as raised:
        open_month(tmp_path)
    assert str(raised.value).splitlines() == [
        "Motivos.zip has 0 members instead of one",
        "Socios7.zip is not a whole zip: File is not a zip file",
        "no day is in the name of Simples.zip: state the month's with --day 2026-11-14",
    ]

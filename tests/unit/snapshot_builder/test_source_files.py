"""Which files a month has, and of which day it is."""

from datetime import date
from pathlib import Path
from zipfile import ZipFile

import pytest

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.source_files import open_month
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
        "Simples.zip: the name of its member contains no day",
    ]

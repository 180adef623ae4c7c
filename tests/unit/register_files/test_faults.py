"""Each fault of a whole file shows in the folder, its zips or their members, and in that file alone."""

import csv
import zipfile
import zlib
from datetime import date
from io import StringIO
from pathlib import Path

import pytest

from tests.register.company import companies
from tests.register.faults import ALL
from tests.register.files import write_month
from tests.register.layout import members

DAY = date(2026, 9, 12)


def wrong(folder: Path) -> str:
    """What is wrong with a month, in a word; "" for nothing."""
    if {path.name for path in folder.iterdir()} != members(DAY).keys():
        return "files"
    widths: dict[str, set[int]] = {}
    for name, member in members(DAY).items():
        try:
            with zipfile.ZipFile(folder / name) as file:
                if file.namelist() != [member]:
                    return "members"
                text = file.read(member).decode("iso-8859-1")
        except (zipfile.BadZipFile, zlib.error):
            return "zip"
        widths[name] = {len(row) for row in csv.reader(StringIO(text), delimiter=";")}
    return "" if widths["Socios3.zip"] == widths["Socios4.zip"] else "rows"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_month(tmp_path, companies(1, 200), DAY)
    assert wrong(tmp_path) == ""
    return tmp_path


SHOWS = {
    "missing": "files",
    "unexpected": "files",
    "truncated": "zip",
    "wrong_crc": "zip",
    "damaged": "zip",
    "html": "zip",
    "empty": "zip",
    "of_another_day": "members",
    "no_member": "members",
    "two_members": "members",
    "empty_member": "rows",
    "of_another_kind": "rows",
}


@pytest.mark.parametrize("name", ALL)
def test_what_is_wrong_shows(folder: Path, name: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    ALL[name](folder, "Socios3.zip")
    assert wrong(folder) == SHOWS[name]
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert all(after[file] == data for file, data in before.items() if file != "Socios3.zip")

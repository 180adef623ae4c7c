from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from zipfile import BadZipFile

import pytest

from brskills_server.snapshot_builder.zips import is_readable, members_of
from tests.register.months import a_zip

ZIP = a_zip(10)
DIRECTORY = ZIP.index(b"PK\x01\x02")


def damaged(path: Path, **changed: int) -> Path:
    """The zip with other bytes in its directory, by the names that the format's description gives them."""
    content = bytearray(ZIP)
    for name, value in changed.items():
        content[DIRECTORY + {"version_needed": 6, "general_purpose_flag": 9, "file_name": 46}[name]] = value
    path.write_bytes(content)
    return path


def test_a_whole_zip_names_its_member(tmp_path: Path) -> None:
    whole = damaged(tmp_path / "a.zip")
    assert [member.filename for member in members_of(whole)] == ["MEMBER.D61010"]
    assert is_readable(whole)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"version_needed": 255}, id="of a format of the future"),
        pytest.param({"general_purpose_flag": 8, "file_name": 255}, id="a name that is not UTF-8"),
    ],
)
def test_whatever_is_wrong_with_a_directory_the_fault_is_one(tmp_path: Path, changed: dict[str, int]) -> None:
    spoilt = damaged(tmp_path / "a.zip", **changed)
    with pytest.raises(BadZipFile):
        members_of(spoilt)
    assert not is_readable(spoilt)


def test_no_damaged_byte_ends_in_another_exception(tmp_path: Path) -> None:
    for position in range(len(ZIP)):
        content = bytearray(ZIP)
        content[position] ^= 0xFF
        (tmp_path / "a.zip").write_bytes(content)
        with suppress(BadZipFile):
            members_of(tmp_path / "a.zip")

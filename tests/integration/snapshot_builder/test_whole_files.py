"""Broken files: the build ends with a reason, and the snapshot in place still answers."""

from __future__ import annotations

import shutil
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from brskills_server.adapters.snapshots.folder import FolderMonths
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.registry.snapshot.rows import record_text
from tests.integration.snapshot_builder.building import (
    DAY,
    NEXT_DAY,
    current_file,
    make_copy,
    publish,
    reads_as,
)
from tests.register import faults
from tests.register.company import companies
from tests.register.files import Month, write_member
from tests.register.layout import members

Fault = Callable[[Path, str], None]


class Kept(NamedTuple):
    """A copy in place, and the files of the month after."""

    folder: Path
    former: Month
    following: Month

    def assert_former_answers(self) -> None:
        expected = self.former.records()
        copy = StoredSnapshot(FolderMonths(self.folder))
        assert {
            number for number in expected if (found := copy.find(number)) and record_text(found)
        } == expected.keys()
        assert {number: reads_as(current_file(self.folder), number) for number in expected} == expected


@pytest.fixture(scope="module")
def months(tmp_path_factory) -> Kept:
    folder = tmp_path_factory.mktemp("months")
    registered = list(companies(5, 40))
    former = publish(folder / "former", registered[:35])
    following = publish(folder / "following", registered, NEXT_DAY)
    code, said = make_copy(folder / "copy", "build", former.folder)
    assert code == 0, said
    return Kept(folder / "copy", former, following)


@pytest.fixture
def kept(months, tmp_path) -> Kept:
    """Files and a copy to spoil."""
    shutil.copytree(months.folder, tmp_path / "copy")
    shutil.copytree(months.following.folder, tmp_path / "in")
    return Kept(tmp_path / "copy", months.former, months.following)


def of_one_byte(folder: Path, name: str) -> None:
    """100 MB without a line end."""
    write_member(folder / name, members(NEXT_DAY)[name], b"0" * 100_000_000, NEXT_DAY)


def only_rubbish(folder: Path, name: str) -> None:
    """Lines that are not rows."""
    write_member(folder / name, members(NEXT_DAY)[name], b"<p>busy</p>\n" * 500, NEXT_DAY)


def announced(size: int) -> Fault:
    """The zip announces another size of its member."""

    def spoil(folder: Path, name: str) -> None:
        with zipfile.ZipFile(folder / name) as archive:
            true = struct.pack("<I", archive.infolist()[0].file_size)
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data.replace(true, struct.pack("<I", size)))

    return spoil


ALL = faults.ALL | {"only_rubbish": only_rubbish}
OTHERS = {"of_one_byte": of_one_byte, "announced_small": announced(5), "announced_as_nothing": announced(0)}
NAMES = ("Socios0.zip", "Estabelecimentos7.zip", "Motivos.zip")
CASES = [(fault, NAMES[n % 3]) for n, fault in enumerate([*ALL, *OTHERS])]


@pytest.mark.parametrize(("fault", "name"), CASES)
def test_a_wrong_file_is_named(kept, tmp_path, fault, name):
    (ALL | OTHERS)[fault](tmp_path / "in", name)
    code, said = make_copy(kept.folder, "build", tmp_path / "in")
    assert code == 1
    assert name.removesuffix(".zip") in said.splitlines()[-1]
    kept.assert_former_answers()


def test_the_next_run_with_whole_files_succeeds(kept, tmp_path):
    """Files read before the damaged one are not used by the next run."""
    faults.damaged(tmp_path / "in", "Socios0.zip")
    assert make_copy(kept.folder, "build", tmp_path / "in")[0] == 1
    code, said = make_copy(kept.folder, "build", kept.following.folder)
    assert code == 0, said
    expected = kept.following.records()
    assert {number: reads_as(current_file(kept.folder), number) for number in expected} == expected
    assert sorted(path.name for path in kept.folder.iterdir()) == sorted(
        ["current", "lock", "work", DAY.isoformat(), NEXT_DAY.isoformat()]
    )
    assert not any((kept.folder / "work").iterdir())


def test_a_member_that_is_announced_as_huge_is_refused(kept, tmp_path):
    announced(0xFFFFFFF0)(tmp_path / "in", "Simples.zip")
    code, said = make_copy(kept.folder, "build", tmp_path / "in")
    assert (code, "its member would have 4,294,967,280 bytes" in said) == (1, True)
    kept.assert_former_answers()


def test_a_disk_with_too_little_space_is_not_filled(kept, tmp_path):
    usage = shutil.disk_usage(tmp_path)._replace(free=10_000)
    with patch("shutil.disk_usage", return_value=usage):
        code, said = make_copy(kept.folder, "build", tmp_path / "in")
    assert (code, "of disk are needed" in said) == (1, True)
    kept.assert_former_answers()


def test_a_file_under_the_name_of_another(kept, tmp_path):
    shutil.copy(tmp_path / "in" / "Empresas0.zip", tmp_path / "in" / "Empresas3.zip")
    code, said = make_copy(kept.folder, "build", tmp_path / "in")
    assert (code, said) == (1, "Empresas3.zip has the same content as Empresas0.zip\n")

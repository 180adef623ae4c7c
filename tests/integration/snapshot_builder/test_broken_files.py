"""Broken files: the build ends with a reason, and the snapshot in place still answers."""

import shutil
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from brskills_server.adapters.snapshots.folder import FolderMonths
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.registry.snapshot.rows import record_text
from tests.integration.snapshot_builder.building import (
    LATER_DAY,
    NEXT_DAY,
    assert_holds,
    build,
    content,
    failure,
    write_content,
)
from tests.register import faults
from tests.register.files import Month

Fault = Callable[[Path, str], None]


def content_of(data: bytes) -> Fault:
    """Give the zip another content."""
    return lambda folder, name: write_content(folder / name, data, LATER_DAY)


def with_long_line(folder: Path, name: str) -> None:
    row = b'"99999999";"' + b"A" * 15_000_000 + b'";"2062";"49";"1000,00";"01";""\n'
    write_content(folder / name, content(folder / name).rstrip(b"\n") + b"\n" + row, LATER_DAY)


def announced(size: int) -> Fault:
    """Announce another size of the zip's member."""

    def spoil(folder: Path, name: str) -> None:
        with zipfile.ZipFile(folder / name) as archive:
            true = struct.pack("<I", archive.infolist()[0].file_size)
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data.replace(true, struct.pack("<I", size)))

    return spoil


def copy_of(other: str) -> Fault:
    return lambda folder, name: shutil.copy(folder / other, folder / name) and None


NAMES = ("Socios0", "Estabelecimentos0", "Motivos")
CASES = {
    **{name: (fault, NAMES[n % 3], NAMES[n % 3]) for n, (name, fault) in enumerate(faults.ALL.items())},
    "one byte 100 million times": (content_of(b"0" * 100_000_000), "Socios0", "Socios0"),
    "no rows": (content_of(b"<p>busy</p>\n" * 500), "Estabelecimentos7", "Estabelecimentos7"),
    "announced small": (announced(5), "Motivos", "Motivos"),
    "announced as nothing": (announced(0), "Socios0", "Socios0"),
    "announced large": (announced(16_000_000), "Empresas0", "Empresas0.zip is"),
    "announced huge": (announced(0xFFFFFFF0), "Simples", "its member would have 4,294,967,280 bytes"),
    "a long line": (with_long_line, "Empresas0", "Empresas0.zip has a line of more than 131,072 bytes"),
    "a copy": (copy_of("Empresas0.zip"), "Empresas3", "Empresas3.zip has the same content as Empresas0.zip"),
}


@pytest.fixture
def source(months: list[Month], tmp_path: Path) -> Path:
    """Return files of November to spoil."""
    return shutil.copytree(months[2].folder, tmp_path / "in")


@pytest.mark.parametrize("case", CASES)
def test_a_broken_file_is_reported(folder, source, months, case):
    spoil, name, reason = CASES[case]
    spoil(source, f"{name}.zip")
    assert reason in failure(folder, source)
    assert_holds(folder, months[1])
    snapshot = StoredSnapshot(FolderMonths(folder))
    assert all((found := snapshot.find(number)) and record_text(found) for number in months[1].records())


def test_the_next_run_with_whole_files_succeeds(folder, source, months):
    """Files read before the damaged one are not used by the next run."""
    faults.damaged(source, "Socios0.zip")
    failure(folder, source)
    build(folder, months[2].folder)
    assert_holds(folder, months[2])
    kept = {"current", "history", "lock", "work", str(NEXT_DAY), str(LATER_DAY)}
    assert {path.name for path in folder.iterdir()} == kept
    assert not any((folder / "work").iterdir())


def test_a_disk_with_too_little_space_is_not_filled(folder, source, months):
    usage = shutil.disk_usage(source)._replace(free=10_000)
    with patch("shutil.disk_usage", return_value=usage):
        assert "of disk are needed" in failure(folder, source)
    assert_holds(folder, months[1])

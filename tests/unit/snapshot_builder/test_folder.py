from __future__ import annotations

from pathlib import Path

import pytest

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.sources.fetch import Fetched, fetch
from brskills_server.snapshot_builder.sources.month import NAMES
from tests.register.months import read_month, write_month


def reasons_of(folder: Path) -> tuple[str, ...]:
    with pytest.raises(SnapshotError) as raised:
        fetch(str(folder), folder / "never-used")
    assert str(folder) not in str(raised.value)
    return raised.value.reasons


def test_a_folder_with_the_files_is_used_in_place(tmp_path: Path) -> None:
    write_month(tmp_path / "here")
    before = read_month(tmp_path / "here")
    fetched = fetch(str(tmp_path / "here"), tmp_path / "into")
    assert fetched == Fetched(tmp_path / "here", {name: (len(before[name]), None) for name in NAMES}, False)
    assert read_month(tmp_path / "here") == before
    assert not (tmp_path / "into").exists()


def test_all_that_is_wrong_with_a_folder_is_reported_at_once(tmp_path: Path) -> None:
    write_month(tmp_path / "here", without=["Simples.zip", "Cnaes.zip"])
    (tmp_path / "here" / "Empresas0 (1).zip").write_bytes(b"PK")
    (tmp_path / "here" / "Paises.zip").write_bytes(b"")
    assert reasons_of(tmp_path / "here") == (
        "the folder: missing: Simples.zip, Cnaes.zip",
        "the folder: empty: Paises.zip",
        "the folder: unexpected: Empresas0 (1).zip",
    )


def test_of_several_months_the_newest_whole_one_is_used(tmp_path: Path) -> None:
    write_month(tmp_path / "2025-12")
    write_month(tmp_path / "2026-09")
    write_month(tmp_path / "2026-10", without=["Socios0.zip"])
    write_month(tmp_path / "newest")
    (tmp_path / "2026-11").write_bytes(b"not a folder")
    fetched = fetch(str(tmp_path), tmp_path / "into")
    assert fetched.folder == tmp_path / "2026-09"
    assert fetched.notes == ("2026-10: missing: Socios0.zip",)


@pytest.mark.parametrize("name", ["absent", "file"])
def test_what_is_not_a_folder_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert reasons_of(tmp_path / name) == (
        "the source is neither a folder nor an address with http:// or https://",
    )

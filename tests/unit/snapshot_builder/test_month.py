"""The files of a month, what a folder lacks of them, and months in local folders."""

import asyncio
from datetime import date
from pathlib import Path

import pytest

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.sources.fetch import Fetched, fetch
from brskills_server.snapshot_builder.sources.listing import Folder, Listed
from brskills_server.snapshot_builder.sources.month import NAMES, month_issues, newest_month, published_names
from tests.for_each import for_each
from tests.register.layout import members
from tests.register.months import read_month, write_month

WHOLE = dict.fromkeys(NAMES, 1)


def folder(sizes: dict[str, int], *folders: str) -> Folder:
    return Folder({name: Listed(size, None, None) for name, size in sizes.items()}, frozenset(folders))


def test_a_month_has_37_files() -> None:
    assert len(NAMES) == 37
    assert {"Empresas0.zip", "Estabelecimentos9.zip", "Socios5.zip", "Simples.zip", "Cnaes.zip"} <= {*NAMES}


def test_all_issues_are_listed_and_other_files_than_zips_ignored() -> None:
    others = {"leia-me.pdf": 0, "Socios1.zip.part": 7, "cnpj.tar.gz": 9, "Lucro Real.zip": 8}
    assert month_issues("x", folder(WHOLE | others)) == []
    sizes = WHOLE | others | {"Simples.zip": 0, "EMPRESAS0.ZIP": 5, "Socios10.zip": 5}
    sizes |= {"Estabelecimentos0 (1).zip": 5, "K3241.K03200Y0.D60912.ESTABELE.zip": 5}
    del sizes["Paises.zip"], sizes["Empresas3.zip"]
    sizes |= {"K3241.K03200Y10.D20911.ESTABELE.zip": 5, "F.K03200$Z.CNAECSV.zip": 5}
    assert month_issues("2026-10", folder(sizes)) == [
        "2026-10: missing: Empresas3.zip, Paises.zip",
        "2026-10: empty: Simples.zip",
        "2026-10: twice: Estabelecimentos0.zip, K3241.K03200Y0.D60912.ESTABELE.zip",
        "2026-10: unexpected: EMPRESAS0.ZIP, Estabelecimentos0 (1).zip, F.K03200$Z.CNAECSV.zip,"
        " K3241.K03200Y10.D20911.ESTABELE.zip, Socios10.zip",
    ]


def test_names_before_2023_are_those_of_the_members() -> None:
    old = {f"{member}.zip": [name] for name, member in members(date(2022, 9, 11)).items()}
    assert published_names(old) == {name: [published] for published, (name,) in old.items()}
    assert month_issues("2022-09", folder(dict.fromkeys(old, 1))) == []
    days = ["K3241.K03200Y0.D20911.ESTABELE.zip", "K3241.K03200Y0.D20814.ESTABELE.zip"]
    assert month_issues("2022-09", folder(dict.fromkeys([*old, *days], 1))) == [
        f"2022-09: twice: {', '.join(sorted(days))}"
    ]


def test_zips_of_other_data_are_named_and_left_aside(tmp_path: Path) -> None:
    write_month(tmp_path / "here")
    for name in ("Lucro Real.zip", "Imunes e isentas.zip"):
        (tmp_path / "here" / name).write_bytes(b"not of the register")
    fetched = fetch(str(tmp_path / "here"), tmp_path / "into")
    assert fetched
    assert fetched.notes == ("not of the register, left aside: Imunes e isentas.zip, Lucro Real.zip",)


def test_names_of_a_server_are_cleaned_and_limited() -> None:
    (issue,) = month_issues("x", folder(WHOLE | {f"Socios\x1b]0;{n}\n{'é' * 99}.zip": 1 for n in range(50)}))
    assert issue.isascii()
    assert issue.isprintable()
    assert issue.endswith(", and 13 more")
    assert len(issue) < 3000


@for_each("name", ["2026-13", "2026-00", "2026-1", "202610", "2026-10-01", "٢٠٢٦-10", "../2026-10", ""])
def test_only_folders_named_as_months_are_listed(name: str) -> None:
    async def list_folder(path: str) -> Folder:
        assert path == ""
        return folder({"simples.zip": 1, "cnpj.tar.gz": 1}, name)

    with pytest.raises(SnapshotError, match="neither a month's files nor folders named as 2026-10"):
        asyncio.run(newest_month("the share", list_folder))


def test_a_local_folder_with_the_files_is_used_in_place(tmp_path: Path) -> None:
    write_month(tmp_path / "here")
    before = read_month(tmp_path / "here")
    fetched = fetch(str(tmp_path / "here"), tmp_path / "into")
    assert fetched == Fetched(tmp_path / "here", {})
    assert read_month(tmp_path / "here") == before
    assert not (tmp_path / "into").exists()


def test_of_several_local_months_the_newest_whole_one_is_used(tmp_path: Path) -> None:
    for name, without in (("2025-12", ""), ("2026-09", ""), ("2026-10", "Socios0.zip"), ("newest", "")):
        write_month(tmp_path / name, without=[without])
    (tmp_path / "2026-11").write_bytes(b"not a folder")
    fetched = fetch(str(tmp_path), tmp_path / "into")
    assert fetched
    assert fetched.folder == tmp_path / "2026-09"
    assert fetched.notes == ("2026-10: missing: Socios0.zip",)


@pytest.mark.parametrize("name", ["absent", "file"])
def test_other_paths_are_rejected(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(
        SnapshotError, match=rf"^{tmp_path}/{name} is neither a folder nor an address with http://"
    ):
        fetch(str(tmp_path / name), tmp_path / "into")

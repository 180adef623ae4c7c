"""The files of a month, and what a folder lacks of them."""

import asyncio

import pytest

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.sources.listing import Folder, Listed
from brskills_server.snapshot_builder.sources.month import NAMES, month_issues, newest_month

WHOLE = dict.fromkeys(NAMES, 1)


def folder(sizes: dict[str, int], *folders: str) -> Folder:
    return Folder({name: Listed(size, None, None) for name, size in sizes.items()}, frozenset(folders))


def test_a_month_has_37_files() -> None:
    assert len(NAMES) == 37
    assert {"Empresas0.zip", "Estabelecimentos9.zip", "Socios5.zip", "Simples.zip", "Cnaes.zip"} <= {*NAMES}


def test_other_files_than_zips_are_ignored() -> None:
    whole = folder(WHOLE | {"leia-me.pdf": 0, "Socios1.zip.part": 7, "cnpj.tar.gz": 9})
    assert month_issues("x", whole) == []


def test_all_issues_are_listed() -> None:
    sizes = WHOLE | {"Simples.zip": 0, "EMPRESAS0.ZIP": 5, "Socios10.zip": 5}
    del sizes["Paises.zip"], sizes["Empresas3.zip"]
    assert month_issues("2026-10", folder(sizes)) == [
        "2026-10: missing: Empresas3.zip, Paises.zip",
        "2026-10: empty: Simples.zip",
        "2026-10: unexpected: EMPRESAS0.ZIP, Socios10.zip",
    ]


def test_names_of_a_server_are_cleaned_and_limited() -> None:
    (issue,) = month_issues("x", folder(WHOLE | {f"\x1b]0;{n}\n{'é' * 99}.zip": 1 for n in range(50)}))
    assert issue.isascii()
    assert issue.isprintable()
    assert issue.endswith(", and 13 more")
    assert len(issue) < 3000


@pytest.mark.parametrize(
    "name", ["2026-13", "2026-00", "2026-1", "202610", "2026-10-01", "٢٠٢٦-10", "../2026-10", ""]
)
def test_only_folders_named_as_months_are_listed(name: str) -> None:
    async def list_folder(path: str) -> Folder:
        assert path == ""
        return folder({"simples.zip": 1, "cnpj.tar.gz": 1}, name)

    with pytest.raises(SnapshotError, match="neither a month's files nor folders named as 2026-10"):
        asyncio.run(newest_month("the share", list_folder))

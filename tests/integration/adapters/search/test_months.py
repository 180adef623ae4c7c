"""Searches while months come and go, and months whose index is missing, another's or damaged."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from brskills_server.adapters.search import search_file
from brskills_server.adapters.search.folder import FolderSearch
from brskills_server.adapters.search.search_file import SEARCH_FILE
from brskills_server.adapters.snapshots.folder import CURRENT, FILE
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.register_search import EditionGone, Page, TooMuchWork
from brskills_server.registry.store import StoreFault
from tests.integration.adapters.search.conftest import numbers
from tests.integration.snapshot_builder.building import LATER_DAY, NEXT_DAY

ALL = Criteria()


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    """Return a copy of the folder, with October and November."""
    return shutil.copytree(kept, tmp_path / "copy")


def found(page: Page | None) -> list[str]:
    assert page
    return [company.cnpj for company in page.companies]


def put_in_place(folder: Path, *names: object) -> None:
    (folder / CURRENT).write_text("".join(f"{name}\n" for name in names))


def test_a_month_is_deleted_with_its_index(folder: Path) -> None:
    files = sorted(str(path.relative_to(folder)) for path in folder.glob("2026*/*.db"))
    assert files == [f"{day}/{file}" for day in (NEXT_DAY, LATER_DAY) for file in (FILE, SEARCH_FILE)]


def test_without_a_month_or_its_index_there_is_no_search(folder: Path, tmp_path: Path) -> None:
    assert FolderSearch(tmp_path / "none").search(ALL, "", 10) is None
    assert FolderSearch(tmp_path / "none").near_words(["SILVO"]) == []
    (folder / f"{LATER_DAY}" / SEARCH_FILE).unlink()
    search = FolderSearch(folder)
    assert search.search(ALL, "", 10) is None
    assert search.search(ALL, "", 10, "another") is None
    assert search.near_words(["SILVO"]) == []


def test_the_index_of_another_build_is_none(folder: Path) -> None:
    shutil.copy(folder / f"{NEXT_DAY}" / SEARCH_FILE, folder / f"{LATER_DAY}" / SEARCH_FILE)
    assert FolderSearch(folder).search(ALL, "", 10) is None


def test_pages_continue_in_the_month_of_the_first_while_it_is_kept(folder: Path) -> None:
    put_in_place(folder, NEXT_DAY)
    search = FolderSearch(folder)
    first = search.search(ALL, "", 3)
    assert first
    assert first.edition.day == NEXT_DAY
    put_in_place(folder, LATER_DAY, NEXT_DAY)
    following = search.search(ALL, found(first)[-1], 100, first.edition.id)
    assert found(first) + found(following) == numbers(folder, f"{NEXT_DAY}")
    assert found(search.search(ALL, "", 100)) == numbers(folder, f"{LATER_DAY}")
    put_in_place(folder, LATER_DAY)
    with pytest.raises(EditionGone):
        search.search(ALL, found(first)[-1], 100, first.edition.id)


def test_a_month_that_is_replaced_under_its_name_is_read_anew(folder: Path) -> None:
    search = FolderSearch(folder)
    assert found(search.search(ALL, "", 100)) == numbers(folder, f"{LATER_DAY}")
    shutil.rmtree(folder / f"{LATER_DAY}")
    shutil.copytree(folder / f"{NEXT_DAY}", folder / f"{LATER_DAY}")
    assert found(search.search(ALL, "", 100)) == numbers(folder, f"{NEXT_DAY}")


def _pages(folder: Path, table: str) -> Iterator[int]:
    with closing(sqlite3.connect(folder / f"{LATER_DAY}" / SEARCH_FILE)) as connection:
        yield from (one for (one,) in connection.execute("SELECT pageno FROM dbstat WHERE name = ?", [table]))


@pytest.mark.parametrize("table", ["sqlite_schema", "documents_data", "numbers", "facts"])
def test_a_damaged_table_is_a_fault(folder: Path, table: str) -> None:
    with (folder / f"{LATER_DAY}" / SEARCH_FILE).open("r+b") as file:
        for page in _pages(folder, table):
            file.seek((page - 1) * 4096)
            file.write(b"\x55" * 4096)
    with pytest.raises(StoreFault):
        FolderSearch(folder).search(ALL, "", 10)


@pytest.mark.parametrize("size", [0, 100, 4096, 20_000])
def test_a_file_that_was_cut_is_a_fault(folder: Path, size: int) -> None:
    with (folder / f"{LATER_DAY}" / SEARCH_FILE).open("r+b") as file:
        file.truncate(size)
    with pytest.raises(StoreFault):
        FolderSearch(folder).search(ALL, "", 10)


def test_companies_that_the_month_lacks_are_a_fault(folder: Path) -> None:
    with closing(sqlite3.connect(folder / f"{LATER_DAY}" / FILE)) as connection, connection:
        connection.execute("DELETE FROM rows WHERE length(key) = 14")
    with pytest.raises(StoreFault):
        FolderSearch(folder).search(ALL, "", 10)


@pytest.mark.parametrize(
    ("limit", "failure", "text"),
    [("_SECONDS", StoreFault, "interrupted"), ("_WORK_SECONDS", TooMuchWork, "^$")],
)
def test_a_search_that_waits_or_works_too_long_ends_and_the_next_one_is_answered(
    folder: Path, monkeypatch: pytest.MonkeyPatch, limit: str, failure: type[Exception], text: str
) -> None:
    search = FolderSearch(folder)
    assert search.search(ALL, "", 10)
    monkeypatch.setattr(search_file, limit, -1)
    monkeypatch.setattr(search_file, "_CHECKED_EVERY", 1)
    with pytest.raises(failure, match=text):
        search.search(ALL, "", 10)
    monkeypatch.undo()
    assert search.search(ALL, "", 10)

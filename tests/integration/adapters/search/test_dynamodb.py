"""Searches beside months in DynamoDB: the function with the indexes, and what it lacks."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from brskills_server.adapters.search import search_file
from brskills_server.adapters.search.dynamodb import DynamoSearch
from brskills_server.adapters.snapshots.dynamodb import DynamoMonths
from brskills_server.adapters.snapshots.stored import Month
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.register_search import EditionGone, Page, TooMuchWork
from brskills_server.runtime.search_function import SearchFailed
from brskills_server.snapshot_builder.destinations.dynamodb import DynamoDestination
from brskills_server.snapshot_builder.destinations.index_files import IndexFiles
from brskills_server.snapshot_builder.destinations.table_fillers import BatchFiller
from brskills_server.snapshot_builder.errors import SnapshotError
from tests.integration.adapters.search.conftest import numbers
from tests.integration.snapshot_builder.building import LATER_DAY, NEXT_DAY
from tests.services.search_function import FunctionHere
from tests.services.tables import new_table

ALL = Criteria()
OCTOBER, NOVEMBER = str(NEXT_DAY), str(LATER_DAY)


class Deployed:
    """A builder with a folder of indexes, and the search over what it published."""

    def __init__(self, client: Any, months: Path, folder: Path) -> None:
        self.months, self.folder = months, folder
        companies, prefix, filler = new_table(client, "Companies"), f"t-{uuid4().hex}", BatchFiller(client)
        self._months = DynamoMonths(client, companies)
        self.place = DynamoDestination(client, companies, prefix, filler, 0.01, 0, IndexFiles(folder))
        self.bare = DynamoDestination(client, companies, prefix, filler, 0.01, 0)
        self.search = self.with_function(f"{prefix}-search")

    def with_function(self, name: str) -> DynamoSearch:
        return DynamoSearch(self._months, FunctionHere(name, self.folder))

    def month(self) -> Month:
        """Return the month in place."""
        found = self._months.in_place(None)
        assert found
        return found

    def publish(self, name: str, *, indexed: bool = True) -> None:
        place = self.place if indexed else self.bare
        place.add(self.months / name / "companies.db", name, lambda _: None)
        place.switch(name)


@pytest.fixture
def deployed(client: Any, kept: Path, tmp_path: Path) -> Deployed:
    folder = tmp_path / "indexes"
    folder.mkdir()
    return Deployed(client, kept, folder)


def found(page: Page | None) -> list[str]:
    assert page
    return [company.cnpj for company in page.companies]


def test_a_month_without_an_index_or_a_function_has_no_search(deployed: Deployed) -> None:
    assert deployed.search.search(ALL, "", 10) is None
    deployed.publish(OCTOBER, indexed=False)
    assert deployed.search.search(ALL, "", 10, "another") is None
    assert deployed.search.near_words(["SILVO"]) == []
    deployed.publish(NOVEMBER)
    assert found(deployed.search.search(ALL, "", 100)) == numbers(deployed.months, NOVEMBER)
    assert deployed.with_function("another").search(ALL, "", 10) is None
    next(deployed.folder.iterdir()).unlink()
    assert deployed.with_function(deployed.month().search).search(ALL, "", 10) is None


def test_searches_follow_the_month_in_place_there_and_back(deployed: Deployed) -> None:
    deployed.publish(OCTOBER)
    first = deployed.search.search(ALL, "", 3)
    assert first
    deployed.publish(NOVEMBER)
    assert found(deployed.search.search(ALL, "", 100)) == numbers(deployed.months, NOVEMBER)
    with pytest.raises(EditionGone):
        deployed.search.search(ALL, found(first)[-1], 100, first.edition.id)
    deployed.place.switch(OCTOBER)
    following = deployed.search.search(ALL, found(first)[-1], 100, first.edition.id)
    assert found(first) + found(following) == numbers(deployed.months, OCTOBER)


def test_the_indexes_are_those_of_the_tables_with_large_pages(deployed: Deployed) -> None:
    (deployed.folder / "growing").write_bytes(b"left by a builder that was killed")
    (deployed.folder / "0123.db").write_bytes(b"of a month whose table is gone")
    for name in (OCTOBER, NOVEMBER):
        deployed.publish(name)
    files = sorted(deployed.folder.iterdir())
    assert sorted(file.stem for file in files) == sorted(item["id"] for item in deployed.place._kept())
    for file in files:
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("PRAGMA page_size").fetchone() == (65_536,)


def test_an_index_that_cannot_be_written_ends_the_build(deployed: Deployed, tmp_path: Path) -> None:
    deployed.folder.rmdir()
    with pytest.raises(SnapshotError, match="index"):
        deployed.publish(OCTOBER)
    assert deployed.place.snapshots() == []


def test_a_damaged_index_is_an_error_whose_text_has_nothing_of_the_search(deployed: Deployed) -> None:
    deployed.publish(OCTOBER)
    (file,) = deployed.folder.iterdir()
    file.write_bytes(b"\x55" * 65_536)
    with pytest.raises(SearchFailed, match=r"^DatabaseError$") as failed:
        deployed.search.search(Criteria(names=(("PADARIA",),)), "", 10)
    assert failed.value.__suppress_context__


def test_what_is_too_much_work_for_the_function_is_so_here(
    deployed: Deployed, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployed.publish(OCTOBER)
    assert deployed.search.search(ALL, "", 10)
    monkeypatch.setattr(search_file, "_WORK_SECONDS", -1)
    monkeypatch.setattr(search_file, "_CHECKED_EVERY", 1)
    for ask in (lambda: deployed.search.search(ALL, "", 10), lambda: deployed.search.near_words(["SILVO"])):
        with pytest.raises(TooMuchWork):
            ask()


def test_companies_that_the_table_lacks_are_a_fault(deployed: Deployed, client: Any) -> None:
    deployed.publish(OCTOBER)
    table = deployed.month().table
    client.delete_item(TableName=table, Key={"pk": {"S": numbers(deployed.months, OCTOBER)[0]}})
    with pytest.raises(ValueError, match="does not have"):
        deployed.search.search(ALL, "", 10)


def test_a_row_that_is_too_long_is_left_out(deployed: Deployed, client: Any) -> None:
    deployed.publish(OCTOBER)
    first, *others = numbers(deployed.months, OCTOBER)
    empty = {"pk": {"S": first}, "body": {"S": ""}}
    client.put_item(TableName=deployed.month().table, Item=empty)
    assert found(deployed.search.search(ALL, "", 100)) == others

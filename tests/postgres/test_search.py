"""Searches in PostgreSQL while months come and go."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from brskills_server.adapters.postgresql import PostgresDatabase
from brskills_server.adapters.search import postgresql
from brskills_server.adapters.search.postgresql import PostgresSearch
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.register_search import EditionGone, Page, TooMuchWork
from brskills_server.registry.store import StoreFault
from brskills_server.snapshot_builder.destinations.postgresql import PostgresDestination
from tests.integration.adapters.copies.months import CNPJ, write_file
from tests.integration.snapshot_builder.building import DAY, NEXT_DAY, build, publish
from tests.register.company import companies

ALL = Criteria()


def found(page: Page | None) -> list[str]:
    assert page
    return [company.cnpj for company in page.companies]


def test_pages_continue_in_the_month_of_the_first_while_it_is_kept(url: str, tmp_path: Path) -> None:
    some, place = list(companies(3, 8)), PostgresDestination(url)
    search = PostgresSearch(PostgresDatabase(url, 5, 2))
    assert search.search(ALL, "", 3) is None
    months = [publish(tmp_path / f"{day}", some[n:], day) for n, day in enumerate((DAY, NEXT_DAY))]
    for month in months:
        file = build(tmp_path / "copy", month.folder)
        place.add(file, file.parent.name, lambda _: None)
    place.switch(f"{DAY}")
    first = search.search(ALL, "", 3)
    assert first
    place.switch(f"{NEXT_DAY}")
    following = search.search(ALL, found(first)[-1], 100, first.edition.id)
    assert found(first) + found(following) == sorted(months[0].records())
    assert found(search.search(ALL, "", 100)) == sorted(months[1].records())
    place.remove(f"{DAY}")
    with pytest.raises(EditionGone):
        search.search(ALL, "", 3, first.edition.id)
    with psycopg.connect(url) as connection:
        tables = connection.execute(
            "SELECT tablename FROM pg_tables WHERE tablename LIKE '%2026%'"
        ).fetchall()
    name = f"{NEXT_DAY}".replace("-", "_")
    assert {table for (table,) in tables} == {
        f"register_{name}",
        f"search_{name}",
        f"search_words_{name}",
    }


def test_a_month_without_an_index_has_no_search(url: str, tmp_path: Path) -> None:
    place = PostgresDestination(url)
    place.add(write_file(tmp_path / "month.db", {CNPJ: "x"}), f"{DAY}", lambda _: None)
    place.switch(f"{DAY}")
    search = PostgresSearch(PostgresDatabase(url, 5, 2))
    assert search.search(ALL, "", 10) is None
    assert search.near_words(["PADARIA"]) == []


def test_words_of_another_format_are_no_index(url: str, tmp_path: Path) -> None:
    month, place = publish(tmp_path / "in", list(companies(3, 8))), PostgresDestination(url)
    place.add(build(tmp_path / "copy", month.folder), f"{DAY}", lambda _: None)
    place.switch(f"{DAY}")
    search = PostgresSearch(PostgresDatabase(url, 5, 2))
    assert found(search.search(ALL, "", 100)) == sorted(month.records())
    for comment in ("'2'", "NULL"):
        with psycopg.connect(url) as owner:
            owner.execute(f"COMMENT ON TABLE search_{DAY:%Y_%m_%d} IS {comment}".encode())
        assert search.search(ALL, "", 100) is None


@pytest.mark.parametrize(("slow", "failure"), [("SEARCH", TooMuchWork), ("VALUES", StoreFault)])
def test_a_search_that_takes_too_long_is_too_much_work_where_the_server_is_well(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slow: str, failure: type[Exception]
) -> None:
    month, place = publish(tmp_path / "in", list(companies(3, 8))), PostgresDestination(url)
    place.add(build(tmp_path / "copy", month.folder), f"{DAY}", lambda _: None)
    place.switch(f"{DAY}")
    search = PostgresSearch(PostgresDatabase(url, 1, 2))
    statement = getattr(postgresql, slow)
    monkeypatch.setattr(postgresql, slow, statement.replace("SELECT", "SELECT pg_sleep(9),", 1))
    with pytest.raises(failure):
        search.search(ALL, "", 10)
    monkeypatch.undo()
    assert search.search(ALL, "", 10)


@pytest.mark.parametrize("table", ["search", "register", "search_words"])
def test_a_month_that_is_locked_is_a_fault(url: str, tmp_path: Path, table: str) -> None:
    month, place = publish(tmp_path / "in", list(companies(3, 8))), PostgresDestination(url)
    place.add(build(tmp_path / "copy", month.folder), f"{DAY}", lambda _: None)
    place.switch(f"{DAY}")
    search = PostgresSearch(PostgresDatabase(url, 1, 2))
    with psycopg.connect(url) as other:
        other.execute(f"LOCK TABLE {table}_{DAY:%Y_%m_%d} IN ACCESS EXCLUSIVE MODE".encode())
        with pytest.raises(StoreFault, match="QueryCanceled"):
            search.search(ALL, "", 10)

"""Every engine of the search over one month of some thousand companies."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from brskills_server.adapters.postgresql import PostgresDatabase
from brskills_server.adapters.search.dynamodb import DynamoSearch
from brskills_server.adapters.search.folder import FolderSearch
from brskills_server.adapters.search.postgresql import PostgresSearch
from brskills_server.adapters.snapshots.dynamodb import DynamoMonths
from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.adapters.snapshots.stored import Month as StoredMonth
from brskills_server.registry.search.register_search import RegisterSearch
from brskills_server.snapshot_builder.destinations.dynamodb import DynamoDestination
from brskills_server.snapshot_builder.destinations.index_files import IndexFiles
from brskills_server.snapshot_builder.destinations.postgresql import PostgresDestination
from brskills_server.snapshot_builder.destinations.table_fillers import BatchFiller
from tests.integration.snapshot_builder.building import (
    DAY,
    LATER_DAY,
    NEXT_DAY,
    build,
    make_copy,
    publish,
    rows_of,
)
from tests.register.company import companies
from tests.register.defects import ALL, spread
from tests.register.matching import Registered, registered
from tests.services.postgres import Server
from tests.services.search_function import FunctionHere
from tests.services.tables import new_table


class Month(NamedTuple):
    """The folder of a snapshot with its index, its rows, and the establishments that can be found."""

    folder: Path
    file: Path
    rows: dict[str, str]
    registered: list[Registered]


@pytest.fixture(scope="session")
def month(tmp_path_factory: pytest.TempPathFactory) -> Month:
    """Build a month of some thousand companies, some with every kind of defect."""
    folder = tmp_path_factory.mktemp("search")
    some = list(companies(5, 3_000, step=11))
    published = publish(folder / "in", some, defects=spread(ALL.values(), some, 5))
    file = build(folder / "copy", published.folder)
    rows = rows_of(file)
    return Month(folder / "copy", file, rows, list(registered(rows)))


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build three months, each with a company fewer than the one before, so that two of them are kept."""
    folder, some = tmp_path_factory.mktemp("kept"), list(companies(3, 12))
    for number, day in enumerate((DAY, NEXT_DAY, LATER_DAY)):
        month = publish(folder / f"{day}", some[number:], day)
        code, output = make_copy(folder / "copy", "build", month.folder)
        assert code == 0, output
    return folder / "copy"


def numbers(folder: Path, name: str) -> list[str]:
    with closing(sqlite3.connect(folder / name / FILE)) as connection:
        return [
            key for (key,) in connection.execute("SELECT key FROM rows WHERE length(key) = 14 ORDER BY key")
        ]


def in_folder(request: pytest.FixtureRequest) -> RegisterSearch:
    month: Month = request.getfixturevalue("month")
    return FolderSearch(month.folder)


class ReadOnce(DynamoMonths):
    """Months whose place and rows are read once: moto takes tens of milliseconds for those of a page."""

    def __init__(self, client: Any, companies_table: str) -> None:
        super().__init__(client, companies_table)
        self._known: dict[str, str] = {}
        self._month: StoredMonth | None = None

    def in_place(self, known: StoredMonth | None) -> StoredMonth | None:
        self._month = self._month or super().in_place(known)
        return self._month

    def bodies(self, table: str, keys: Sequence[str]) -> dict[str, str]:
        if missing := [key for key in keys if key not in self._known]:
            self._known |= super().bodies(table, missing)
        return {key: self._known[key] for key in keys if key in self._known}


def in_dynamodb(request: pytest.FixtureRequest) -> RegisterSearch:
    month: Month = request.getfixturevalue("month")
    client = request.getfixturevalue("client")
    folder: Path = request.getfixturevalue("tmp_path_factory").mktemp("indexes")
    companies, prefix = new_table(client, "Companies"), f"t-{uuid4().hex}"
    place = DynamoDestination(client, companies, prefix, BatchFiller(client), 0.01, 0, IndexFiles(folder))
    place.add(month.file, month.file.parent.name, lambda _: None)
    place.switch(month.file.parent.name)
    return DynamoSearch(ReadOnce(client, companies), FunctionHere(f"{prefix}-search", folder))


def in_postgres(request: pytest.FixtureRequest) -> RegisterSearch:
    month: Month = request.getfixturevalue("month")
    server: Server = request.getfixturevalue("postgres_server")
    url = server.new_schema(f"s{uuid4().hex}")
    place = PostgresDestination(url)
    place.add(month.file, month.file.parent.name, lambda _: None)
    place.switch(month.file.parent.name)
    return PostgresSearch(PostgresDatabase(url, 5, 4))


ENGINES: dict[str, Callable[[pytest.FixtureRequest], RegisterSearch]] = {
    "folder": in_folder,
    "dynamodb": in_dynamodb,
    "postgresql": in_postgres,
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize ``engine`` with the chosen ones."""
    if "engine" in metafunc.fixturenames:
        chosen = metafunc.config.getoption("--store", None) or ["folder", "dynamodb"]
        metafunc.parametrize("engine", [name for name in chosen if name in ENGINES], indirect=True)


@pytest.fixture(scope="module")
def engine(request: pytest.FixtureRequest) -> RegisterSearch:
    return ENGINES[request.param](request)

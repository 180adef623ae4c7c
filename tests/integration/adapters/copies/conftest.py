"""Every destination of snapshots with the adapter that reads it, empty for each test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pytest

from brskills_server.adapters.postgresql import PostgresDatabase
from brskills_server.adapters.snapshots.dynamodb import DynamoMonths
from brskills_server.adapters.snapshots.dynamodb_history import DynamoHistory
from brskills_server.adapters.snapshots.folder import FolderMonths
from brskills_server.adapters.snapshots.folder_history import FolderHistory
from brskills_server.adapters.snapshots.postgresql import PostgresHistory, PostgresMonths
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.registry.snapshot.history import RegisterHistory
from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
from brskills_server.snapshot_builder.destinations.destination import Destination
from brskills_server.snapshot_builder.destinations.dynamodb import DynamoDestination
from brskills_server.snapshot_builder.destinations.postgresql import PostgresDestination
from brskills_server.snapshot_builder.destinations.table_fillers import BatchFiller
from tests.conftest import Clock
from tests.integration.adapters.copies.months import PlainPlace
from tests.services.postgres import Server
from tests.services.tables import new_table

OCTOBER = 1_791_000_000  # of 2026, in epoch seconds


class Shelf(NamedTuple):
    """A destination, and functions that open readers of it: of its snapshots and of its history."""

    place: Destination
    open: Callable[[Callable[[], float]], RegisterSnapshot]
    open_history: Callable[[], RegisterHistory]


def in_folder(request: pytest.FixtureRequest) -> Shelf:
    folder: Path = request.getfixturevalue("tmp_path") / "receita"
    return Shelf(
        PlainPlace(folder),
        lambda clock: StoredSnapshot(FolderMonths(folder), clock),
        lambda: FolderHistory(folder),
    )


def in_dynamodb(request: pytest.FixtureRequest) -> Shelf:
    client = request.getfixturevalue("client")
    companies = new_table(client, "Companies")
    place = DynamoDestination(
        client, companies, f"t-{uuid4().hex}", BatchFiller(client), 0.01, settle_seconds=0
    )
    months = DynamoMonths(client, companies)
    return Shelf(
        place, lambda clock: StoredSnapshot(months, clock), lambda: DynamoHistory(months, lambda: OCTOBER)
    )


def in_postgres(request: pytest.FixtureRequest) -> Shelf:
    server: Server = request.getfixturevalue("postgres_server")
    url = server.new_schema(f"s{uuid4().hex}")
    return Shelf(
        PostgresDestination(url),
        lambda clock: StoredSnapshot(PostgresMonths(PostgresDatabase(url, 5, 4)), clock),
        lambda: PostgresHistory(PostgresDatabase(url, 5, 4)),
    )


SHELVES = {"folder": in_folder, "dynamodb": in_dynamodb, "postgresql": in_postgres}
STORED = {"dynamodb", "postgresql"}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize ``shelf`` with the chosen destinations, ``stored`` with those in stores."""
    names = [
        name
        for name in metafunc.config.getoption("--store", None) or ["folder", "dynamodb"]
        if name in SHELVES
    ]
    if "shelf" in metafunc.fixturenames:
        metafunc.parametrize("shelf", names, indirect=True)
    if "stored" in metafunc.fixturenames:
        metafunc.parametrize("stored", [name for name in names if name in STORED], indirect=True)


@pytest.fixture
def shelf(request: pytest.FixtureRequest) -> Shelf:
    return SHELVES[request.param](request)


@pytest.fixture
def stored(request: pytest.FixtureRequest) -> Shelf:
    return SHELVES[request.param](request)


@pytest.fixture
def place(shelf: Shelf) -> Destination:
    return shelf.place


@pytest.fixture
def own_copy(shelf: Shelf, clock: Clock) -> RegisterSnapshot:
    return shelf.open(clock)

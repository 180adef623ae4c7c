"""Every adapter of a port, each test with an empty store of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from access import AccessStore
from adapters import memory, postgresql, sqlite
from adapters.dynamodb.access import DynamoAccess
from adapters.dynamodb.companies import DynamoCompanies
from adapters.dynamodb.upkeep import DynamoUpkeep
from adapters.stores import Stores
from registry import Store
from tests.services.postgres import Server, postgres, programs
from tests.services.store import new_client, new_table


class Place(NamedTuple):
    """Where to open a store: what an adapter reads of the settings."""

    store: str
    store_seconds: int = 5
    access_table: str = ""
    companies_table: str = ""


def in_dynamodb(request: pytest.FixtureRequest) -> Stores:
    client = request.getfixturevalue("client")
    tables = [new_table(client, name) for name in ("Access", "Companies")]
    return Stores(
        DynamoAccess(client, tables[0]),
        DynamoCompanies(client, tables[1]),
        lambda: DynamoUpkeep(client, *tables),
    )


def in_file(request: pytest.FixtureRequest) -> Stores:
    return sqlite.open_stores(Place(f"sqlite:///{request.getfixturevalue('tmp_path')}/kept/brskills.db"))


def in_postgres(request: pytest.FixtureRequest) -> Stores:
    server: Server = request.getfixturevalue("postgres_server")
    return postgresql.open_stores(Place(server.new_database(uuid4().hex)))


STORES: dict[str, Callable[[pytest.FixtureRequest], Stores]] = {
    "memory": lambda _: memory.open_stores(Place("memory")),
    "sqlite": in_file,
    "dynamodb": in_dynamodb,
    # ``make e2e-postgres`` sees to it that there is a server.
    **({"postgresql": in_postgres} if programs() else {}),
}
"""How to open each with nothing in it: a new store is a line here."""


@pytest.fixture(scope="session")
def client(dynamodb_endpoint: str) -> Any:
    return new_client(dynamodb_endpoint)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    with postgres() as server:
        yield server


@pytest.fixture(params=STORES)
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Stores:
    opened = STORES[request.param](request)
    opened.open_upkeep().prepare()
    return opened


@pytest.fixture
def store(stores: Stores) -> AccessStore:
    return stores.access


@pytest.fixture
def companies(stores: Stores) -> Store:
    return stores.companies

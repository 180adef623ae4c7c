"""Every adapter of a port, with an empty store for each test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from brskills_server.adapters import memory, postgresql, sqlite
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.adapters.dynamodb.companies import DynamoCompanies
from brskills_server.adapters.dynamodb.maintenance import DynamoMaintenance
from brskills_server.adapters.stores import AccessStore, Stores
from brskills_server.registry.store import Store
from tests.services.postgres import Server
from tests.services.store import Destination
from tests.services.tables import new_client, new_table


def in_dynamodb(request: pytest.FixtureRequest) -> Stores:
    client = request.getfixturevalue("client")
    tables = [new_table(client, name) for name in ("Access", "Watches", "Companies")]
    return Stores(
        DynamoAccess(client, *tables[:2]),
        DynamoCompanies(client, tables[2]),
        lambda: DynamoMaintenance(client, *tables),
    )


def in_file(request: pytest.FixtureRequest) -> Stores:
    return sqlite.open_stores(
        Destination(f"sqlite:///{request.getfixturevalue('tmp_path')}/kept/brskills.db")
    )


def in_postgres(request: pytest.FixtureRequest) -> Stores:
    server: Server = request.getfixturevalue("postgres_server")
    return postgresql.open_stores(Destination(server.new_schema(f"s{uuid4().hex}")))


STORES: dict[str, Callable[[pytest.FixtureRequest], Stores]] = {
    "memory": lambda _: memory.open_stores(Destination("memory")),
    "sqlite": in_file,
    "dynamodb": in_dynamodb,
    "postgresql": in_postgres,
}
"""Functions that open an empty store."""

WITHOUT_SERVER = ["memory", "sqlite", "dynamodb"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--store", action="append", choices=STORES, help="test these stores and no others")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize ``stores`` and ``there`` with the chosen stores, ``address`` with those that have one."""
    names = metafunc.config.getoption("--store", None) or WITHOUT_SERVER
    if "address" in metafunc.fixturenames:
        databases = [name for name in names if name in {"sqlite", "postgresql"}]
        metafunc.parametrize("address", databases, indirect=True)
    for fixture in {"stores", "there"} & {*metafunc.fixturenames}:
        metafunc.parametrize(fixture, names, indirect=True)


@pytest.fixture(scope="session")
def client(dynamodb_endpoint: str) -> Any:
    return new_client(dynamodb_endpoint)


@pytest.fixture
def stores(request: pytest.FixtureRequest) -> Stores:
    opened = STORES[request.param](request)
    opened.open_maintenance().prepare()
    return opened


@pytest.fixture
def store(stores: Stores) -> AccessStore:
    return stores.access


@pytest.fixture
def companies(stores: Stores) -> Store:
    return stores.companies

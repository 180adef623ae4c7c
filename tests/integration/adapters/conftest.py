"""Every adapter of a port, each test with an empty store of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from access import AccessStore
from adapters.dynamodb.access import DynamoAccess
from adapters.dynamodb.companies import DynamoCompanies
from adapters.memory import MemoryAccess, MemoryCompanies
from adapters.stores import Stores
from registry import Store
from tests.services.store import new_client, new_table

STORES: dict[str, Callable[[Any], Stores]] = {
    "memory": lambda client: Stores(MemoryAccess(), MemoryCompanies()),
    "dynamodb": lambda client: Stores(
        DynamoAccess(client, new_table(client, "Access")),
        DynamoCompanies(client, new_table(client, "Companies")),
    ),
}
"""How to open each with nothing in it: a new store is a line here."""


@pytest.fixture(scope="session")
def client(dynamodb_endpoint: str) -> Any:
    return new_client(dynamodb_endpoint)


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, client: Any) -> AccessStore:
    return STORES[request.param](client).access


@pytest.fixture(params=STORES)
def companies(request: pytest.FixtureRequest, client: Any) -> Store:
    return STORES[request.param](client).companies

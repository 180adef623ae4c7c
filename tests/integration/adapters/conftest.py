"""Every adapter of a port, each test with an empty store of its own."""

from __future__ import annotations

from typing import Any

import pytest

from access import AccessStore
from adapters.dynamodb.access import DynamoAccess
from adapters.dynamodb.companies import DynamoCompanies
from adapters.memory import MemoryAccess, MemoryCompanies
from tests.services.store import new_client, new_table

ADAPTERS = ["memory", "dynamodb"]


@pytest.fixture(scope="session")
def client(dynamodb_endpoint: str) -> Any:
    return new_client(dynamodb_endpoint)


@pytest.fixture(params=ADAPTERS)
def store(request: pytest.FixtureRequest) -> AccessStore:
    if request.param == "memory":
        return MemoryAccess()
    client = request.getfixturevalue("client")
    return DynamoAccess(client, new_table(client, "Access"))


@pytest.fixture(params=ADAPTERS)
def companies(request: pytest.FixtureRequest) -> Any:
    if request.param == "memory":
        return MemoryCompanies()
    client = request.getfixturevalue("client")
    return DynamoCompanies(client, new_table(client, "Companies"))

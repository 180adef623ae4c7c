"""A server for each file of tests, which may stop it, and an empty database for each test."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from tests.services.postgres import Server, postgres


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with postgres() as started:
        yield started


@pytest.fixture
def url(server: Server) -> str:
    return server.new_database(uuid4().hex)

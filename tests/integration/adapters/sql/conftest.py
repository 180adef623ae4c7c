"""Each relational database, empty, by its address."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

from tests.services.postgres import Server


@pytest.fixture
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/brskills.db"
    server: Server = request.getfixturevalue("postgres_server")
    return server.new_schema(f"s{uuid4().hex}")

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lab.agents.register import service


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a gateway over the tasks' register."""
    with service(tmp_path_factory.mktemp("agents")) as running:
        yield running

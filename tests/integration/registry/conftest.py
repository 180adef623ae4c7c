"""Providers that are simulated over real sockets."""

from collections.abc import Iterator

import pytest

from tests.simulator import Simulator


@pytest.fixture
def simulator() -> Iterator[Simulator]:
    with Simulator() as providers:
        yield providers

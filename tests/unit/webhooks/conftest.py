"""A world in simulated time, closed after its test."""

from collections.abc import Iterator

import pytest

from brskills_server.gateway import deliveries
from tests.unit.webhooks.simulated import World


@pytest.fixture
def world() -> Iterator[World]:
    made = World()
    yield made
    made.loop.close()


@pytest.fixture
def rarely(monkeypatch: pytest.MonkeyPatch) -> float:
    """Look for pending deliveries once a minute, for what takes days."""
    monkeypatch.setattr(deliveries, "LOOK_SECONDS", 60.0)
    return 60.0

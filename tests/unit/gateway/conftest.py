"""Each test has ``logging`` as it was, whatever a gateway makes of it, and refusals that end soon."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root, gateway = logging.getLogger(), logging.getLogger("gateway")
    handlers, levels = root.handlers[:], (root.level, gateway.level)
    yield
    root.handlers[:] = handlers
    root.setLevel(levels[0])
    gateway.setLevel(levels[1])


@pytest.fixture(autouse=True)
def short_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that read to a connection's end."""
    monkeypatch.setattr("brskills_server.gateway.body.DISCARD_SECONDS", 0.05)

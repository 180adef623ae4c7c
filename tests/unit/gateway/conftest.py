"""Each test has ``logging`` as it was, whatever a gateway makes of it."""

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

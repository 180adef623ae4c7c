from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.services.gateway import gateway


@pytest.fixture(scope="session")
def base() -> Iterator[str]:
    with gateway(WORKERS="1") as address:
        yield address


@pytest.fixture(scope="session")
def http(base: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=base, timeout=60) as client:
        yield client

"""Nothing is closed here because garbage is collected."""

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _no_collection() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()

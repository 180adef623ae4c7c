"""A share with October of 2026, for every test here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.register.months import write_month
from tests.register.share import FakeShare


@pytest.fixture
def share(tmp_path: Path) -> Iterator[FakeShare]:
    """Serves a folder with the month in ``2026-10``."""
    write_month(tmp_path / "share" / "2026-10")
    with FakeShare(tmp_path / "share") as running:
        yield running

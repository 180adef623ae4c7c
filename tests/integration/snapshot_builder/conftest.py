"""A share with October of 2026, and disks that are not waited for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.register.months import write_month
from tests.register.share import FakeShare


@pytest.fixture(scope="session", autouse=True)
def no_fsync() -> Iterator[None]:
    """Processes that are killed, not machines, end builds here."""
    with patch("os.fsync"):
        yield


@pytest.fixture
def share(tmp_path: Path) -> Iterator[FakeShare]:
    """Serves a folder with the month in ``2026-10``."""
    write_month(tmp_path / "share" / "2026-10")
    with FakeShare(tmp_path / "share") as running:
        yield running

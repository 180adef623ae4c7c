"""Published months, a share with October of 2026, and disks that are not waited for."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.integration.snapshot_builder.building import DAY, LATER_DAY, NEXT_DAY, make_copy, publish
from tests.integration.snapshot_builder.quick import Downloads
from tests.register.company import companies
from tests.register.files import Month
from tests.register.months import write_month
from tests.register.share import FakeShare


@pytest.fixture(scope="session", autouse=True)
def no_fsync() -> Iterator[None]:
    """Skip syncing: only processes are killed here, not machines."""
    with patch("os.fsync"):
        yield


@pytest.fixture(scope="session")
def months(tmp_path_factory: pytest.TempPathFactory) -> list[Month]:
    """Publish September to November: each has two companies fewer than the one before."""
    folder, registered = tmp_path_factory.mktemp("months"), list(companies(11, 40))
    published = [(DAY, registered), (NEXT_DAY, registered[2:]), (LATER_DAY, registered[4:])]
    return [publish(folder / f"{day}", some, day) for day, some in published]


@pytest.fixture(scope="session")
def two(months: list[Month], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the snapshots of September and October, not to be changed."""
    folder = tmp_path_factory.mktemp("two")
    for month in months[:2]:
        code, output = make_copy(folder, "build", month.folder)
        assert code == 0, output
    return folder


@pytest.fixture
def folder(two: Path, tmp_path: Path) -> Path:
    """Return a copy of that folder."""
    return shutil.copytree(two, tmp_path / "copy")


@pytest.fixture
def share(tmp_path: Path) -> Iterator[FakeShare]:
    """Serve a folder with the month in ``2026-10``."""
    write_month(tmp_path / "share" / "2026-10")
    with FakeShare(tmp_path / "share") as running:
        yield running


@pytest.fixture
def downloads(share: FakeShare, tmp_path: Path) -> Downloads:
    return Downloads(share, tmp_path / "into")

"""What `make package` has built, unpacked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.services.package import SERVER, WITH_COPY, install, unpack


@pytest.fixture(scope="session", params=[SERVER, WITH_COPY])
def name(request: pytest.FixtureRequest) -> str:
    """One package after the other."""
    chosen: str = request.param
    return chosen


@pytest.fixture(scope="session")
def unpacked(name: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package's folder. Copy it before changing anything."""
    return unpack(tmp_path_factory.mktemp("package"), name)


@pytest.fixture(scope="session")
def installed(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that it was installed into."""
    target = tmp_path_factory.mktemp("opt") / "brskills"
    install(unpacked, target)
    return target

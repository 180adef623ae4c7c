"""What `make package` has built, unpacked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.services.package import install, unpack


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package's folder. Whoever changes anything there works on a copy."""
    return unpack(tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="session")
def installed(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that it was installed into."""
    target = tmp_path_factory.mktemp("opt") / "brskills"
    install(unpacked, target)
    return target

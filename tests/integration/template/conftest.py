"""What the functions do over all their calls: driven once for all processes of a test run."""

from __future__ import annotations

import fcntl
import os

import pytest

from tests.services.driven import Driven, drive, read_driven


@pytest.fixture(scope="session")
def driven(tmp_path_factory: pytest.TempPathFactory, dynamodb_endpoint: str) -> Driven:
    """The functions' requests and output; the first process that needs them keeps them for the others."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    output = folder / "driven.jsonl"
    with (folder / "driven.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not output.exists():
            output.write_text(drive(dynamodb_endpoint))
    return read_driven(output.read_text())

"""The receivers in ``examples/``, as they are shown."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.client.receivers import check_receiver
from tests.services.gateway import ROOT

SOURCES = f"{ROOT}/examples:{ROOT}/clients/python/src:{ROOT}/layers/shared"
COMMANDS = {
    "flask": ["-m", "flask", "--app", "webhook_flask", "run", "--port", "{port}"],
    "fastapi": ["-m", "uvicorn", "webhook_fastapi:app", "--port", "{port}"],
}


@pytest.mark.parametrize("framework", COMMANDS)
def test_a_receiver(framework: str, tmp_path: Path) -> None:
    command = [sys.executable, *COMMANDS[framework]]
    check_receiver(command, tmp_path, {**os.environ, "PYTHONPATH": SOURCES})

"""``make admin`` passes words on as they are typed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.services.gateway import ROOT

TYPED = """find $(touch FILE) $(shell touch FILE) `id` a;id|sh& $HOME $$ it's "q" * \\"""


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """A virtual environment whose Python prints its arguments, each on a line."""
    python = tmp_path / "bin/python"
    python.parent.mkdir()
    python.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    python.chmod(0o755)
    (tmp_path / "run.stamp").touch()
    return tmp_path


@pytest.mark.parametrize("given", ["command line", "environment"])
def test_nothing_typed_is_run(environment: Path, given: str) -> None:
    typed = TYPED.replace("FILE", str(environment / "ran"))
    command = ["make", "--silent", f"--old-file={environment}/run.stamp", "admin", f"VENV={environment}"]
    variables = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    if given == "environment":
        variables["ARGS"] = typed
    else:
        command.append(f"ARGS={typed}")
    ran = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["-m", "brskills_server.admin", *typed.split()]
    assert not (environment / "ran").exists()

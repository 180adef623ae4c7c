"""The folder that ``install.py`` is given may be one that cannot be: one line says so."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """The package's folder, with a wheel for this Python by its name alone."""
    version, machine = f"{sys.version_info.major}{sys.version_info.minor}", platform.machine()
    (tmp_path / "wheels").mkdir()
    (tmp_path / f"wheels/x-1-cp{version}-cp{version}-manylinux_2_17_{machine}.whl").touch()
    shutil.copy(ROOT / "on-premise/install.py", tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["a" * 300, "with:colon", "wheels", "install.py", "install.py/below"])
def test_a_folder_that_cannot_be_is_told_in_one_line(unpacked: Path, name: str) -> None:
    command = [sys.executable, "install.py", name]
    done = subprocess.run(command, cwd=unpacked, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    (message,) = done.stderr.splitlines()
    assert message.startswith(f"{unpacked / name} ")

"""``brskills-copy`` where the builder's libraries are not installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

WITHOUT_DUCKDB = """
import sys
sys.modules["duckdb"] = None
from brskills_server.snapshot_builder.__main__ import main
main()
"""


PRIORITY = """
import atexit, os
atexit.register(lambda: print(os.nice(0)))
"""


def run(folder: Path, *arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", before + WITHOUT_DUCKDB, *arguments],
        cwd=folder,
        env={"PYTHONPATH": ":".join(path for path in sys.path if path), "REGISTRY_COPY": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("command", [[], ["build"], ["list"], ["rollback"]])
def test_help_needs_no_library(tmp_path: Path, command: list[str]) -> None:
    done = run(tmp_path, *command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: {' '.join(['brskills-copy', *command])} ")


@pytest.mark.parametrize("command", [["build", "zips"], ["list"], ["rollback"]])
def test_a_command_names_the_missing_library_in_one_line(tmp_path: Path, command: list[str]) -> None:
    done = run(tmp_path, *command)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("duckdb is not installed: install the package brskills-server-with-copy")
    assert list(tmp_path.iterdir()) == []


def test_commands_give_way_to_a_server(tmp_path: Path) -> None:
    assert run(tmp_path, "list", before=PRIORITY).stdout == "19\n"

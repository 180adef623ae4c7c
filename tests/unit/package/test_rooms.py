"""What runs as the server needs nothing of what the register's builder alone needs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from requirements.lock import pins

ROOT = Path(__file__).parents[3]
ALONE = pins(ROOT / "requirements/copy.txt").keys() - pins(ROOT / "requirements/server.txt").keys()


def imported(file: Path) -> set[str]:
    """The first part of the name of every module that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("room", ["admin", "functions", "gateway", "layers/shared"])
def test_the_server_never_imports_the_builder(room: str) -> None:
    assert {"boto3", "duckdb", "numpy", "s3transfer", "tenacity"} == ALONE
    for file in (ROOT / room).glob("**/*.py"):
        assert not imported(file) & {"copy_builder", *ALONE}, file

"""What runs as the server needs nothing of what the register's builder alone needs."""

from __future__ import annotations

import ast
from pathlib import Path

from requirements.lock import pins

ROOT = Path(__file__).parents[3]
ALONE = pins(ROOT / "requirements/copy.txt").keys() - pins(ROOT / "requirements/server.txt").keys()


def imported(file: Path) -> set[str]:
    """The first two parts, and the first, of the name of every module that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        found |= {".".join(name.split(".")[:parts]) for name in names for parts in (1, 2)}
    return found


def test_the_server_never_imports_the_builder() -> None:
    assert {"duckdb", "numpy", "tenacity"} == ALONE
    builder = ROOT / "layers/shared/brskills_server/snapshot_builder"
    for file in [*(ROOT / "functions").rglob("*.py"), *(ROOT / "layers/shared").rglob("*.py")]:
        if not file.is_relative_to(builder):
            assert not imported(file) & {"brskills_server.snapshot_builder", *ALONE}, file

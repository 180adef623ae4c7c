"""What the package offers, and what it must not drag along."""

import ast
import subprocess
import sys
from pathlib import Path

import access

PACKAGE = Path(access.__file__).parent


def test_names() -> None:
    assert access.__all__ == sorted(
        access.__all__, key=lambda name: (not name.isupper(), name.islower(), name)
    )
    assert all(hasattr(access, name) for name in access.__all__)


def test_it_imports_the_standard_library_alone() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for top in {name.partition(".")[0] for name in names} - {"access"}:
                assert top in sys.stdlib_module_names - {"os", "logging"}, path


def test_neither_rules_nor_the_memory_load_a_client_of_anything() -> None:
    code = (
        "import sys, access, adapters.memory, adapters.dynamodb, adapters.stripe.settings\n"
        "print({'boto3', 'botocore', 'stripe', 'httpx', 'pydantic', 'web'} & set(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent
    )
    assert ran.stdout.strip() == "set()"

"""What the package offers, and what it must not drag along."""

import ast
import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import access
from access import address, api_key, lanes, month, tokens
from adapters.dynamodb import values

PACKAGE = Path(access.__file__).parent


def test_names() -> None:
    assert len(set(access.__all__)) == len(access.__all__)
    assert all(hasattr(access, name) for name in access.__all__)


@pytest.mark.parametrize("module", [address, api_key, lanes, month, tokens, values])
def test_the_examples_hold(module) -> None:
    ran = doctest.testmod(module)
    assert ran.attempted
    assert not ran.failed


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
        "import sys, access, adapters.memory, adapters.sqlite, adapters.dynamodb, adapters.stripe.settings\n"
        "print({'boto3', 'botocore', 'stripe', 'httpx', 'pydantic', 'web'} & set(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent
    )
    assert ran.stdout.strip() == "set()"

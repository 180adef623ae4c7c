"""What the package offers, and what it must not drag along."""

import ast
import doctest
import subprocess
import sys
from pathlib import Path

import pytest

from brskills_server import accounts
from brskills_server.accounts import api_key, tokens
from brskills_server.accounts import calendar as month
from brskills_server.accounts import network_hash as address
from brskills_server.accounts import throttle_groups as lanes
from brskills_server.adapters.dynamodb import values

PACKAGE = Path(accounts.__file__).parent


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
            for top in {name.partition(".")[0] for name in names} - {"brskills_server"}:
                assert top in sys.stdlib_module_names - {"os", "logging"}, path


def test_neither_rules_nor_the_memory_load_a_client_of_anything() -> None:
    code = (
        "import sys\nfrom brskills_server.accounts import accounts\nfrom brskills_server.adapters import memory, sqlite, dynamodb\nfrom brskills_server.adapters.stripe import settings\n"
        "print({'boto3', 'botocore', 'stripe', 'httpx', 'pydantic', 'web'} & set(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parents[1]
    )
    assert ran.stdout.strip() == "set()"

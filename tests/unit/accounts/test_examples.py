"""The examples of the docstrings, and what accounts and metering may import."""

import ast
import doctest
import sys
from pathlib import Path

import pytest

from brskills_server import accounts, metering
from brskills_server.accounts import api_key, calendar, network_hash, throttle_groups, tokens
from brskills_server.adapters.dynamodb import values
from tests.for_each import for_each


@for_each("module", [api_key, calendar, network_hash, throttle_groups, tokens, values])
def test_the_examples_hold(module) -> None:
    ran = doctest.testmod(module)
    assert ran.attempted
    assert not ran.failed


@pytest.mark.parametrize(
    ("room", "allowed"), [(accounts, {"accounts"}), (metering, {"accounts", "metering"})]
)
def test_a_room_imports_the_standard_library_and_the_rooms_below_it(room, allowed) -> None:
    rooms = {f"brskills_server.{name}" for name in allowed}
    for path in Path(room.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                if name.startswith("brskills_server"):
                    assert ".".join(name.split(".")[:2]) in rooms, path
                else:
                    assert name.partition(".")[0] in sys.stdlib_module_names - {"os", "logging"}, path

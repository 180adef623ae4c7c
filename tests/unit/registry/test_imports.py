"""What the registry may import, and what it loads only when it is needed."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from brskills_server import registry

PACKAGE = Path(registry.__file__).parent
SLOW = {"httpx", "boto3", "botocore", "asyncio", "pydantic", "brskills_server.registry.company"}
OWN = ("brskills_server.registry", "brskills_server.outbound")
FOREIGN = {"os", "logging", "boto3", "botocore", "psycopg"}

LOCAL = """
from datetime import date
from brskills_server.registry.query import Query
from brskills_server.registry.registry import build_registry
from brskills_server.registry.snapshot.rows import Edition
from brskills_server.registry.providers import PROVIDER_IDS

class Empty:
    def load(self, cnpj): return None
    def state(self): return {}
    def edition(self): return Edition(date(2026, 9, 12))
    def find_many(self, cnpjs): return {}

empty = Empty()
opened = build_registry(providers=PROVIDER_IDS, urls={}, store=empty, user_agent="test", snapshot=empty)
opened._local.look_up(Query("33000167000101"))
assert [source.id for source in opened.health()] == list(PROVIDER_IDS)
"""
NAMES = """
from brskills_server.registry.providers import PROVIDER_IDS
from brskills_server.registry.store import StoreFault
"""


@pytest.mark.parametrize(
    ("statement", "unwanted"),
    [
        (NAMES, {"dataclasses", *SLOW}),
        (LOCAL, {"brskills_server.registry.lookup.provider_lookup", *SLOW}),
    ],
)
def test_a_process_loads_only_what_it_uses(statement: str, unwanted: set[str]) -> None:
    code = f"{statement}\nimport sys\nprint({unwanted!r} & set(sys.modules))"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parents[1]
    )
    assert ran.stdout.strip() == "set()"


def test_it_imports_neither_environment_nor_logger_nor_its_users() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.partition(".")[0] not in FOREIGN, path
                assert not name.startswith("brskills_server.") or name.startswith(OWN), path

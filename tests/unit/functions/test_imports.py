"""No function loads what it does not use: each is imported in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.services.gateway import ROOT

HEAVY = {"authlib", "boto3", "cryptography", "httpx", "jinja2"}
HEAVY |= {"joserfc", "markdown_it", "pydantic", "segno", "sqlite3", "stripe"}
PROGRAM = """
import importlib, sys
importlib.import_module("functions.{name}.app")
print(*sorted({{name.partition(".")[0] for name in sys.modules}} & {heavy}))
"""


@pytest.mark.parametrize(
    ("name", "loaded"),
    [
        ("authorizer", {"boto3"}),
        ("lanes", {"boto3"}),
        ("pix", {"boto3", "pydantic"}),
        ("keys", {"boto3", "pydantic"}),
        ("billing", {"boto3", "pydantic"}),
        ("cnpj", {"boto3", "httpx", "pydantic"}),
        ("status", {"boto3", "httpx", "pydantic"}),
        ("probe", {"boto3", "httpx", "pydantic"}),
        ("mcp", {"boto3", "httpx", "pydantic"}),
        ("custom", {"boto3", "pydantic"}),
        ("docs", {"pydantic"}),
        ("oauth", {"authlib", "boto3", "jinja2", "pydantic"}),
        ("site", set()),
    ],
)
def test_a_function_loads_what_it_uses(name: str, loaded: set[str]) -> None:
    environment = {"PYTHONPATH": "layers/shared", "AWS_DEFAULT_REGION": "sa-east-1", "HOME": "/nonexistent"}
    environment |= dict.fromkeys(("GATEWAY_KEY_PREFIX", "PRO_USAGE_PLAN", "ENTERPRISE_USAGE_PLAN"), "any")
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(name=name, heavy=HEAVY)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(found.stdout.split()) == loaded

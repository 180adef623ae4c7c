"""No function loads what it does not use: each is imported in a new process."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from brskills_server.runtime.settings import PUBLISHED_DEMO_KEY
from tests.services.gateway import ROOT

HEAVY = {"asyncio", "authlib", "boto3", "botocore.client", "cryptography", "httpx", "jinja2"}
HEAVY |= {
    "joserfc",
    "markdown_it",
    "pydantic",
    "brskills_server.registry.answer",
    "segno",
    "sqlite3",
    "stripe",
}
WITHOUT_MODELS = (
    "/llms.txt",
    "/SKILL.md",
    "/.well-known/ai-catalog.json",
    "/mcp/server-card",
    "/server.json",
)
CHARGE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Padaria", "cidade": "Recife"}
CALLED = {"name": "create_pix_code", "arguments": CHARGE}
TOOL_CALL = {
    "headers": {
        "Accept": "application/json, text/event-stream",
        "Host": "127.0.0.1:8000",
        "X-API-Key": PUBLISHED_DEMO_KEY,
    },
    "multiValueHeaders": {},
    "body": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CALLED}),
}
PROGRAM = """
import importlib, sys
importlib.import_module("functions.{name}.app")
print(*sorted(sys.modules.keys() & {heavy}))
"""
ANSWER = """
import importlib, json, sys
handler = importlib.import_module("functions.{name}.app").handler
event, loaded = json.load(open("events/{name}.json")), set(sys.modules)
answer = handler(event | {changed}, None)
assert "usageIdentifierKey" in answer or answer["statusCode"] == 200, answer
assert '"isError":true' not in answer.get("body", ""), answer
print("\\n", *sorted((sys.modules.keys() - loaded) & {heavy}))
"""


@pytest.mark.parametrize(
    ("name", "loaded"),
    [
        ("authorizer", {"botocore.client"}),
        ("gateway_keys", {"botocore.client"}),
        ("pix", {"botocore.client"}),
        ("keys", {"botocore.client", "pydantic"}),
        ("billing", {"botocore.client", "pydantic"}),
        ("cnpj", {"botocore.client", "brskills_server.registry.answer"}),
        ("status", {"botocore.client", "brskills_server.registry.answer"}),
        ("probe", {"botocore.client", "brskills_server.registry.answer"}),
        ("mcp", {"botocore.client", "brskills_server.registry.answer"}),
        ("custom", {"botocore.client"}),
        ("docs", {"brskills_server.registry.answer"}),
        ("oauth", {"authlib", "botocore.client", "jinja2", "pydantic", "brskills_server.registry.answer"}),
        ("site", {"jinja2"}),
    ],
)
def test_a_function_loads_what_it_uses(name: str, loaded: set[str]) -> None:
    assert _printed(PROGRAM.format(name=name, heavy=HEAVY)) == loaded


@pytest.mark.parametrize(
    ("name", "changed", "loaded"),
    [
        ("authorizer", {}, set()),
        ("pix", {}, set()),
        ("cnpj", {}, set()),
        ("status", {}, set()),
        ("status", {"resource": "/api/v1/plans"}, set()),
        ("status", {"resource": "/api/v1/health"}, set()),
        ("mcp", TOOL_CALL, {"segno"}),
        ("mcp", {}, {"pydantic"}),
        ("docs", {}, {"pydantic"}),
        ("docs", {"resource": "/api/v1/tools"}, {"pydantic"}),
        *(("docs", {"resource": path}, set()) for path in WITHOUT_MODELS),
        ("docs", TOOL_CALL | {"resource": "/llms.txt"}, set()),
    ],
)
def test_its_first_answer_loads_no_more_than_it_uses(
    name: str, changed: dict[str, Any], loaded: set[str]
) -> None:
    program = ANSWER.format(name=name, changed=changed, heavy=HEAVY)
    assert _printed(program, STORE="memory") == loaded


def _printed(program: str, **environment: str) -> set[str]:
    """The words on the last line that a new process prints."""
    environment |= {"PYTHONPATH": "layers/shared", "AWS_DEFAULT_REGION": "sa-east-1", "HOME": "/nonexistent"}
    environment |= dict.fromkeys(("GATEWAY_KEY_PREFIX", "PRO_USAGE_PLAN", "ENTERPRISE_USAGE_PLAN"), "any")
    found = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(found.stdout.splitlines()[-1].split())

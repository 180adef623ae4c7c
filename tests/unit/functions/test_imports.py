"""No function loads what it does not use: each is imported in a new process, and answers in forks of it."""

import json
import subprocess
import sys
from typing import Any

import pytest

from brskills_server.runtime.settings import PUBLISHED_DEMO_KEY
from tests.services.gateway import ROOT

CLIENT, REGISTRY = "botocore.client", "brskills_server.registry.answer"
HEAVY = {"asyncio", "authlib", "boto3", CLIENT, "cryptography", "httpx", "jinja2", "joserfc", "markdown_it"}
HEAVY |= {"pydantic", REGISTRY, "segno", "sqlite3", "standardwebhooks", "stripe"}
WITHOUT_MODELS = (
    "/llms.txt",
    "/SKILL.md",
    "/.well-known/ai-catalog.json",
    "/mcp/server-card",
    "/server.json",
)
FOLLOWED = json.dumps({"url": "sandbox.brskills.example/pix/v2/valida", "seguir": True})
CHARGE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Padaria", "cidade": "Recife"}
CALLED = {"name": "create_pix_code", "arguments": CHARGE}
SEARCHED = {
    "resource": "/api/v1/skills/cnpj/busca",
    "pathParameters": None,
    "queryStringParameters": {"nome": "SANDBOX"},
}
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
import importlib, json, os, sys

def heavy():
    return sys.modules.keys() & {heavy}

app = importlib.import_module("functions.{name}.app")
loaded = heavy()
print(json.dumps(sorted(loaded)), flush=True)
for changed in {changes}:
    if os.fork():
        os.wait()
        continue
    answer = app.handler(json.load(open("events/{name}.json")) | changed, None)
    assert "usageIdentifierKey" in answer or answer["statusCode"] == 200, answer
    assert '"isError":true' not in answer.get("body", ""), answer
    print("\\n" + json.dumps(sorted(heavy() - loaded)), flush=True)
    os._exit(0)
"""


@pytest.mark.parametrize(
    ("name", "loaded"),
    [
        ("authorizer", {CLIENT}),
        ("gateway_keys", {CLIENT}),
        ("pix", {CLIENT}),
        ("keys", {CLIENT, "pydantic"}),
        ("billing", {CLIENT, "pydantic"}),
        ("cnpj", {CLIENT, REGISTRY}),
        ("payee", {CLIENT, REGISTRY}),
        ("status", {CLIENT, REGISTRY}),
        ("probe", {CLIENT, REGISTRY}),
        ("announce", set()),  # there is no snapshot
        ("deliver", {"asyncio", CLIENT, "httpx", "standardwebhooks"}),
        ("watches", {CLIENT, REGISTRY}),
        ("mcp", {CLIENT, REGISTRY}),
        ("custom", {CLIENT}),
        ("docs", {REGISTRY}),
        ("oauth", {"authlib", CLIENT, "jinja2", "pydantic", REGISTRY}),
        ("site", {"jinja2"}),
    ],
)
def test_a_function_loads_what_it_uses(name, loaded) -> None:
    assert _printed(name, []) == [loaded]


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("authorizer", [({}, set())]),
        ("pix", [({}, set())]),
        ("cnpj", [({}, set()), (SEARCHED, set())]),
        ("payee", [({}, set()), ({"body": FOLLOWED}, {"asyncio", "cryptography", "httpx", "joserfc"})]),
        ("status", [({"resource": f"/api/v1/{path}"}, set()) for path in ("status", "plans", "health")]),
        ("mcp", [(TOOL_CALL, {"segno"}), ({}, {"pydantic"})]),
        (
            "docs",
            [
                ({}, {"pydantic"}),
                ({"resource": "/api/v1/tools"}, {"pydantic"}),
                *(({"resource": path}, set()) for path in WITHOUT_MODELS),
                (TOOL_CALL | {"resource": "/llms.txt"}, set()),
            ],
        ),
    ],
)
def test_its_first_answer_loads_no_more_than_it_uses(name, answers) -> None:
    printed = _printed(name, [changed for changed, _ in answers], STORE="memory")
    assert printed[1:] == [loaded for _, loaded in answers]


def _printed(name: str, changes: list[dict[str, Any]], **environment: str) -> list[set[str]]:
    """What a new process loads for a function, and what each first answer to a changed event adds."""
    environment |= {"PYTHONPATH": "layers/shared", "AWS_DEFAULT_REGION": "sa-east-1", "HOME": "/nonexistent"}
    environment |= dict.fromkeys(
        ("GATEWAY_KEY_PREFIX", "PRO_USAGE_PLAN", "ENTERPRISE_USAGE_PLAN", "WEBHOOK_QUEUE"), "any"
    )
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(name=name, heavy=HEAVY, changes=changes)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return [set(json.loads(line)) for line in found.stdout.splitlines() if line.startswith("[")]

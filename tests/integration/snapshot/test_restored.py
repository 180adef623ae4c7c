"""Functions restored from one snapshot: each environment is separate, and answers."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import urlsplit

import boto3
import pytest

from brskills_server.adapters.dynamodb.local import create_missing_tables
from brskills_server.gateway.template import load
from tests.services.expanded import template
from tests.services.gateway import ROOT, store

EVENTS = "import json; from lab.bench.starts.events import first_events; print(json.dumps(first_events()))"
FIRST = {
    "authorizer": "authorizer",
    "pix": "pix",
    "cnpj": "cnpj",
    "payee": "payee",
    "mcp": "mcp, a Pix code",
}
"""The event that each function is called with after it was restored."""


class Credentials(HTTPServer):
    """Credentials of a function's role, as AWS serves them; the first ones are about to expire."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.served = 0


class _Handler(BaseHTTPRequestHandler):
    server: Credentials

    def do_GET(self) -> None:
        assert self.headers["Authorization"] == "token"
        self.server.served += 1
        left = timedelta(minutes=1 if self.server.served == 1 else 360)
        content = {
            "AccessKeyId": f"key-{self.server.served}",
            "SecretAccessKey": "secret",
            "Token": "session",
            "Expiration": (datetime.now(UTC) + left).strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    with store() as endpoint:
        create_missing_tables(boto3.client("dynamodb", endpoint_url=endpoint), load().tables)
        yield {
            "PATH": os.environ["PATH"],
            "HOME": "/nonexistent",
            "STORE": "dynamodb",
            "STORE_TIMEOUT_SECONDS": "10",
            "ACCESS_TABLE": "Access",
            "WATCHES_TABLE": "Watches",
            "COMPANIES_TABLE": "Companies",
            "AWS_DEFAULT_REGION": "sa-east-1",
            "AWS_ENDPOINT_URL_DYNAMODB": endpoint,
        }


@pytest.fixture(scope="module")
def events(environment: dict[str, str]) -> dict[str, Any]:
    keys = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x"}
    shown: dict[str, Any] = json.loads(_run(["-c", EVENTS], environment | keys, "layers/shared:."))
    return shown


@pytest.fixture
def credentials() -> Iterator[Credentials]:
    with Credentials() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def _run(arguments: list[str], environment: dict[str, str], path: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()[-1]


@pytest.mark.parametrize("name", FIRST)
def test_restored_environments_are_separate(
    name: str, environment: dict[str, str], events: dict[str, Any], credentials: Credentials
) -> None:
    snapped = {
        "AWS_LAMBDA_INITIALIZATION_TYPE": "snap-start",
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": f"http://127.0.0.1:{credentials.server_port}/",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN": "token",
    }
    path = f"layers/shared:functions/{name}:tests/fakes/runtime:."
    shown = json.loads(
        _run(["-m", "tests.services.restored", json.dumps(events[FIRST[name]])], environment | snapped, path)
    )
    # Nothing is open when the snapshot is taken, and the store had no request.
    assert shown["taken"] == {"threads": 1, "sockets": 0, "connected": [credentials.server_port]}
    assert shown["asks"] == (name in {"cnpj", "payee", "mcp"})  # no call waits for the providers' code
    one, other = shown["restored"]
    for outcome in (one, other):
        assert _is_answered(outcome["answer"]), outcome
        assert urlsplit(environment["AWS_ENDPOINT_URL_DYNAMODB"]).port in outcome["connected"]
    assert one["chance"] != other["chance"]
    assert one["issued"] != other["issued"]
    assert credentials.served == 3  # at the snapshot, and by each, which replaces the expiring ones


def _is_answered(answer: dict[str, Any]) -> bool:
    if "policyDocument" in answer:
        return bool(answer["policyDocument"]["Statement"][0]["Effect"] == "Allow")
    return bool(
        answer["statusCode"] == 200 and not json.loads(answer["body"]).get("result", {}).get("isError")
    )


def test_functions_with_snapshots() -> None:
    functions = {
        name: resource["Properties"]
        for name, resource in template()["Resources"].items()
        if resource["Type"] == "AWS::Serverless::Function"
    }
    begins = {
        properties["CodeUri"].removeprefix("functions/"): properties["SnapStart"]["ApplyOn"]["Fn::If"][0]
        for properties in functions.values()
        if "SnapStart" in properties
    }
    assert begins == {name: "SnapStartsMcp" if name == "mcp" else "SnapStarts" for name in FIRST}

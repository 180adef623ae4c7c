"""A gateway with custom skills: the example's, and a package of skills that misbehave."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.services.gateway import ROOT, gateway
from tests.services.packages import install_all, python_path


@dataclass(frozen=True)
class Installation:
    """A gateway of two processes; ``output`` is what it prints, ``environment`` what its operator sets."""

    base: str
    http: httpx.Client
    output: Path
    environment: dict[str, str]

    def operate(self, *arguments: str) -> str:
        """What a command of the operator's prints."""
        command = [sys.executable, "-m", "brskills_server.admin", *arguments]
        environment = {**os.environ, **self.environment}
        ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def account(self, plan: str = "free", *skills: str) -> Customer:
        """A new account of a plan, to which skills are granted."""
        opened = self.operate("open", plan).split()
        customer = Customer(self.http, opened[1], X_API_Key=opened[5])
        for skill in skills:
            self.operate("grant", customer.account, skill)
        return customer


class Customer:
    """An account, and what its owner asks with its key; without account and key, anybody."""

    def __init__(self, http: httpx.Client, account: str = "", **headers: str) -> None:
        self.http = http
        self.account = account
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    def ask(
        self, method: str, path: str, headers: dict[str, str] | None = None, **body: Any
    ) -> httpx.Response:
        """The answer of a route."""
        return self.http.request(method, path, headers={**self.headers, **(headers or {})}, **body)

    def use(self, skill: str, content: object) -> httpx.Response:
        """The answer of a custom skill."""
        return self.ask("POST", f"/api/v1/skills/custom/{skill}", json=content)

    def rpc(self, method: str, **parameters: object) -> Any:
        """What /mcp answers: ``result`` or ``error`` is a member."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        return self.ask("POST", "/mcp", json=message).json()

    def calls(self) -> int:
        """What the ledger has counted."""
        counted: int = self.ask("GET", "/api/v1/usage").json()["chamadas"]
        return counted


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    packages = tmp_path_factory.mktemp("packages")
    install_all(packages)
    output = tmp_path_factory.mktemp("custom") / "output.txt"
    with ExitStack() as stack:
        environment = {
            **python_path(packages),
            "STORE": f"sqlite:///{output.parent / 'brskills.db'}",
            "SKILL_PLANS": "odd_free=pro+enterprise",
        }
        base = stack.enter_context(
            gateway(output, **environment, WORKERS="2", SIGNUPS_PER_DAY="1000", POWERTOOLS_LOG_LEVEL="DEBUG")
        )
        http = stack.enter_context(httpx.Client(base_url=base, timeout=60))
        yield Installation(base, http, output, environment)


@pytest.fixture(scope="session")
def granted(installation: Installation) -> Customer:
    """A free account that may use the example."""
    return installation.account("free", "look_up_bank")


@pytest.fixture(scope="session")
def other(installation: Installation) -> Customer:
    """A free account that may use none."""
    return installation.account("free")


@pytest.fixture(scope="session")
def anybody(installation: Installation) -> Customer:
    return Customer(installation.http)

"""A gateway with custom skills: the example's, and a package of skills that misbehave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from brskills_server.accounts.accounts import Accounts
from tests.integration.adapters.sql.databases import open_at
from tests.services.gateway import gateway
from tests.services.packages import install_all, python_path


@dataclass(frozen=True)
class Installation:
    """A gateway of two processes, the accounts in its store, its output, and the settings of its operator."""

    http: httpx.Client
    accounts: Accounts
    output: Path
    environment: dict[str, str]

    def account(self, plan: str = "free", *skills: str) -> Customer:
        """A new account of a plan, to which skills are granted."""
        opened = self.accounts.open(plan)
        for skill in skills:
            self.accounts.grant(opened.account, skill)
        return Customer(self.http, opened.account, X_API_Key=opened.api_key)


class Customer:
    """An account and requests with its key; without account and key, anybody."""

    def __init__(self, http: httpx.Client, account: str = "", **headers: str) -> None:
        self.http = http
        self.account = account
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    def ask(
        self, method: str, path: str, headers: dict[str, str] | None = None, **body: Any
    ) -> httpx.Response:
        return self.http.request(method, path, headers={**self.headers, **(headers or {})}, **body)

    def use(self, skill: str, content: object) -> httpx.Response:
        return self.ask("POST", f"/api/v1/skills/custom/{skill}", json=content)

    def rpc(self, method: str, **parameters: object) -> Any:
        """The message that /mcp answers, with the member ``result`` or ``error``."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        return self.ask("POST", "/mcp", json=message).json()

    def tools(self) -> set[str]:
        return {tool["name"] for tool in self.rpc("tools/list")["result"]["tools"]}

    def calls(self) -> int:
        counted: int = self.ask("GET", "/api/v1/usage").json()["chamadas"]
        return counted


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("custom")
    install_all(folder / "packages")
    environment = {
        **python_path(folder / "packages"),
        "STORE": f"sqlite:///{folder / 'brskills.db'}",
        "SKILL_PLANS": "odd_free=pro+enterprise",
    }
    settings = {**environment, "WORKERS": "2", "SIGNUPS_PER_DAY": "1000", "POWERTOOLS_LOG_LEVEL": "DEBUG"}
    output = folder / "output.txt"
    with gateway(output, **settings) as base, httpx.Client(base_url=base, timeout=60) as http:
        accounts = Accounts(open_at(environment["STORE"]).access, "")
        yield Installation(http, accounts, output, environment)


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

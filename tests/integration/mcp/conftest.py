from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

DEMO = "brsk_demo00000000000000000000000000001gbZMd"


class Agent:
    """A caller of tools."""

    def __init__(self, base: str) -> None:
        self.http = httpx.Client(base_url=base, timeout=60)

    def sign_up(self) -> str:
        key: str = self.http.post("/api/v1/keys").json()["api_key"]
        return key

    def call(
        self, name: str, arguments: Any = None, key: str | None = None, **headers: str
    ) -> httpx.Response:
        params = {"name": name, "arguments": {} if arguments is None else arguments}
        return self.http.post(
            "/mcp",
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params},
            headers={**({"X-API-Key": key} if key else {}), **headers},
        )

    def result(
        self, name: str, arguments: Any = None, key: str | None = None, **headers: str
    ) -> dict[str, Any]:
        found: dict[str, Any] = self.call(name, arguments, key, **headers).json()["result"]
        return found

    def calls_of(self, key: str) -> int:
        calls: int = self.result("get_usage", key=key)["structuredContent"]["chamadas"]
        return calls


@pytest.fixture(scope="session")
def agent(base: str) -> Iterator[Agent]:
    agent = Agent(base)
    yield agent
    agent.http.close()


@pytest.fixture
def key(agent: Agent) -> str:
    return agent.sign_up()

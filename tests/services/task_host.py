"""A host that states the extension of tasks, over HTTP; the older era, and a host without it, as well."""

from __future__ import annotations

import time
from typing import Any

import httpx

VERSION = "2026-07-28"
TASKS = "io.modelcontextprotocol/tasks"
_SECONDS = 60


def meta_of(*extensions: str) -> dict[str, Any]:
    """Return the envelope of a client that states these extensions."""
    return {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {"extensions": {name: {} for name in extensions}},
    }


META = meta_of(TASKS)


class TaskHost:
    """Sends messages to ``/mcp``; ``extensions``: those it states in each."""

    def __init__(
        self,
        http: httpx.Client,
        headers: dict[str, str] | None = None,
        extensions: tuple[str, ...] = (TASKS,),
    ) -> None:
        self.http = http
        self.headers = headers or {}
        self.meta = meta_of(*extensions)

    def post(
        self, method: str, params: dict[str, Any], headers: dict[str, str] | None = None
    ) -> httpx.Response:
        """Send a message with the headers that repeat it; ``headers`` replace them."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": self.meta}}
        name = params.get("name") or params.get("taskId")
        named = {"Mcp-Name": name} if name else {}
        sent = {
            "MCP-Protocol-Version": VERSION,
            "Mcp-Method": method,
            **named,
            **self.headers,
            **(headers or {}),
        }
        return self.http.post("/mcp", json=message, headers=sent)

    def ask(self, method: str, headers: dict[str, str] | None = None, **params: Any) -> dict[str, Any]:
        """Return the result of a message."""
        answer = self.post(method, params, headers).json()
        assert "result" in answer, answer
        found: dict[str, Any] = answer["result"]
        return found

    def error(self, method: str, headers: dict[str, str] | None = None, **params: Any) -> tuple[int, int]:
        """Return the status and the code of the error that answers a message."""
        answer = self.post(method, params, headers)
        return answer.status_code, answer.json()["error"]["code"]

    def call(self, tool: str, headers: dict[str, str] | None = None, **arguments: Any) -> dict[str, Any]:
        """Return what a call is answered with: a result or a task."""
        return self.ask("tools/call", headers, name=tool, arguments=arguments)

    def look_up(self, cnpjs: list[str], headers: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
        """Look up companies."""
        return self.call("look_up_companies", headers, cnpjs=cnpjs, **more)

    def get(self, task: str) -> dict[str, Any]:
        """Return a task as it is."""
        return self.ask("tasks/get", taskId=task)

    def ended(self, task: str) -> dict[str, Any]:
        """Return a task when it has ended."""
        deadline = time.monotonic() + _SECONDS
        while (found := self.get(task))["status"] == "working":
            assert time.monotonic() < deadline, "it did not end"
            time.sleep(0.05)
        return found

    def calls(self) -> int:
        """Return the calls of this month."""
        counted: int = self.call("get_usage")["structuredContent"]["chamadas"]
        return counted

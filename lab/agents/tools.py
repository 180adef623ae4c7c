"""The tools of a running gateway by MCP, as a host offers them to a model."""

from __future__ import annotations

from typing import Any, NamedTuple

import httpx

from lab.agents.model import Json

_REVISION = "2025-11-25"


class Result(NamedTuple):
    """A tool's result: what a model reads, and the data in it, also of a problem; none of an unknown tool."""

    text: str
    data: Json


class Tools:
    """The tools that an account may call. ``http`` has the gateway's address and the account's key."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def instructions(self) -> str:
        """Return what the server says of itself to a model."""
        client = {"name": "evaluation", "version": "1"}
        asked = {"protocolVersion": _REVISION, "capabilities": {}, "clientInfo": client}
        text: str = self._request("initialize", asked)["result"]["instructions"]
        return text

    def list(self) -> list[Json]:
        """Return the tools in the form of chat completions."""
        return [
            {
                "type": "function",
                "function": {
                    "name": tool["name"],
                    "description": tool["description"],
                    "parameters": tool["inputSchema"],
                },
            }
            for tool in self._request("tools/list", {})["result"]["tools"]
        ]

    def call(self, name: str, arguments: Json) -> Result:
        """Call a tool. Texts are handed to the model as they are, without pictures."""
        answer = self._request("tools/call", {"name": name, "arguments": arguments})
        if "error" in answer:
            return Result(answer["error"]["message"], {})
        result = answer["result"]
        text = "\n".join(item["text"] for item in result["content"] if item["type"] == "text")
        return Result(text, result["structuredContent"])

    def _request(self, method: str, params: Json) -> Any:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": _REVISION}
        return self._http.post("/mcp", json=message, headers=headers).raise_for_status().json()

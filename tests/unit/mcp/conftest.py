from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brskills_server.agents.cards import Cards
from brskills_server.agents.results import success
from brskills_server.agents.server import Server
from brskills_server.runtime.settings import Settings
from brskills_server.web.request import Request

NEW = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": NEW, "io.modelcontextprotocol/clientCapabilities": {}}


def _body(body: Any) -> dict[str, Any]:
    if isinstance(body, bytes):
        return {"body": base64.b64encode(body).decode(), "isBase64Encoded": True}
    return {"body": body if isinstance(body, str) else json.dumps(body)}


def request_of(body: Any, headers: dict[str, str] | None = None, **context: Any) -> Request:
    return Request(
        {
            "httpMethod": "POST",
            "resource": "/mcp",
            "headers": {"Host": "api.example.com", "X-Forwarded-Proto": "https", **(headers or {})},
            **_body(body),
            "requestContext": {"requestId": "abc", "path": "/v1/mcp", **context},
        }
    )


class Answered:
    """Status, headers and body of an answer."""

    def __init__(self, response: Any) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = json.loads(response.body) if response.body else None

    @property
    def error(self) -> tuple[int, int]:
        return self.status, self.body["error"]["code"]


class Caller:
    """Sends messages of either style to a server whose tools are ``run``."""

    def __init__(self, cards: Path = Path("missing")) -> None:
        self.run: Callable[..., Any] = lambda skill, arguments, request: success({"nome": skill.name})
        self.own: Callable[..., Any] = lambda request: {}
        self.check_token: Callable[[str], Any] = lambda token: None
        self.has_copy = True
        self.server = Server(
            Settings.from_environment({"MCP_ALLOWED_ORIGINS": "https://app.example.com"}),
            lambda skill, arguments, request: self.run(skill, arguments, request),
            lambda request: self.own(request),
            lambda token: self.check_token(token),
            Cards(cards),
            lambda: self.has_copy,
        )

    def send(self, body: Any, headers: dict[str, str] | None = None, **context: Any) -> Answered:
        return Answered(self.server.post(request_of(body, headers, **context)))

    def old(self, method: str, params: dict[str, Any] | None = None, **headers: str) -> Answered:
        message = {"jsonrpc": "2.0", "id": 7, "method": method} | (
            {} if params is None else {"params": params}
        )
        return self.send(message, headers)

    def new(
        self, method: str, params: dict[str, Any] | None = None, headers: dict[str, str | None] | None = None
    ) -> Answered:
        """A message of the newer style; a header that is ``None`` is left out."""
        given = {"_meta": META, **(params or {})}
        sent: dict[str, str | None] = {"MCP-Protocol-Version": NEW, "Mcp-Method": method}
        if "name" in given:
            sent["Mcp-Name"] = given["name"]
        sent |= headers or {}
        message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": given}
        return self.send(message, {name: value for name, value in sent.items() if value is not None})


@pytest.fixture
def caller() -> Caller:
    return Caller()

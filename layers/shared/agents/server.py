"""An MCP server over HTTP: one message in, one answer out, nothing remembered.

Written by hand because the official server would double a cold start for what is four methods here (measured
in ``docs/agents.md``). Discovery and listing are open; a call brings its key.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from agents.eras import HANDSHAKE_VERSIONS, SERVER_INFO_KEY, VERSIONS, Era, check_envelope, era_of
from agents.formats import tools_as
from agents.message import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, Message, RpcError, read
from agents.results import failure
from agents.tools import TOOLS
from web.base import base_url
from web.body import MAX_BODY_BYTES
from web.faults import as_problem
from web.response import Response
from web.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agents.results import ToolResult
    from web.request import Request
    from web.settings import Settings

    Call = Callable[[str, Mapping[str, Any], Request], ToolResult]

__all__ = ["Server"]

_INSTRUCTIONS = (
    "Códigos Pix (BR Code) e o cadastro de empresas brasileiras (CNPJ). Listar é livre; chamar pede uma "
    "chave em X-API-Key ou Authorization: Bearer. Chave grátis: POST {base}/api/v1/keys, sem corpo. Para "
    "experimentar, a chave pública {demo} dá {limit} chamadas por mês e endereço. As empresas "
    "SANDBOX1000170 (ativa) e SANDBOX2000114 (baixada) respondem sempre e nada contam. / Pix codes and "
    "Brazilian company records: listing is open, calls need a key, {base}/llms.txt tells more."
)
_LIST_TTL_MS = 3_600_000
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


class Server:
    """The protocol; ``call`` runs a tool by name and may raise what the skills and the ledger raise."""

    def __init__(self, settings: Settings, call: Call) -> None:
        self._settings = settings
        self._call = call

    def post(self, request: Request) -> Response:
        """Answer one message."""
        identifier = None
        try:
            self._check_transport(request)
            message = read(request.body)
            identifier = message.id
            return self._answer(message, request)
        except RpcError as error:
            detail = {**error.data, "request_id": request.id}
            content = {"code": error.code, "message": error.message, "data": detail}
            return _json(error.status, {"jsonrpc": "2.0", "id": identifier, "error": content})

    @staticmethod
    def refuse(request: Request) -> Response:
        """GET and DELETE: there is no stream to open and no session to end."""
        content = {"code": INVALID_REQUEST, "message": "Send POST", "data": {"request_id": request.id}}
        return _json(405, {"jsonrpc": "2.0", "id": None, "error": content}, {"Allow": "POST"})

    def _check_transport(self, request: Request) -> None:
        if not self._is_welcome(request):
            raise RpcError(INVALID_REQUEST, "Foreign Origin", 403)
        if len(request.body) > MAX_BODY_BYTES:
            raise RpcError(INVALID_REQUEST, f"The body is over {MAX_BODY_BYTES} bytes", 413)
        media_type = request.headers.get("content-type", "application/json").split(";")[0].strip().lower()
        if media_type != "application/json":
            raise RpcError(INVALID_REQUEST, "Send the body as application/json", 415)

    def _is_welcome(self, request: Request) -> bool:
        """A browser's page of another site must not reach a server on its visitor's machine or network.

        The Host header is no witness: with a rebound name it is as foreign as the Origin.
        """
        origin = request.headers.get("origin")
        if origin is None or origin in self._settings.allowed_origins:
            return True
        try:
            host = urlsplit(origin).hostname
        except ValueError:
            return False
        return host is not None and (host in _LOOPBACK or host == request.context.get("domainName"))

    def _answer(self, message: Message, request: Request) -> Response:
        if message.id is None:
            return Response(202)
        era = era_of(message, request.headers)
        if era is Era.ENVELOPE:
            check_envelope(message, request.headers)
        result, headers = self._run(message, era, request)
        if era is Era.ENVELOPE:
            server_info = {SERVER_INFO_KEY: self._server_info()}
            result = {"resultType": "complete", **result, "_meta": server_info}
        return _json(200, {"jsonrpc": "2.0", "id": message.id, "result": result}, headers)

    def _run(self, message: Message, era: Era, request: Request) -> tuple[dict[str, Any], dict[str, str]]:
        match message.method, era:
            case "initialize", Era.HANDSHAKE:
                return self._initialize(message, request), {}
            case "ping", Era.HANDSHAKE:
                return {}, {}
            case "server/discover", Era.ENVELOPE:
                return self._discover(request), {}
            case "tools/list", _:
                return self._list(message, era), {}
            case "tools/call", _:
                return self._call_tool(message, era, request)
        # An old client takes an HTTP error for the end of its connection.
        status = 404 if era is Era.ENVELOPE else 200
        raise RpcError(METHOD_NOT_FOUND, f"Method not found: {message.method}", status)

    def _initialize(self, message: Message, request: Request) -> dict[str, Any]:
        asked = message.params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
            "capabilities": {"tools": {}},
            "serverInfo": self._server_info(),
            "instructions": self._instructions(request),
        }

    def _discover(self, request: Request) -> dict[str, Any]:
        return {
            "supportedVersions": list(VERSIONS),
            "capabilities": {"tools": {}},
            "instructions": self._instructions(request),
            "ttlMs": _LIST_TTL_MS,
            "cacheScope": "public",
        }

    @staticmethod
    def _list(message: Message, era: Era) -> dict[str, Any]:
        if message.params.get("cursor") is not None:
            raise RpcError(INVALID_PARAMS, "Unknown cursor: there is one page", _status(era))
        caching = {"ttlMs": _LIST_TTL_MS, "cacheScope": "public"} if era is Era.ENVELOPE else {}
        return {"tools": tools_as("mcp"), **caching}

    def _call_tool(
        self, message: Message, era: Era, request: Request
    ) -> tuple[dict[str, Any], dict[str, str]]:
        name, arguments = message.params.get("name"), message.params.get("arguments")
        if not isinstance(name, str) or name not in TOOLS:
            raise RpcError(INVALID_PARAMS, f"Unknown tool; there are: {', '.join(TOOLS)}", _status(era))
        if arguments is not None and not isinstance(arguments, dict):
            raise RpcError(INVALID_PARAMS, "arguments must be an object", _status(era))
        try:
            result = self._call(name, arguments or {}, request)
        except Exception as error:
            problem = as_problem(error)
            if problem is None:
                raise
            result = failure(problem, request, self._settings.demo_api_key)
        return result.content, result.headers

    def _server_info(self) -> dict[str, str]:
        return {
            "name": "brskills",
            "title": "brskills: Pix e CNPJ",
            "version": VERSION,
            "websiteUrl": self._settings.project_url,
        }

    def _instructions(self, request: Request) -> str:
        return _INSTRUCTIONS.format(
            base=base_url(request),
            demo=self._settings.demo_api_key,
            limit=self._settings.demo_monthly_limit,
        )


def _status(era: Era) -> int:
    return 400 if era is Era.ENVELOPE else 200


def _json(status: int, content: dict[str, Any], headers: dict[str, str] | None = None) -> Response:
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    standing = {"Content-Type": "application/json", "Cache-Control": "no-store", "Vary": "Accept-Language"}
    return Response(status, body, {**standing, **(headers or {})})

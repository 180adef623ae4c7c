"""A stateless MCP server over HTTP; the official library would double a cold start (decision 08)."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from brskills_server import telemetry
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.agents.cards import Cards
from brskills_server.agents.discovery import instructions, server_info
from brskills_server.agents.extensions import capabilities_for
from brskills_server.agents.handshake_sessions import session_extensions, session_header
from brskills_server.agents.message import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    Message,
    RpcError,
    check_transport,
    read,
)
from brskills_server.agents.methods import PUBLIC_TTL_MS, Method
from brskills_server.agents.protocol_versions import (
    SERVER_INFO_KEY,
    Style,
    check_envelope,
    check_header,
    style_of,
)
from brskills_server.agents.results import problem_for, refused
from brskills_server.agents.sign_in import sign_in_problem
from brskills_server.agents.tool_methods import CustomSkillsOf, RunTool, ToolMethods
from brskills_server.runtime.settings import Settings
from brskills_server.skills.errors import ApiError, classify
from brskills_server.telemetry.figures import REFUSALS
from brskills_server.web.mcp_versions import HANDSHAKE_VERSIONS, VERSIONS
from brskills_server.web.problems import content_of, problem_of
from brskills_server.web.request import Request
from brskills_server.web.response import Response

CheckToken = Callable[[str], object]


class Server:
    """MCP's methods. ``run_tool`` runs a skill and raises what ``Sessions.run_skill`` raises.

    ``custom_skills``: those that a request's key or token may use; raises ``InvalidKey`` or
    ``StoreUnavailable``. ``check_token`` raises ``InvalidToken`` or ``StoreUnavailable``. ``has_copy``:
    of the register, which some need.
    """

    def __init__(
        self,
        settings: Settings,
        run_tool: RunTool,
        custom_skills: CustomSkillsOf,
        check_token: CheckToken,
        cards: Cards,
        has_copy: Callable[[], bool],
    ) -> None:
        self._settings = settings
        self._check_token = check_token
        self._cards = cards
        self._tools = ToolMethods(settings, run_tool, custom_skills, cards, has_copy)

    @cached_property
    def _documents(self) -> dict[str, Method]:
        # Tools need none of them.
        from brskills_server.agents.documents import document_methods

        return document_methods(self._settings, self._cards.resources.values())

    def post(self, request: Request) -> Response:
        """Answer one message."""
        identifier = None
        try:
            check_transport(request, self._settings.allowed_origins)
            message = self._read(request)
            identifier = message.id
            self._check_sign_in(message, request)
            return self._answer(message, request)
        except RpcError as error:
            return _failed(error, identifier, request)
        except Exception as error:
            return _failed(self._refusal(error, request), identifier, request)

    def refuse(self, request: Request) -> Response:
        """Refuse GET and DELETE: this server has neither streams nor stored sessions."""
        error = RpcError(INVALID_REQUEST, "Send POST", 405, {"Allow": "POST"})
        return _failed(self._sign_in_error(request) or error, None, request)

    def _read(self, request: Request) -> Message:
        try:
            return read(request.body, encoded=request.is_encoded)
        except ApiError as refusal:
            problem = problem_of(refusal)
            assert problem  # noqa: S101, for mypy: every refusal has one
            telemetry.count(REFUSALS, problem.code)
            details = content_of(problem, request.id, request.language)
            raise RpcError(PARSE_ERROR, details["detail"], problem.status, problem=details) from None

    def _check_sign_in(self, message: Message, request: Request) -> None:
        """Raise for a client that has to sign in first; a call checks its token itself."""
        if error := self._sign_in_error(request):
            raise error
        if request.access_token and message.method != "tools/call":
            self._check_token(request.access_token)

    def _sign_in_error(self, request: Request) -> RpcError | None:
        problem = sign_in_problem(request)
        return refused(problem, request, self._settings) if problem else None

    def _refusal(self, error: Exception, request: Request) -> RpcError:
        """Return an error that has a problem as one of the protocol; raise any other again."""
        problem = problem_for(error, request)
        if problem is None:
            raise error
        request.outcome.end_with(classify(error))
        if isinstance(error, StoreUnavailable):
            request.report(error)
        return refused(problem, request, self._settings)

    def _answer(self, message: Message, request: Request) -> Response:
        if message.id is None:
            check_header(request.headers)
            return Response(202)
        style = style_of(message, request.headers)
        if style is Style.ENVELOPE:
            check_envelope(message, request.headers)
        else:
            message = replace(message, session=session_extensions(request.headers))
        try:
            result, headers = self._run(message, style, request)
        except RpcError as error:
            if style is Style.HANDSHAKE and error.status in (400, 404):
                error.status = 200  # older clients treat an HTTP error as the end of the connection
            raise
        if style is Style.ENVELOPE:
            info = {SERVER_INFO_KEY: server_info(self._settings, request.base_url)}
            meta = {**result.get("_meta", {}), **info}
            result = {"resultType": "complete", **result, "_meta": meta}
        tools = result.pop("tools", "")
        return _json(200, {"jsonrpc": "2.0", "id": message.id, "result": result}, headers, tools)

    def _run(
        self, message: Message, style: Style, request: Request
    ) -> tuple[dict[str, Any], Mapping[str, str]]:
        match message.method, style:
            case "initialize", Style.HANDSHAKE:
                return self._initialize(message, request), session_header(message, self._cards.lacks)
            case "ping", Style.HANDSHAKE:
                return {}, {}
            case "server/discover", Style.ENVELOPE:
                return self._discover(message, request), {}
            case "tools/list", _:
                return self._tools.list(message, style, request), {}
            case "tools/call", _:
                return self._tools.call(message, request)
        if method := self._documents.get(message.method):
            return method(message, style, request), {}
        raise RpcError(METHOD_NOT_FOUND, "Method not found", 404)

    def _initialize(self, message: Message, request: Request) -> dict[str, Any]:
        asked = message.params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
            "capabilities": capabilities_for(message, self._cards.lacks),
            "serverInfo": server_info(self._settings, request.base_url),
            "instructions": instructions(self._settings, request),
        }

    def _discover(self, message: Message, request: Request) -> dict[str, Any]:
        capabilities = capabilities_for(message, self._cards.lacks)
        return {
            "supportedVersions": list(VERSIONS),
            "capabilities": capabilities,
            "instructions": instructions(self._settings, request),
            "ttlMs": PUBLIC_TTL_MS,
            # A cache for all would answer clients that state other extensions.
            "cacheScope": "private" if "extensions" in capabilities else "public",
        }


def _failed(error: RpcError, identifier: str | int | None, request: Request) -> Response:
    data = {**error.data, "request_id": request.id}
    content = {"code": error.code, "message": error.message, "data": data}
    return _json(error.status, {"jsonrpc": "2.0", "id": identifier, "error": content}, error.headers)


def _json(
    status: int, content: dict[str, Any], headers: Mapping[str, str] | None = None, tools: str = ""
) -> Response:
    """Return a message; ``tools``: JSON for a last member of its result, which is the last of ``content``."""
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    if tools:
        body = f'{body[:-2]}{"," if content["result"] else ""}"tools":{tools}}}}}'
    common = {"Content-Type": "application/json", "Cache-Control": "no-store", "Vary": "Accept-Language"}
    return Response(status, body, {**common, **(headers or {})})

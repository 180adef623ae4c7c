"""POST /mcp: the skills for software agents, by the Model Context Protocol."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from agents import TOOLS
from agents.results import ToolResult, success
from agents.server import Server
from brcode import qr_png
from skills import account, company, pix
from skills.sources import open_registry
from web import Application, InvalidFields, Problem, Request, rate_headers
from web.body import check_shape
from web.services import Services
from web.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from access import Session
    from registry import Answer

settings = Settings.from_environment()
services = Services(settings)
registry = open_registry(settings, services.client)
loop = asyncio.new_event_loop()


def call(name: str, arguments: Mapping[str, Any], request: Request) -> ToolResult:
    """Run a tool for the key that is sent; raises what the skill or the ledger raises."""
    key = _api_key(request)
    if not key:
        raise Problem("missing_api_key")
    session = services.session_of_key(key, request)
    try:
        return _RUNNERS[name](dict(arguments), session, request)
    finally:
        session.ensure_checked()


def create_pix_code(arguments: dict[str, Any], session: Session, _request: Request) -> ToolResult:
    """The code as data, with its QR."""
    code = pix.create(arguments, session)
    return success(code.model_dump_json(), rate_headers(session.quota), qr_png(code.brcode))


def decode_pix_code(arguments: dict[str, Any], _session: Session, request: Request) -> ToolResult:
    """What is in a code; never counted."""
    return success(pix.decode(arguments, request.language).model_dump_json())


def look_up_company(arguments: dict[str, Any], session: Session, _request: Request) -> ToolResult:
    """A company's record."""
    found = company.look_up(arguments, session, _find)
    return success(found.json(), rate_headers(session.quota))


def get_usage(arguments: dict[str, Any], session: Session, _request: Request) -> ToolResult:
    """The month's calls; never counted."""
    _, faults = check_shape(TOOLS["get_usage"].arguments, arguments)
    if faults:
        raise InvalidFields(faults)
    return success(account.usage(session, services.ledger).model_dump_json())


def _find(cnpj: str, max_age: int | None) -> Answer:
    return loop.run_until_complete(registry.look_up(cnpj, max_age=max_age))


def _api_key(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    bearer = token.strip() if scheme.lower() == "bearer" else ""
    return request.headers.get("x-api-key", "").strip() or bearer


_RUNNERS = {
    "create_pix_code": create_pix_code,
    "decode_pix_code": decode_pix_code,
    "look_up_company": look_up_company,
    "get_usage": get_usage,
}

server = Server(settings, call)
handler = Application(
    "mcp",
    {
        ("POST", "/mcp"): server.post,
        ("GET", "/mcp"): server.refuse,
        ("DELETE", "/mcp"): server.refuse,
    },
)

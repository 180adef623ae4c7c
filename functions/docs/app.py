"""GET /api/v1/openapi.json, /api/v1/tools and what agents look for at known places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents import FORMATS, TOOLS, tools_as
from agents.cards import ai_catalog, server_card, server_json
from openapi import document
from web import Application, FieldFault, InvalidFields, Request, Response
from web.base import base_url
from web.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

settings = Settings.from_environment()

_HERE = Path(__file__).parent
_CACHED = {"Cache-Control": "public, max-age=300", "Vary": "Host"}
_JSON = "application/json"


def openapi(request: Request) -> Response:
    """The API in OpenAPI 3.1."""
    return _json(document(base_url(request)))


def tools(request: Request) -> Response:
    """The tools in one maker's format, and the HTTP calls that run them."""
    forms = request.query.get("format", [FORMATS[0]])
    if len(forms) != 1 or forms[0] not in FORMATS:
        raise InvalidFields([FieldFault("format", "invalid_value", {"expected": ", ".join(FORMATS)})])
    base = base_url(request)
    routes = {tool.name: {"method": tool.route[0], "url": base + tool.route[1]} for tool in TOOLS.values()}
    return _json({"format": forms[0], "tools": tools_as(forms[0]), "routes": routes})


def card(request: Request) -> Response:
    """The MCP server card."""
    content = server_card(base_url(request), settings.project_url)
    return _json(content, "application/mcp-server-card+json")


def catalogue(request: Request) -> Response:
    """The AI Catalog of this host."""
    return _json(ai_catalog(base_url(request)), "application/ai-catalog+json")


def registry_entry(request: Request) -> Response:
    """The entry for MCP registries."""
    return _json(server_json(base_url(request), settings.project_url))


def text(name: str, media_type: str) -> Callable[[Request], Response]:
    """A route that answers with a text of this folder, addresses and the demo key filled in."""
    template = (_HERE / name).read_text(encoding="utf-8")

    def answer(request: Request) -> Response:
        filled = template.replace("{base}", base_url(request)).replace("{demo}", settings.demo_api_key)
        return Response(200, filled, {"Content-Type": f"{media_type}; charset=utf-8", **_CACHED})

    return answer


def _json(content: dict[str, Any], media_type: str = _JSON) -> Response:
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return Response(200, body, {"Content-Type": media_type, **_CACHED})


handler = Application(
    "docs",
    {
        ("GET", "/api/v1/openapi.json"): openapi,
        ("GET", "/api/v1/tools"): tools,
        ("GET", "/llms.txt"): text("llms.txt", "text/plain"),
        ("GET", "/SKILL.md"): text("SKILL.md", "text/markdown"),
        ("GET", "/.well-known/ai-catalog.json"): catalogue,
        ("GET", "/mcp/server-card"): card,
        ("GET", "/server.json"): registry_entry,
    },
)

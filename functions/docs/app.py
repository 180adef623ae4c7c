"""GET /api/v1/openapi.json, /api/v1/tools and what agents look for at known places."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents.discovery import ai_catalog, server_card, server_json
from agents.formats import FORMATS, tools_as
from agents.guides import fill_in
from openapi.document import document
from skills.catalogue import SKILLS
from skills.refusals import InvalidRequest, RequestFault
from web.application import Application
from web.request import Request
from web.response import Response, json_response
from web.url import base_url
from wiring.settings import Settings

settings = Settings.from_environment()

_HERE = Path(__file__).parent
_CACHED = {"Cache-Control": "public, max-age=300", "Vary": "Host"}


def openapi(request: Request) -> Response:
    """The API in OpenAPI 3.1."""
    return _json(document(base_url(request)))


def tools(request: Request) -> Response:
    """The tools in one maker's format, and the HTTP calls that run them."""
    forms = request.query.get("format", [FORMATS[0]])
    if len(forms) != 1 or forms[0] not in FORMATS:
        raise InvalidRequest(RequestFault("format", "invalid_value", {"expected": ", ".join(FORMATS)}))
    base = base_url(request)
    routes = {
        skill.name: {"method": skill.endpoints[0].method, "url": base + skill.endpoints[0].path}
        for skill in SKILLS.values()
    }
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


def text(name: str, media_type: str, key: str) -> Callable[[Request], Response]:
    """A route that answers with a text of this folder; ``key`` stands where readers put their own."""
    template = fill_in((_HERE / name).read_text(encoding="utf-8"), key)

    def answer(request: Request) -> Response:
        filled = template.replace("{base}", base_url(request)).replace("{demo}", settings.demo_api_key)
        return Response(200, filled, {"Content-Type": f"{media_type}; charset=utf-8", **_CACHED})

    return answer


def _json(content: dict[str, Any], media_type: str = "application/json") -> Response:
    response = json_response(200, content)
    response.headers |= {"Content-Type": media_type, **_CACHED}
    return response


handler = Application(
    "docs",
    {
        ("GET", "/api/v1/openapi.json"): openapi,
        ("GET", "/api/v1/tools"): tools,
        ("GET", "/llms.txt"): text("llms.txt", "text/plain", "YOUR_KEY"),
        ("GET", "/SKILL.md"): text("SKILL.md", "text/markdown", "$BRSKILLS_API_KEY"),
        ("GET", "/.well-known/ai-catalog.json"): catalogue,
        ("GET", "/mcp/server-card"): card,
        ("GET", "/server.json"): registry_entry,
    },
)

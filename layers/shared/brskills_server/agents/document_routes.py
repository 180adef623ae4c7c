"""Routes of the OpenAPI document, the lists of tools and participants, and what agents find at set paths."""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from brskills_server.agents.discovery import ai_catalog, server_card, server_json
from brskills_server.agents.guides import fill_in, fill_in_address
from brskills_server.agents.skill_files import OWN_KEY, SERVICE_FILE
from brskills_server.runtime.services import Services
from brskills_server.runtime.snapshot import snapshot_check
from brskills_server.skills.catalogue import offered_skills
from brskills_server.skills.errors import InvalidRequest
from brskills_server.skills.issues import issue
from brskills_server.skills.service.participants import participants as list_participants
from brskills_server.skills.skill import Skill
from brskills_server.skills.tool_formats import FORMATS, tools_as
from brskills_server.web.request import Request
from brskills_server.web.response import Response, json_response, revalidated
from brskills_server.web.skill_routes import Routes
from brskills_server.web.visible_skills import listed_skills

_VARY = "Host, X-Forwarded-Proto, Authorization, X-API-Key"
_CACHED = {"Cache-Control": "public, max-age=300", "Vary": _VARY}
_JSON = {"Content-Type": "application/json"}
_PRIVATE = {"Cache-Control": "private, no-store"}


def document_routes(services: Services, llms: Path) -> Routes:
    """Return the routes of the documents; ``llms``: the template of ``/llms.txt``.

    They raise ``StoreUnavailable`` with a key, where custom skills are installed.
    """
    settings = services.settings
    with_copy = snapshot_check(settings)

    def openapi_text(base: str, language: str, custom: tuple[Skill, ...]) -> str:
        from brskills_server.web.openapi.document import document  # imports every model, and no page needs it

        return str(json_response(200, document(base, settings, custom, language)).body)

    standard_text = lru_cache(maxsize=4)(openapi_text)  # in two languages; callers choose their base

    def openapi(request: Request) -> Response:
        own = tuple(listed_skills(request, services).values())
        content = (openapi_text if own else standard_text)(request.base_url, request.language, own)
        return _for_caller(Response(200, content, {**_JSON, **_CACHED, **_in_language(request)}), request)

    def tools(request: Request) -> Response:
        forms = request.query.get("format", [FORMATS[0]])
        if len(forms) != 1 or forms[0] not in FORMATS:
            raise InvalidRequest(issue("format", "invalid_value", expected=", ".join(FORMATS)))
        base, own, copied = request.base_url, listed_skills(request, services).values(), with_copy()
        routes = {
            skill.name: {"method": skill.endpoints[0].method, "url": base + skill.endpoints[0].path}
            for skill in (*offered_skills(with_copy=copied), *own)
        }
        listed = tools_as(forms[0], own, request.language, with_copy=copied)
        response = _json({"format": forms[0], "tools": listed, "routes": routes})
        response.headers |= _in_language(request)
        return _for_caller(response, request)

    def text(file: Path, media_type: str, key: str) -> Callable[[Request], Response]:
        """Return a route that answers with the text of a file; ``key``: placeholder of the caller's key."""
        template = settings.features.render(file.read_text(encoding="utf-8"))
        public = fill_in(template, key)

        def answer(request: Request) -> Response:
            own = listed_skills(request, services).values()
            filled = fill_in(template, key, own) if own else public
            filled = fill_in_address(filled, request.base_url, settings)
            headers = {"Content-Type": f"{media_type}; charset=utf-8", **_CACHED}
            return _for_caller(Response(200, filled, headers), request)

        return answer

    return {
        ("GET", "/api/v1/openapi.json"): openapi,
        ("GET", "/api/v1/tools"): tools,
        ("GET", "/api/v1/participants"): _participants,
        ("GET", "/llms.txt"): text(llms, "text/plain", "YOUR_KEY"),
        ("GET", "/SKILL.md"): text(SERVICE_FILE, "text/markdown", OWN_KEY),
        ("GET", "/.well-known/ai-catalog.json"): lambda request: _json(
            ai_catalog(request.base_url), "application/ai-catalog+json"
        ),
        ("GET", "/mcp/server-card"): lambda request: _json(
            server_card(request.base_url, settings), "application/mcp-server-card+json"
        ),
        ("GET", "/server.json"): lambda request: _json(server_json(request.base_url, settings)),
    }


def _participants(request: Request) -> Response:
    """Return the list of Pix participants, or the one of ``?ispb=``."""
    response = _listed(request.query) if request.query else _all_listed()
    return revalidated(response, request.headers.get("if-none-match", ""))


def _listed(query: Mapping[str, list[str]]) -> Response:
    return json_response(200, list_participants(query), Cache_Control="public, max-age=3600")


@cache
def _all_listed() -> Response:
    return _listed({})


def _json(content: dict[str, Any], media_type: str = "application/json") -> Response:
    response = json_response(200, content)
    response.headers |= {"Content-Type": media_type, **_CACHED}
    return response


def _in_language(request: Request) -> dict[str, str]:
    return {"Content-Language": request.language, "Vary": f"{_VARY}, Accept-Language"}


def _for_caller(response: Response, request: Request) -> Response:
    """Return the response, private with a key: it shows what its owner may use now."""
    if request.api_key:
        response.headers |= _PRIVATE
    return response

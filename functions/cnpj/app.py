"""GET /api/v1/skills/cnpj/{cnpj} and POST /api/v1/skills/cnpj."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from skills import company
from skills.sources import open_registry
from web import Application, Request, Response, rate_headers, read_json
from web.services import Services
from web.settings import Settings

if TYPE_CHECKING:
    from access import Session
    from registry import Answer

settings = Settings.from_environment()
services = Services(settings)
registry = open_registry(settings, services.client)
loop = asyncio.new_event_loop()


def by_path(request: Request, session: Session) -> Response:
    """The company of the path; ``idade_maxima`` may stand in the query."""
    content: dict[str, Any] = {"cnpj": unquote(request.path_parameters["cnpj"])}
    for name, values in request.query.items():
        content[name] = _number(",".join(values)) if name == "idade_maxima" else values[-1]
    return answer(content, request, session)


def by_body(request: Request, session: Session) -> Response:
    """The company of the body."""
    return answer(read_json(request), request, session)


def answer(content: dict[str, Any], request: Request, session: Session) -> Response:
    """The record, or 304 where the caller already has it; both count."""
    found = company.look_up(content, session, _find)
    headers = {
        "ETag": found.etag,
        "Cache-Control": "private, no-cache",
        "Vary": "Accept-Language",
        **rate_headers(session.quota),
    }
    if _matches(request.headers.get("if-none-match", ""), found.etag):
        return Response(304, "", headers)
    return Response(200, found.json(), {"Content-Type": "application/json", **headers})


def _find(cnpj: str, max_age: int | None) -> Answer:
    return loop.run_until_complete(registry.look_up(cnpj, max_age=max_age))


def _number(text: str) -> int | str:
    """A query knows only text; what is no number is left for the model to refuse."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,12}", text) else text


def _matches(if_none_match: str, etag: str) -> bool:
    """Weak comparison (RFC 9110 §13.1.2)."""
    tags = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    return "*" in tags or etag.removeprefix("W/") in tags


handler = Application(
    "cnpj",
    {
        ("GET", "/api/v1/skills/cnpj/{cnpj+}"): services.keyed(by_path),
        ("POST", "/api/v1/skills/cnpj"): services.keyed(by_body),
    },
)

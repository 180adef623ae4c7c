"""POST /api/v1/skills/pix and /pix/decode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brcode import qr_png, qr_svg
from skills import pix
from web import Application, Request, Response, rate_headers, read_json
from web.services import Services
from web.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from access import Session

services = Services(Settings.from_environment())


def create(request: Request, session: Session) -> Response:
    """A BR Code in the form the caller accepts: JSON, text, SVG or PNG."""
    code = pix.create(read_json(request), session)
    headers = {
        "Cache-Control": "no-store",
        "Vary": "Accept, Accept-Language",
        **rate_headers(session.quota),
    }
    if request.accept not in _FORMS:
        return Response(200, code.model_dump_json(), {"Content-Type": "application/json", **headers})
    if code.ajustes:
        headers["X-Ajustes"] = ", ".join(f"{change.campo};{change.motivo}" for change in code.ajustes)
    media_type, draw = _FORMS[request.accept]
    return Response(200, draw(code.brcode), {"Content-Type": media_type, **headers})


def decode(request: Request, _session: Session) -> Response:
    """What is in a code; never counted."""
    found = pix.decode(read_json(request), request.language)
    headers = {"Content-Type": "application/json", "Cache-Control": "no-store", "Vary": "Accept-Language"}
    return Response(200, found.model_dump_json(), headers)


_FORMS: dict[str, tuple[str, Callable[[str], str | bytes]]] = {
    "text/plain": ("text/plain; charset=utf-8", str),
    "image/svg+xml": ("image/svg+xml", qr_svg),
    "image/png": ("image/png", qr_png),
}

handler = Application(
    "pix",
    {
        ("POST", "/api/v1/skills/pix"): services.keyed(create),
        ("POST", "/api/v1/skills/pix/decode"): services.keyed(decode),
    },
)

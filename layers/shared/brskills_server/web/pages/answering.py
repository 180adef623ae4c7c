"""Answers to proxy events: a document with its headers, 304 to who has it, the problem that there is none."""

import html
from typing import Any

from brskills_server.web.pages.documents import Document
from brskills_server.web.url import base_at

__all__ = ["IMMUTABLE", "REVALIDATED", "answer", "base_of", "not_found", "place"]

REVALIDATED = "no-cache"
IMMUTABLE = "public, max-age=31536000, immutable"

_EVERYWHERE = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def answer(event: dict[str, Any], document: Document, cache_control: str) -> dict[str, Any]:
    """The document as a proxy result, or 304 where the caller has it."""
    headers = {
        **_EVERYWHERE,
        "Cache-Control": cache_control,
        "Content-Security-Policy": document.policy,
        "ETag": document.etag,
        # A page names the address that it was asked for at: no cache may show it at another.
        **({"Vary": "Host, X-Forwarded-Proto"} if cache_control == REVALIDATED else {}),
        "X-Request-Id": str((event.get("requestContext") or {}).get("requestId") or ""),
    }
    if _known(event, document.etag):
        return {"statusCode": 304, "headers": headers, "body": "", "isBase64Encoded": False}
    headers["Content-Type"] = document.media_type
    return {"statusCode": 200, "headers": headers, "body": document.body, "isBase64Encoded": False}


def place(page: Document, name: str, event: dict[str, Any]) -> Document:
    """The page, told where it stands: its own address, as far as we know it, and where its links begin.

    ``name`` is its path and query below the base. Links are relative, so that a stage or a proxy's prefix may
    stand before them; seen from a stage's name without the slash (``/v1``) they would miss it.
    """
    address = str((event.get("requestContext") or {}).get("path") or "/")
    told = ""
    if name == "/" and not address.endswith("/"):
        told = f'<base href="{html.escape(address.rpartition("/")[2])}/">'
    own = html.escape(base_of(event, name.partition("?")[0]) + name)
    if own.startswith("http"):
        told += f'<link rel="canonical" href="{own}"><meta property="og:url" content="{own}">'
    return Document(page.body.replace("<head>", f"<head>{told}", 1), page.media_type, page.policy)


def base_of(event: dict[str, Any], path: str) -> str:
    """The address of the service, by an event for a path below it."""
    return base_at(event.get("requestContext") or {}, _headers(event), path)


def not_found(event: dict[str, Any]) -> dict[str, Any]:
    """The problem that there is nothing at this address."""
    # Problems need the layer's slow imports; no page links here.
    from brskills_server.web.problems import Problem, render
    from brskills_server.web.request import Request

    request = Request(event)
    return render(Problem("not_found"), request.id, request.language).as_proxy_result(request.id)


def _known(event: dict[str, Any], etag: str) -> bool:
    """Whether the caller has it already: weak comparison (RFC 9110 §13.1.2)."""
    tags = {tag.strip().removeprefix("W/") for tag in _headers(event).get("if-none-match", "").split(",")}
    return "*" in tags or etag in tags


def _headers(event: dict[str, Any]) -> dict[str, str]:
    return {name.lower(): value for name, value in (event.get("headers") or {}).items()}

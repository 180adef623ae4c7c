"""Documents with their validators and security headers: pages, and the static files that they load."""

import base64
import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from brskills_server.web.problems import Problem, render
from brskills_server.web.request import Request
from brskills_server.web.url import base_at
from brskills_server.web.validators import is_current, tag_of

HTML = "text/html; charset=utf-8"
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
REVALIDATED = "no-cache"
IMMUTABLE = "public, max-age=31536000, immutable"

_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Document:
    """A text, or bytes, with media type and Content-Security-Policy."""

    def __init__(self, body: str | bytes, media_type: str, policy: str = "default-src 'none'") -> None:
        self.body = body
        self.media_type = media_type
        self.policy = policy

    @cached_property
    def etag(self) -> str:
        """Return a strong validator: the digest of the body."""
        return tag_of(self.body if isinstance(self.body, bytes) else self.body.encode())


def static_files(root: Path) -> dict[str, Document]:
    """Return the text files below a folder by their relative path."""
    return {
        path.relative_to(root).as_posix(): Document(path.read_text("utf-8"), MEDIA_TYPES[path.suffix])
        for path in sorted(root.rglob("*"))
        if path.suffix in MEDIA_TYPES
    }


def version_of(files: Mapping[str, Document]) -> str:
    """Return a digest that changes with any of the files."""
    content = "".join(f"{name}\0{file.etag}\n" for name, file in files.items())
    return hashlib.sha256(content.encode()).hexdigest()[:12]


def respond(event: dict[str, Any], document: Document, cache_control: str) -> dict[str, Any]:
    """Return the document as a proxy result, or 304 if the caller has it."""
    headers = {
        **_HEADERS,
        "Cache-Control": cache_control,
        "Content-Security-Policy": document.policy,
        "ETag": document.etag,
        # A page contains the address it was requested at: no cache may serve it at another.
        **({"Vary": "Host, X-Forwarded-Proto"} if cache_control == REVALIDATED else {}),
        "X-Request-Id": str((event.get("requestContext") or {}).get("requestId") or ""),
    }
    if is_current(document.etag, _headers(event).get("if-none-match", "")):
        return {"statusCode": 304, "headers": headers, "body": "", "isBase64Encoded": False}
    headers["Content-Type"] = document.media_type
    answer = {"statusCode": 200, "headers": headers, "body": document.body, "isBase64Encoded": False}
    if isinstance(document.body, bytes):
        answer |= {"body": base64.b64encode(document.body).decode(), "isBase64Encoded": True}
    return answer


def address_values(event: dict[str, Any], path: str) -> dict[str, str]:
    """Return what templates need of a page's address: ``base_href`` and ``address``, or empty strings.

    ``path`` is below the base. Links are relative, because a stage or a proxy's prefix may precede them; at
    the stage's own path without a trailing slash (``/v1``) they need ``base_href``. ``address`` is empty if
    the host is unknown.
    """
    requested = str((event.get("requestContext") or {}).get("path") or "/")
    address = base_of(event, path) + path
    return {
        "base_href": f"{requested.rpartition('/')[2]}/" if path == "/" and requested[-1] != "/" else "",
        "address": address if address.startswith("http") else "",
    }


def base_of(event: dict[str, Any], path: str) -> str:
    """Return the base address of the service for a request to ``path`` below it."""
    return base_at(event.get("requestContext") or {}, _headers(event), path)


def moved(event: dict[str, Any], address: str) -> dict[str, Any]:
    """Return a permanent redirect."""
    answer = respond(event, Document("", HTML), REVALIDATED)
    return {**answer, "statusCode": 308, "headers": {**answer["headers"], "Location": address}}


def not_found(event: dict[str, Any]) -> dict[str, Any]:
    """Return the problem ``not_found``."""
    request = Request(event)
    return render(Problem("not_found"), request.id, request.language).as_proxy_result(request.id)


def _headers(event: dict[str, Any]) -> dict[str, str]:
    return {name.lower(): value for name, value in (event.get("headers") or {}).items()}

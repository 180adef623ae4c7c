"""The address a caller reached us at, so that what we hand out can be followed from where they stand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from brskills_server.web.request import Request

__all__ = ["base_at", "base_url"]

_HOST = re.compile(r"(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?\Z")


def base_url(request: Request) -> str:
    """``{base}`` of a request to a route without parameters: scheme, host and what stands before the path.

    That may be a stage of API Gateway. Where the Host header is not a host, the address is relative.
    """
    return base_at(request.context, request.headers, request.route[1])


def base_at(context: Mapping[str, Any], headers: Mapping[str, str], resource: str) -> str:
    """The same by a proxy event's context, its headers by lower-case name, and its route."""
    host = str(context.get("domainName") or headers.get("host", ""))
    # A letter may be sent encoded; the route has it as it is.
    path = unquote(str(context.get("path") or "")).removesuffix(resource).rstrip("/")
    if not _is_host(host):
        return path
    scheme = headers.get("x-forwarded-proto", "http").split(",")[0].strip().lower()
    return f"{'https' if scheme == 'https' else 'http'}://{host}{path}"


def _is_host(text: str) -> bool:
    """Whether it is a host, and its port one that there can be."""
    try:
        return bool(_HOST.match(text)) and urlsplit(f"//{text}").port != 0
    except ValueError:
        return False

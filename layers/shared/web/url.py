"""The address a caller reached us at, so that what we hand out can be followed from where they stand."""

import re
from urllib.parse import urlsplit

from web.request import Request

__all__ = ["base_url"]

_HOST = re.compile(r"(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?\Z")


def base_url(request: Request) -> str:
    """``{base}`` of a request to a route without parameters: scheme, host and what stands before the path.

    That may be a stage of API Gateway. Where the Host header is not a host, the address is relative.
    """
    host = str(request.context.get("domainName") or request.headers.get("host", ""))
    path = str(request.context.get("path") or "").removesuffix(request.route[1]).rstrip("/")
    if not _is_host(host):
        return path
    scheme = request.headers.get("x-forwarded-proto", "http").split(",")[0].strip().lower()
    return f"{'https' if scheme == 'https' else 'http'}://{host}{path}"


def _is_host(text: str) -> bool:
    """Whether it is a host, and its port one that there can be."""
    try:
        return bool(_HOST.match(text)) and urlsplit(f"//{text}").port != 0
    except ValueError:
        return False

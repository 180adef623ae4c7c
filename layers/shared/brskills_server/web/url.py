"""The address by which a caller reached the service, for links in answers."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

_HOST = re.compile(r"(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?\Z")


def base_at(context: Mapping[str, Any], headers: Mapping[str, str], resource: str) -> str:
    """Return ``{base}`` of a proxy event: scheme, host and path prefix, which may be a stage of API Gateway.

    ``headers``: by lower-case name; ``resource``: a route without parameters. If the Host header is not a
    host, the address is relative.
    """
    host = str(context.get("domainName") or headers.get("host", ""))
    # A letter may be sent percent-encoded; the route has it decoded.
    path = unquote(str(context.get("path") or "")).removesuffix(resource).rstrip("/")
    try:
        is_host = bool(_HOST.match(host)) and urlsplit(f"//{host}").port != 0
    except ValueError:
        is_host = False
    if not is_host:
        return path
    scheme = headers.get("x-forwarded-proto", "http").split(",")[0].strip().lower()
    return f"{'https' if scheme == 'https' else 'http'}://{host}{path}"

"""Checks of MCP's HTTP transport before a message is read: origin, size and type of the body."""

from collections.abc import Collection
from urllib.parse import urlsplit

from brskills_server.agents.message import INVALID_REQUEST, RpcError
from brskills_server.web.body import MAX_BODY_BYTES
from brskills_server.web.request import Request

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def check_transport(request: Request, allowed_origins: Collection[str]) -> None:
    """Raise ``RpcError`` 403, 413 or 415; ``allowed_origins``: of web pages that may call, as ``https://host``."""
    if not _is_allowed(request, allowed_origins):
        raise RpcError(INVALID_REQUEST, "Foreign Origin", 403)
    if len(request.body) > MAX_BODY_BYTES:
        raise RpcError(INVALID_REQUEST, f"The body is over {MAX_BODY_BYTES} bytes", 413)
    if request.media_type != "application/json":
        raise RpcError(INVALID_REQUEST, "Send the body as application/json", 415)


def _is_allowed(request: Request, allowed_origins: Collection[str]) -> bool:
    """Whether the Origin is allowed: another site's page must not reach a server on its visitor's network.

    The Host header proves nothing: under DNS rebinding it names the attacker's host, as the Origin does.
    """
    origin = request.headers.get("origin")
    if origin is None or origin in allowed_origins:
        return True
    try:
        host = urlsplit(origin).hostname
    except ValueError:
        return False
    return host is not None and (host in _LOOPBACK or host == request.context.get("domainName"))

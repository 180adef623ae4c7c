"""JSON-RPC messages over HTTP: the checks of a request, and the message in its body."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from brskills_server.web.body import MAX_BODY_BYTES, parse_json
from brskills_server.web.request import Request

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
RESOURCE_NOT_FOUND = -32002
REFUSED = -32010  # of the range that JSON-RPC leaves to servers; ``problem`` in its data says why
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


class RpcError(Exception):
    """JSON-RPC error, with its HTTP status, headers and further data."""

    def __init__(
        self,
        code: int,
        message: str,
        status: int = 400,
        headers: Mapping[str, str] | None = None,
        **data: Any,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.headers = headers or {}
        self.data = data


@dataclass(frozen=True, slots=True)
class Message:
    """Request, or notification where ``id`` is ``None``. ``session``: extensions stated in ``initialize``."""

    method: str
    params: dict[str, Any]
    id: str | int | None
    session: Mapping[str, Any] = field(default_factory=dict)

    @property
    def meta(self) -> dict[str, Any]:
        """The request's ``_meta``, or an empty one."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}


def read(body: bytes, *, encoded: bool = False) -> Message:
    """Return the message of a body. ``encoded``: as in ``web.body.parse_json``.

    Raise ``ApiError`` for invalid JSON, and ``RpcError`` for anything but one request or notification.
    """
    content = parse_json(body, encoded=encoded)
    if not isinstance(content, dict) or content.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, "Send one JSON-RPC 2.0 request or notification, no batch")
    method, params, identifier = content.get("method"), content.get("params", {}), content.get("id")
    if not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, "method must be a string")
    if not isinstance(params, dict):
        raise RpcError(INVALID_REQUEST, "params must be an object")
    if "id" in content and (isinstance(identifier, bool) or not isinstance(identifier, str | int)):
        raise RpcError(INVALID_REQUEST, "id must be a string or an integer")
    return Message(method, params, identifier)


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

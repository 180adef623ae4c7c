"""JSON-RPC messages.

>>> read(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}')
Message(method='ping', params={}, id=1)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from brskills_server.web.body import parse_json

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
UNAUTHORIZED = -32010  # of the range that JSON-RPC leaves to servers
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022


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
    """Request, or notification where ``id`` is ``None``."""

    method: str
    params: dict[str, Any]
    id: str | int | None

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

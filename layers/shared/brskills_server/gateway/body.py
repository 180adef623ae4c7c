"""Reading of a request's whole body, within limits of size and time, before a thread works for it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

MAX_TARGET_BYTES = 8190
"""Path and query; about what API Gateway accepts."""

MAX_HEAD_BYTES = 16 * 1024
"""Request line and headers."""

MAX_HEADERS = 100
"""Lines of a head after the first; parsing takes some 2 µs for each, however short it is."""

MAX_BODY_BYTES = 512 * 1024
"""On any route; the functions' limits are lower. Memory: this times the number of connections."""

BODY_SECONDS = 30
"""From the end of the headers to the last byte of the body."""

Receive = Callable[[], Awaitable[Mapping[str, Any]]]


class InvalidRequest(Exception):
    """A request that no function gets; ``code`` is the problem's."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Disconnected(Exception):
    """The client closed the connection before its request was complete."""


async def read_body(scope: Mapping[str, Any], receive: Receive) -> bytes:
    """Return the body. Raise `InvalidRequest` or `Disconnected`."""
    _check_head(scope)
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _read(receive)
    except TimeoutError:
        raise InvalidRequest("request_timeout") from None


def _check_head(scope: Mapping[str, Any]) -> None:
    names = {name for name, _ in scope["headers"]}
    if scope["http_version"] not in {"1.0", "1.1"}:
        raise InvalidRequest("malformed_request")
    # A proxy may see the end of such a body elsewhere (request smuggling, RFC 9112 §6.3).
    if b"transfer-encoding" in names and (b"content-length" in names or scope["http_version"] == "1.0"):
        raise InvalidRequest("malformed_request")
    if len(scope["raw_path"]) + len(scope["query_string"]) > MAX_TARGET_BYTES:
        raise InvalidRequest("uri_too_long")
    if int(dict(scope["headers"]).get(b"content-length", 0)) > MAX_BODY_BYTES:
        raise InvalidRequest("body_too_large")


async def _read(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        body += message["body"]
        if len(body) > MAX_BODY_BYTES:
            raise InvalidRequest("body_too_large")
        if not message["more_body"]:
            return bytes(body)

"""A request is read whole, within limits of size and time, before any thread works for it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

__all__ = [
    "MAX_BODY_BYTES",
    "MAX_HEADERS",
    "MAX_HEAD_BYTES",
    "MAX_TARGET_BYTES",
    "Disconnected",
    "Refused",
    "read_body",
]

MAX_TARGET_BYTES = 8190
"""Path and query; about what API Gateway takes."""

MAX_HEAD_BYTES = 16 * 1024
"""Request line and headers."""

MAX_HEADERS = 100
"""Lines of a head after the first one: parsing costs some 2 µs for each, however short it is."""

MAX_BODY_BYTES = 512 * 1024
"""Of any route; so many connections as there may be can hold so much. The functions' limits are below it."""

BODY_SECONDS = 30
"""How long a body may take from the end of the headers to its last byte."""

Receive = Callable[[], Awaitable[Mapping[str, Any]]]


class Refused(Exception):
    """The request is not passed on; ``code`` is the problem's."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Disconnected(Exception):
    """The client went away before its request was whole."""


async def read_body(scope: Mapping[str, Any], receive: Receive) -> bytes:
    """The request's whole body; raises :class:`Refused` or :class:`Disconnected`."""
    _check_head(scope)
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _read(receive)
    except TimeoutError:
        raise Refused("request_timeout") from None


def _check_head(scope: Mapping[str, Any]) -> None:
    names = {name for name, _ in scope["headers"]}
    if scope["http_version"] not in {"1.0", "1.1"}:
        raise Refused("malformed_request")
    # Where a body ends must not be a matter of opinion (RFC 9112 §6.3): a proxy may hold another one.
    if b"transfer-encoding" in names and (b"content-length" in names or scope["http_version"] == "1.0"):
        raise Refused("malformed_request")
    if len(scope["raw_path"]) + len(scope["query_string"]) > MAX_TARGET_BYTES:
        raise Refused("uri_too_long")
    if int(dict(scope["headers"]).get(b"content-length", 0)) > MAX_BODY_BYTES:
        raise Refused("body_too_large")


async def _read(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        body += message["body"]
        if len(body) > MAX_BODY_BYTES:
            raise Refused("body_too_large")
        if not message["more_body"]:
            return bytes(body)

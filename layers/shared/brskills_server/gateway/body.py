"""Reading of a request's whole body, within limits of size and time, before a thread works for it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

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


async def read_body(receive: Receive) -> bytes:
    """Return the body. Raise `InvalidRequest` or `Disconnected`."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _read(receive)
    except TimeoutError:
        raise InvalidRequest("request_timeout") from None


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

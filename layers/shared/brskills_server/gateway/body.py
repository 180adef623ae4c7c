"""A request's whole body, within limits of size and time, before a thread works for it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

MAX_BODY_BYTES = 512 * 1024
"""On any route; the functions' limits are lower. Memory: this times the number of connections."""

BODY_SECONDS = 30
"""From the end of the headers to the last byte of the body."""

DISCARDED_BYTES = 8 * 1024 * 1024
DISCARD_SECONDS = 5.0
"""What is read at most of a request that is refused."""

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]


class InvalidRequest(Exception):
    """A request that no function gets; ``code`` is the problem's."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Disconnected(Exception):
    """The client closed the connection before its request was complete."""


class Body:
    """The body of an ASGI request, which the server has ``refused`` if its scope says so."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._scope = scope
        self._receive = receive
        self.is_complete = False

    async def read(self) -> bytes:
        """Return the body. Raise `InvalidRequest` or `Disconnected`."""
        body = bytearray()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while not self.is_complete:
                    body += await self._next()
                    if "refused" in self._scope:
                        raise InvalidRequest(self._scope["refused"])
                    if len(body) > MAX_BODY_BYTES:
                        raise InvalidRequest("body_too_large")
        except TimeoutError:
            raise InvalidRequest("request_timeout") from None
        return bytes(body)

    async def discard(self) -> None:
        """Read what the client of a refused request still sends, so that it gets to its answer.

        A connection that is closed with unread bytes is reset, and clients that send first read nothing then
        (RFC 9112 §9.6).
        """
        left = DISCARDED_BYTES
        with suppress(TimeoutError, Disconnected):
            async with asyncio.timeout(DISCARD_SECONDS):
                while left >= 0 and not self.is_complete:
                    left -= len(await self._next())

    async def _next(self) -> bytes:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        self.is_complete = not message["more_body"]
        part: bytes = message["body"]
        return part

"""Reading what a refused client still sends, so that it gets to its answer (RFC 9112 §9.6).

A connection that is closed with unread bytes is reset, and clients that send first read nothing then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

SECONDS = 5.0
MAX_BYTES = 8 * 1024 * 1024
"""Discarded at most, of one connection."""


class Discarder(asyncio.Protocol):
    """The protocol of a connection after its last answer. ``end`` closes it, and ``lost`` is called then."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        end: Callable[[], None],
        lost: Callable[[Exception | None], None],
    ) -> None:
        self._left = MAX_BYTES
        self._end = end
        self._lost = lost
        self._timer = loop.call_later(SECONDS, end)

    def data_received(self, data: bytes) -> None:
        """Discard bytes, up to the limit."""
        self._left -= len(data)
        if self._left < 0:
            self._end()

    def eof_received(self) -> bool:
        """Close: the client sends no more."""
        self._end()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the limit of time."""
        self._timer.cancel()
        self._lost(exc)

"""A transport that joins what is written in one round of the event loop: an answer's head and its body."""

from __future__ import annotations

import asyncio
from typing import Any


class CoalescingTransport:
    """``transport`` with one system call, and one segment, for all writes of a round."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._pending: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Write at the end of this round."""
        if not self._pending:
            self._loop.call_soon(self._flush)
        self._pending.append(data)

    def write_eof(self) -> None:
        """Write what is pending, and nothing afterwards."""
        self._flush()
        self._transport.write_eof()

    def close(self) -> None:
        """Write what is pending, and close."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._pending and not self._transport.is_closing():
            self._transport.write(b"".join(self._pending))
        self._pending.clear()

"""Follow the connection of a request of httpx, and close it where its TLS handshake is cancelled."""

from collections.abc import Mapping
from typing import Any


class ConnectionTrace:
    """The ``trace`` extension of one request. ``opened``: whether a connection was begun for it.

    httpcore closes a connection whose handshake fails, but leaves one whose handshake is cancelled to the
    garbage collector: a server that accepts and says nothing would hold a descriptor long after its time-out.
    """

    def __init__(self) -> None:
        self.opened = False
        self._stream: Any = None

    async def __call__(self, event: str, details: Mapping[str, Any]) -> None:
        """Take an event of httpcore."""
        if event == "connection.connect_tcp.started":
            self.opened = True
        elif event == "connection.connect_tcp.complete":
            self._stream = details["return_value"]
        elif event == "connection.start_tls.failed":
            await self._stream.aclose()

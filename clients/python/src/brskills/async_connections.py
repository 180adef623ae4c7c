"""The connections of the client for asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

_MAX_IDLE = 20


class AsyncConnections:
    """Clients of httpx with one connection each, for one call at a time; a given ``transport`` is shared.

    A call that is cancelled at the wrong moment keeps its place in httpx's pool, and a hundred of them would
    leave none for other calls.
    """

    def __init__(self, base_url: str, timeout: float, transport: httpx.AsyncBaseTransport | None) -> None:
        import httpx

        verify = True if transport else httpx.create_ssl_context()  # once: it takes some 20 ms

        def new() -> httpx.AsyncClient:
            return httpx.AsyncClient(base_url=base_url, timeout=timeout, verify=verify, transport=transport)

        self._new = new
        self._idle = [new()]  # raises for an address that is none
        self._shared = self._idle[0] if transport else None

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[httpx.AsyncClient]:
        """Lend a client to one call. It is closed if the call raises or is cancelled."""
        if self._shared:
            yield self._shared
            return
        client = self._idle.pop() if self._idle else self._new()
        try:
            yield client
        except BaseException:
            await client.aclose()
            raise
        if len(self._idle) < _MAX_IDLE:
            self._idle.append(client)
        else:
            await client.aclose()

    async def close(self) -> None:
        """Close the connections."""
        for client in self._idle:
            await client.aclose()

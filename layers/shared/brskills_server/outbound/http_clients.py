"""HTTP clients that are kept for further calls, each for one call at a time."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx

MAX_CALLS = 100
"""At once, of all servers; the next one waits."""

MAX_IDLE = 20
"""Clients of one server: those of two batches."""


class HttpClients:
    """Clients of one connection each, for one event loop. ``new``: returns a client.

    No call shares httpcore's pool with another: a call that is cancelled at the wrong moment would keep its
    place in the pool, and after a hundred of them every other call would wait in vain.
    """

    def __init__(self, new: Callable[[], httpx.AsyncClient]) -> None:
        self._new = new
        self._places = asyncio.Semaphore(MAX_CALLS)
        self._idle: dict[str, list[httpx.AsyncClient]] = defaultdict(list)

    @asynccontextmanager
    async def taken(self, server: str) -> AsyncIterator[httpx.AsyncClient]:
        """Lend a client to one call of a server. It is closed if the call raises or is cancelled."""
        idle = self._idle[server]
        async with self._places:
            client = idle.pop() if idle else self._new()
            try:
                yield client
            except BaseException:
                await client.aclose()
                raise
            if len(idle) < MAX_IDLE:
                idle.append(client)
            else:
                await client.aclose()

    async def close(self) -> None:
        """Close the clients that are idle."""
        for idle in self._idle.values():
            while idle:
                await idle.pop().aclose()

"""ASGI's lifespan: what a worker does at its end, when the last call is answered."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

__all__ = ["live"]


async def live(
    receive: Callable[[], Awaitable[Mapping[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
    at_end: Callable[[], None],
) -> None:
    """Ready at once; ``at_end``, which may block and does not raise, is what the server's end waits for."""
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await asyncio.to_thread(at_end)
    await send({"type": "lifespan.shutdown.complete"})

"""Protection of look-ups in the event loop from a slow or failing store."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from brskills_server.registry.store import StoreFault

T = TypeVar("T")

STORE_SECONDS = 1.0
"""How long a look-up waits for one operation of the store."""

_WORKERS = 8  # not the loop's default threads, which resolve host names: a store that hangs would block them


class StoreGuard:
    """Worker threads for blocking operations of the store."""

    def __init__(self) -> None:
        self._workers = ThreadPoolExecutor(_WORKERS, "registry-store")

    async def run(self, operation: Callable[[], T]) -> T | None:
        """Return what an operation returns; ``None`` after a ``StoreFault`` or ``STORE_SECONDS``."""
        try:
            async with asyncio.timeout(STORE_SECONDS):
                return await asyncio.get_running_loop().run_in_executor(self._workers, operation)
        except (StoreFault, TimeoutError):
            return None

"""How look-ups protect themselves from their store."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from brskills_server.registry.payer import Payer
from brskills_server.registry.store import Fields, Store, StoreFault

__all__ = ["STORE_SECONDS", "FailSafeStore"]

T = TypeVar("T")

STORE_SECONDS = 1.0
"""How long a look-up waits for one operation of the store."""

# Threads of their own: the loop's look up the addresses of providers, and a store that hangs would hold them.
_WORKERS = 8


class FailSafeStore:
    """A store that never raises: a fault gives ``None``.

    Its operations run in worker threads, for at most ``STORE_SECONDS`` as seen from the event loop. What is
    stored of a company is not read here but in the caller's thread (``stored_answers``): a change of thread
    takes as long as the rest.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._workers = ThreadPoolExecutor(_WORKERS, "registry-store")

    async def save(self, cnpj: str, entry: Fields, expires_at: int) -> None:
        """As ``Store.save``."""
        await self._aside(lambda: self._store.save(cnpj, entry, expires_at))

    async def state(self) -> Fields | None:
        """As ``Store.state``."""
        return await self._aside(self._store.state)

    async def set_state(self, changes: Fields) -> bool:
        """As ``Store.set_state``; whether it was done."""

        def write() -> bool:
            self._store.set_state(changes)
            return True

        return bool(await self._aside(write))

    async def claim(self, field: str, value: int, at_most: int) -> bool | None:
        """As ``Store.claim``."""
        return await self._aside(lambda: self._store.claim(field, value, at_most))

    async def claim_share(self, payer: Payer) -> bool | None:
        """As ``Payer.claim_share``."""
        return await self._aside(payer.claim_share)

    async def _aside(self, operation: Callable[[], T]) -> T | None:
        try:
            async with asyncio.timeout(STORE_SECONDS):
                return await asyncio.get_running_loop().run_in_executor(self._workers, operation)
        except (StoreFault, TimeoutError):
            return None

"""How a look-up protects itself from its store."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from registry.store import Fields, Store, StoreFault

__all__ = ["STORE_SECONDS", "FailSafeStore"]

T = TypeVar("T")

STORE_SECONDS = 1.0
"""How long a look-up waits for one operation of the store."""


class FailSafeStore:
    """A store during one look-up: a fault gives ``None``, and after the first the store is not used again.

    So a store that hangs costs a look-up ``STORE_SECONDS`` once, and never its answer.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._failed = False

    async def load(self, cnpj: str) -> Fields | None:
        """As ``Store.load``."""
        return await self._try(lambda: self._store.load(cnpj))

    async def save(self, cnpj: str, entry: Fields, expires_at: int) -> None:
        """As ``Store.save``."""
        await self._try(lambda: self._store.save(cnpj, entry, expires_at))

    async def state(self) -> Fields | None:
        """As ``Store.state``."""
        return await self._try(self._store.state)

    async def set_state(self, changes: Fields) -> None:
        """As ``Store.set_state``."""
        await self._try(lambda: self._store.set_state(changes))

    async def claim(self, field: str, value: int, at_most: int) -> bool | None:
        """As ``Store.claim``."""
        return await self._try(lambda: self._store.claim(field, value, at_most))

    async def _try(self, operation: Callable[[], Awaitable[T]]) -> T | None:
        if self._failed:
            return None
        try:
            async with asyncio.timeout(STORE_SECONDS):
                return await operation()
        except (StoreFault, TimeoutError):
            self._failed = True
            return None

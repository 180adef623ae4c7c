"""The store, as the look-up sees it: a port with five verbs, and how a look-up protects itself from it.

A company entry is a flat mapping of texts and integers (see ``entry``); so is the shared state of the
sources, one for all instances (see ``sources``). Times are epoch seconds.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol, TypeVar

__all__ = ["STORE_SECONDS", "Fields", "PatientStore", "Store", "StoreFault"]

Fields = Mapping[str, str | int]
T = TypeVar("T")

STORE_SECONDS = 1.0
"""How long a look-up waits for one operation of the store."""


class StoreFault(Exception):
    """The store did not do it: out of reach, throttled, refused."""


class Store(Protocol):
    """What an adapter offers. Every method may raise ``StoreFault``.

    Only ``load`` may block the event loop, for less than ``STORE_SECONDS`` or so: it is called before
    anything else of the look-up is under way.
    """

    async def load(self, cnpj: str) -> Fields | None:
        """The entry of a company, if there is one; it may be past its expiry."""

    async def save(self, cnpj: str, entry: Fields, expires_at: int) -> None:
        """Put an entry in the place of the old one; from ``expires_at`` on it may be deleted."""

    async def state(self) -> Fields:
        """The shared state of the sources; empty at first."""

    async def set_state(self, changes: Fields) -> None:
        """Overwrite some fields of the shared state."""

    async def claim(self, field: str, value: int, at_most: int) -> bool:
        """Set a number of the shared state in one step, if it is absent or ``at_most`` so high.

        ``False``: it is higher, so somebody else was quicker.
        """


class PatientStore:
    """A store during one look-up: a fault is a miss, and after the first nothing more is asked of it.

    So a store that hangs costs a look-up ``STORE_SECONDS`` once, and never its answer.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.down = False

    async def load(self, cnpj: str) -> Fields | None:
        """As ``Store.load``; ``None`` on a fault."""
        return await self._try(lambda: self._store.load(cnpj))

    async def save(self, cnpj: str, entry: Fields, expires_at: int) -> None:
        """As ``Store.save``; nothing on a fault."""
        await self._try(lambda: self._store.save(cnpj, entry, expires_at))

    async def state(self) -> Fields | None:
        """As ``Store.state``; ``None`` on a fault."""
        return await self._try(self._store.state)

    async def set_state(self, changes: Fields) -> None:
        """As ``Store.set_state``; nothing on a fault."""
        await self._try(lambda: self._store.set_state(changes))

    async def claim(self, field: str, value: int, at_most: int) -> bool | None:
        """As ``Store.claim``; ``None`` on a fault."""
        return await self._try(lambda: self._store.claim(field, value, at_most))

    async def _try(self, operation: Callable[[], Awaitable[T]]) -> T | None:
        if self.down:
            return None
        try:
            async with asyncio.timeout(STORE_SECONDS):
                return await operation()
        except (StoreFault, TimeoutError):
            self.down = True
            return None

"""Reading, writing and claiming the shared state of the providers in the store, from the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from brskills_server.registry.health.shared_state import SharedState
from brskills_server.registry.query import Payer
from brskills_server.registry.store import Fields, Store, StoreFault

T = TypeVar("T")

STORE_SECONDS = 1.0
"""How long a look-up waits for one operation of the store."""

_WORKERS = 8  # not the loop's default threads, which resolve host names: a store that hangs would block them


class StateSync:
    """The connection of a ``SharedState`` with the store."""

    def __init__(self, state: SharedState, store: Store) -> None:
        self.state = state
        self._store = store
        self._workers = ThreadPoolExecutor(_WORKERS, "registry-store")
        self._unwritten: dict[str, str | int] = {}  # changes being written, or to be written again
        self.is_reachable = True  # whether the store answered last; after a failure, until the next read
        self._lock = asyncio.Lock()  # a read during a write would undo what is being written

    async def run(self, operation: Callable[[], T]) -> T | None:
        """Return what an operation of the store returns; ``None`` after a ``StoreFault`` or a second."""
        try:
            async with asyncio.timeout(STORE_SECONDS):
                return await asyncio.get_running_loop().run_in_executor(self._workers, operation)
        except (StoreFault, TimeoutError):
            return None

    async def claim(self, field: str, value: int, at_most: int) -> bool | None:
        """Return whether this process claimed a field, as ``Store.claim``; ``None`` without the store.

        It changes here first, so that concurrent look-ups do not claim it too.
        """
        self.state.set_claimed(field, value)
        if not self.is_reachable:
            return None
        claimed = await self.run(lambda: self._store.claim(field, value, at_most))
        self.is_reachable = claimed is not None
        return claimed

    async def claim_share(self, payer: Payer) -> bool | None:
        """Return what ``Payer.claim_share`` returns; ``None`` without the store: nothing is paid for then."""
        return await self.run(payer.claim_share) if self.is_reachable else None

    async def refresh(self) -> None:
        """Read the state unless it was read within a second; concurrent look-ups share one read."""
        async with self._lock:
            if not self.state.is_fresh:
                stored = await self.run(self._store.state)
                self.is_reachable = stored is not None
                self.state.take(stored, self._unwritten)

    async def publish(self) -> None:
        """Write what has changed, in one operation.

        Of what could not be written only open breakers are written again, as long as they are open: no other
        process knows a ``Retry-After``. Everything else follows with the next success.
        """
        async with self._lock:
            self._unwritten = self._still_open() | self.state.pop_changes()
            if self._unwritten and self.is_reachable:
                self.is_reachable = await self._write(self._unwritten)
                if not self.is_reachable:
                    self.state.take(None)  # no other look-up needs to find it out for a second
            self._unwritten = {} if self.is_reachable else self._still_open()

    async def _write(self, changes: Fields) -> bool:
        def write() -> bool:
            self._store.set_state(changes)
            return True

        return bool(await self.run(write))

    def _still_open(self) -> dict[str, str | int]:
        return {
            field: value
            for field, value in self._unwritten.items()
            if field.startswith("open:") and isinstance(value, int) and value > self.state.now
        }

"""Reading, writing and claiming the shared state of the providers in the store, from the event loop."""

import asyncio
from collections.abc import Callable

from brskills_server.registry.health.shared_state import SharedState
from brskills_server.registry.query import Payer
from brskills_server.registry.store import Fields, Store
from brskills_server.registry.store_guard import StoreGuard


class StateSync:
    """The connection of a ``SharedState`` with the store. ``clock``: epoch seconds."""

    def __init__(
        self, state: SharedState, store: Store, guard: StoreGuard, clock: Callable[[], float]
    ) -> None:
        self.state = state
        self._store = store
        self._guard = guard
        self._clock = clock
        self._unwritten: dict[str, str | int] = {}  # changes being written, or to be written again
        self._is_reachable = True  # after a failure, until the next read
        self._lock = asyncio.Lock()  # a read during a write would undo what is being written

    @property
    def is_reachable(self) -> bool:
        """Whether the store answered last."""
        return self._is_reachable

    async def claim(self, field: str, value: int, at_most: int) -> bool | None:
        """Return whether this process claimed a field, as ``Store.claim``; ``None`` without the store.

        It changes here first, so that concurrent look-ups do not claim it too.
        """
        self.state.set_claimed(field, value)
        if not self._is_reachable:
            return None
        claimed = await self._guard.run(lambda: self._store.claim(field, value, at_most))
        self._is_reachable = claimed is not None
        return claimed

    async def claim_share(self, payer: Payer) -> bool | None:
        """Return what ``Payer.claim_share`` returns; ``None`` without the store: nothing is paid for then."""
        return await self._guard.run(payer.claim_share) if self._is_reachable else None

    async def refresh(self) -> None:
        """Read the state unless it was read within a second; concurrent look-ups share one read."""
        async with self._lock:
            if not self.state.is_fresh:
                stored = await self._guard.run(self._store.state)
                self._is_reachable = stored is not None
                self.state.take(stored, self._unwritten)

    async def publish(self) -> None:
        """Write what has changed, in one operation.

        Of what could not be written only open breakers are written again, as long as they are open: no other
        process knows a ``Retry-After``. Everything else follows with the next success.
        """
        async with self._lock:
            self._unwritten = self._still_open() | self.state.pop_changes()
            if self._unwritten and self._is_reachable:
                self._is_reachable = await self._write(self._unwritten)
                if not self._is_reachable:
                    self.state.take(None)  # no other look-up needs to find it out for a second
            self._unwritten = {} if self._is_reachable else self._still_open()

    async def _write(self, changes: Fields) -> bool:
        def write() -> bool:
            self._store.set_state(changes)
            return True

        return bool(await self._guard.run(write))

    def _still_open(self) -> dict[str, str | int]:
        now = int(self._clock())
        return {
            field: value
            for field, value in self._unwritten.items()
            if field.startswith("open:") and isinstance(value, int) and value > now
        }

"""The shared state of the providers (``brskills_server.registry.health.shared_state``) for look-ups, which also change it.

Look-ups at once in one process share this view in one event loop. What one of them is about to claim it
takes in the view first, so that the others neither claim it too nor spend a write on it.
"""

import asyncio
from collections.abc import Callable

from brskills_server.registry.fail_safe_store import FailSafeStore
from brskills_server.registry.health.shared_state import SharedState
from brskills_server.registry.payer import Payer

__all__ = ["SharedView"]


class SharedView(SharedState):
    """The shared state as this instance last read it, with its own changes. ``clock``: epoch seconds."""

    def __init__(self, store: FailSafeStore, clock: Callable[[], float]) -> None:
        super().__init__(clock)
        self._store = store
        self._changes: dict[str, str | int] = {}
        self._unwritten: dict[str, str | int] = {}  # changes on their way to the store, or to be tried again
        self._is_reachable = True  # a fault of the store is believed until the next read
        self._lock = asyncio.Lock()  # no read overlaps a write: it would undo what is being written

    @property
    def is_reachable(self) -> bool:
        """Whether the store answered last."""
        return self._is_reachable

    def set(self, field: str, value: str | int) -> None:
        """Change a field, for the other instances with the next ``publish``."""
        self._fields[field] = self._changes[field] = value

    async def claim(self, field: str, value: int, at_most: int) -> bool | None:
        """``FailSafeStore.claim``, and for the other look-ups of this process it is taken at once."""
        self._fields[field] = value
        if not self._is_reachable:
            return None
        claimed = await self._store.claim(field, value, at_most)
        self._is_reachable = claimed is not None
        return claimed

    async def claim_share(self, payer: Payer) -> bool | None:
        """``FailSafeStore.claim_share``; ``None``, too, while the store is away: nothing is paid for then."""
        return await self._store.claim_share(payer) if self._is_reachable else None

    async def refresh(self) -> None:
        """Read the shared state unless it was read within a second; look-ups at once share one read."""
        async with self._lock:
            if self.is_fresh:
                return
            state = await self._store.state()
            self._is_reachable = state is not None
            self.take(None if state is None else {**state, **self._unwritten, **self._changes})

    async def publish(self) -> None:
        """Write what has changed, in one operation; nothing if nothing has.

        Of what could not be written only open breakers are tried again, as long as they are open: the other
        instances would not hear of a ``Retry-After``. Everything else the next success says anew.
        """
        async with self._lock:
            self._unwritten, self._changes = self._still_open() | self._changes, {}
            if self._unwritten and self._is_reachable:
                self._is_reachable = await self._store.set_state(self._unwritten)
                if not self._is_reachable:
                    self._read_at = self._clock()  # nobody else needs to find it out for a second
            self._unwritten = {} if self._is_reachable else self._still_open()

    def _still_open(self) -> dict[str, str | int]:
        now = self._now()
        return {
            field: value
            for field, value in self._unwritten.items()
            if field.startswith("open:") and isinstance(value, int) and value > now
        }

"""What all instances know together of the providers, as one instance sees it.

It is one flat item of the store, read at most once a second by a process that needs providers, and
written only when something in it changes:

    open:<breaker>      a group's breaker: do not call before this time; 0 or absent when it is closed
    slot:<provider>:<n> when the n-th of a provider's calls per minute was last used
    seen:<provider>     its last success, and fail:<provider> its last failure: see ``registry.evidence``
    base:<provider>     the day of a dump's data, and ask:<provider> when to ask for the next
    paid                the beginning of the last day with paid calls, and in its seconds how many it had

Look-ups at once in one process share this view in one event loop. What one of them is about to claim it
takes in the view first, so that the others neither claim it too nor spend a write on it.
"""

import asyncio
from collections.abc import Callable
from math import inf

from registry.attempt import MAX_RETRY_AFTER
from registry.fail_safe_store import FailSafeStore

__all__ = ["SharedView"]

READ_SECONDS = 1  # how long the shared state serves before it is read again
_MOST_AHEAD = MAX_RETRY_AFTER + 60  # no time in it is further ahead, by clocks that differ by a minute


class SharedView:
    """The shared state as this instance last read it. ``clock``: epoch seconds.

    While the store is out of reach the last state that was read stays in use.
    """

    def __init__(self, store: FailSafeStore, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._fields: dict[str, str | int] = {}
        self._changes: dict[str, str | int] = {}
        self._unwritten: dict[str, str | int] = {}  # changes on their way to the store, or to be tried again
        self._read_at = -inf
        self._is_reachable = True  # a fault of the store is believed until the next read
        self._lock = asyncio.Lock()  # no read overlaps a write: it would undo what is being written

    @property
    def is_reachable(self) -> bool:
        """Whether the store answered last."""
        return self._is_reachable

    def number(self, field: str) -> int:
        """A field that is a number or a time; 0 where it is absent or damaged."""
        value = self._fields.get(field)
        return value if isinstance(value, int) else 0

    def text(self, field: str) -> str | None:
        """A field that is a text."""
        value = self._fields.get(field)
        return value if isinstance(value, str) else None

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

    async def refresh(self) -> None:
        """Read the shared state unless it was read within a second; look-ups at once share one read.

        A time that is more than a day ahead, or negative, is damaged and ignored.
        """
        async with self._lock:
            if 0 <= self._clock() - self._read_at < READ_SECONDS:
                return
            state = await self._store.state()
            self._read_at = self._clock()
            self._is_reachable = state is not None
            if state is not None:
                latest = self._now() + _MOST_AHEAD
                read = {k: v for k, v in state.items() if not isinstance(v, int) or 0 <= v <= latest}
                self._fields = read | self._unwritten | self._changes

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

    def _now(self) -> int:
        return int(self._clock())

"""Places of requests that are made at the same time in one process."""

import asyncio
from asyncio import Future
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager


class Places:
    """Places, given in the order in which they were asked for; nobody keeps one while waiting for another.

    ``most``: in all. ``most_waiting``: how many requests may wait at the same time, ``None`` for any number.
    """

    def __init__(self, most: int, most_waiting: int | None = None) -> None:
        self._most, self._most_waiting = most, most_waiting
        self._taken: Counter[str] = Counter()
        self._waiting: dict[Future[None], Mapping[str, int]] = {}

    @asynccontextmanager
    async def take(self, bounds: Mapping[str, int], until: float) -> AsyncIterator[bool]:
        """Yield whether there was a place until a moment of the event loop's clock; it is kept meanwhile.

        ``bounds``: how many places those have at most with whom it is shared, by their names.
        """
        free: Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[free] = {"": self._most, **bounds}
        self._give()
        if self._most_waiting is not None and len(self._waiting) > self._most_waiting:
            until = min(until, asyncio.get_running_loop().time())
        try:
            try:
                async with asyncio.timeout_at(until):
                    await free
            except TimeoutError:
                yield False
            else:
                yield True
        finally:
            if self._waiting.pop(free, None) is None:  # it was given, perhaps just when the time was over
                self._taken -= Counter(["", *bounds])
                self._give()

    def _give(self) -> None:
        for free, bounds in list(self._waiting.items()):
            if self._taken[""] >= self._most:
                return
            if not free.done() and all(self._taken[name] < most for name, most in bounds.items()):
                del self._waiting[free]
                self._taken.update(bounds.keys())
                free.set_result(None)

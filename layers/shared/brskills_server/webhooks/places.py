"""Places of attempts that are made at the same time in one process."""

import asyncio
from asyncio import Future
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

MOST, MOST_OF_ACCOUNT, MOST_TO_HOST = 256, 8, 16
"""In all, of one account, to one host and port."""

MOST_SLOW, MOST_SLOW_TO_HOST = MOST // 2, MOST_TO_HOST // 2
"""To webhooks that fail or answer late, which leave the others room, also at their own host."""

_Bounds = dict[str, int]


class Places:
    """Places, given in the order in which they were asked for; nobody keeps one while waiting for another."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()
        self._waiting: dict[Future[None], _Bounds] = {}

    @asynccontextmanager
    async def take(self, account: str, host: str, until: float, *, is_slow: bool) -> AsyncIterator[bool]:
        """Yield whether there was a place until a moment of the event loop's clock; it is kept meanwhile."""
        bounds = {f"account {account}": MOST_OF_ACCOUNT, f"host {host}": MOST_TO_HOST, "": MOST}
        if is_slow:
            bounds |= {"slow": MOST_SLOW, f"slow {host}": MOST_SLOW_TO_HOST}
        free: Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[free] = bounds
        self._give()
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
                self._taken -= Counter(bounds.keys())
                self._give()

    def _give(self) -> None:
        for free, bounds in list(self._waiting.items()):
            if self._taken[""] >= MOST:
                return
            if not free.done() and all(self._taken[name] < most for name, most in bounds.items()):
                del self._waiting[free]
                self._taken.update(bounds.keys())
                free.set_result(None)

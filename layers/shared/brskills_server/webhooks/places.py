"""Places of attempts that are made at the same time in one process: in all, of one account, to one host."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from weakref import WeakValueDictionary

MOST, MOST_OF_ACCOUNT, MOST_TO_HOST = 256, 8, 8


class Places:
    """Places that are given in the order in which they were asked for."""

    def __init__(self) -> None:
        self._kept: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def take(self, account: str, host: str, until: float) -> AsyncIterator[bool]:
        """Yield whether a place was free until a moment of the event loop's clock; it is kept meanwhile."""
        # An account waits for its own first, so that it holds no place of a host that others could use.
        wanted = ((f"account {account}", MOST_OF_ACCOUNT), (f"host {host}", MOST_TO_HOST), ("", MOST))
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout_at(until):
                    for name, most in wanted:
                        await stack.enter_async_context(self._semaphore(name, most))
            except TimeoutError:
                yield False
            else:
                yield True

    def _semaphore(self, name: str, most: int) -> asyncio.Semaphore:
        found = self._kept.get(name)
        if found is None:
            found = self._kept[name] = asyncio.Semaphore(most)
        return found

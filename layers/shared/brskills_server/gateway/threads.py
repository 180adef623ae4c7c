"""Threads of its own for each function, as Lambda gives each function its own environments.

So look-ups that wait for a slow provider hold up look-ups alone.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

__all__ = ["THREADS", "WAITING", "AllBusy", "Threads"]

THREADS = 32
"""Calls of one function that run at once in one process."""

WAITING = 64
"""Calls that may wait for one of these threads; the next one is refused."""

T = TypeVar("T")


class AllBusy(Exception):
    """As many calls as may wait are waiting."""


class Threads:
    """The threads of one function. ``run`` belongs to one event loop."""

    def __init__(self, name: str) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix=name)
        self._calls = 0

    async def run(self, work: Callable[[], T]) -> T:
        """What ``work`` returns or raises, from one of the threads; raises :class:`AllBusy`."""
        if self._calls >= THREADS + WAITING:
            raise AllBusy
        self._calls += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._calls -= 1

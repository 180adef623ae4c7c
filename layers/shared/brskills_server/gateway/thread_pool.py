"""A thread pool for each function, so that slow look-ups delay only look-ups."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

THREADS = 32
"""Calls of one function that run at once in one process."""

QUEUE_SIZE = 64
"""Calls that may wait for a thread; the next one is refused."""

T = TypeVar("T")


class PoolFull(Exception):
    """Every thread is busy and the queue is full."""


class ThreadPool:
    """The threads of one function; for one event loop."""

    def __init__(self, name: str) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix=name)
        self._calls = 0

    async def run(self, work: Callable[[], T]) -> T:
        """Run ``work`` in a thread and return its result. Raise `PoolFull`, or what it raises."""
        if self._calls >= THREADS + QUEUE_SIZE:
            raise PoolFull
        self._calls += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._calls -= 1

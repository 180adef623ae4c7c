"""Equal concurrent work in one event loop is done once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class _Flight(Generic[T]):
    def __init__(self, task: asyncio.Task[T]) -> None:
        self.task = task
        self.waiting = 0


class SingleFlight(Generic[T]):
    """Work under way, by its key."""

    def __init__(self) -> None:
        self._flights: dict[Hashable, _Flight[T]] = {}

    async def run(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return what ``work`` returns, or what equal work that is under way does; raise likewise.

        Cancelling one caller does not affect the others; with the last one the work is cancelled and awaited.
        """
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = _Flight(asyncio.ensure_future(work()))
            flight.task.add_done_callback(partial(self._forget, key, flight))
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                self._forget(key, flight)
                flight.task.cancel()
                await asyncio.wait([flight.task])

    def close(self, key: Hashable) -> None:
        """Let no further caller join the work under way."""
        self._flights.pop(key, None)

    def _forget(self, key: Hashable, flight: _Flight[T], _task: object = None) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]

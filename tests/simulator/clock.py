"""An event loop whose time is simulated: it never waits, it jumps to the next timer.

Every wait in it is one that the code itself asked for, so a simulated day costs seconds and a
deadline can be tested without a stopwatch. No sockets and no threads: nothing real to wait for.
Work for worker threads is done in the loop itself, after a simulated delay.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

EPOCH = 1_795_000_000
"""What the wall clock shows when a loop begins, in epoch seconds."""


class Hang(Exception):
    """Raised by work for a worker thread that is to end only after this many simulated seconds."""

    def __init__(self, seconds: float = 3600.0) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop in simulated time. ``worker_seconds``: how long work for worker threads takes."""

    def __init__(self, worker_seconds: float = 0.0) -> None:
        super().__init__()
        self.worker_seconds = worker_seconds
        self._elapsed = 0.0
        look = self._selector.select  # type: ignore[attr-defined]

        def select(timeout: float | None = None) -> Any:
            if timeout is None:
                raise RuntimeError("the simulation waits for something that nobody simulates")
            self._elapsed += timeout
            return look(0)

        self._selector.select = select  # type: ignore[attr-defined]

    def run_in_executor(self, _workers: object, work: Callable[..., T], *arguments: Any) -> asyncio.Task[T]:  # type: ignore[override]
        """The work's result, in its time."""

        async def do() -> T:
            try:
                await asyncio.sleep(self.worker_seconds)
                return work(*arguments)
            except Hang as hang:
                await asyncio.sleep(hang.seconds)
                raise

        return self.create_task(do())

    def time(self) -> float:
        """Simulated seconds since the beginning."""
        return self._elapsed

    def clock(self) -> float:
        """Simulated wall clock, in epoch seconds."""
        return EPOCH + self._elapsed


def run(work: Coroutine[Any, Any, T], loop: VirtualLoop | None = None) -> T:
    """Run something to its end in simulated time, on a new loop if none is given."""
    own = loop or VirtualLoop()
    try:
        return own.run_until_complete(work)
    finally:
        if loop is None:
            own.close()

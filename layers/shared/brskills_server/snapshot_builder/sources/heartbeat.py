"""Reports of a download that are repeated while nothing arrives, so that silence is noticed."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

Report = Callable[[int, int], None]
"""Called with the bytes of all files so far, which fall where a file is restarted, and with their total; the
total is 0 until the files are listed."""


class Heartbeat:
    """A `Report` that repeats the last one every ``seconds``."""

    def __init__(self, report: Report, seconds: float) -> None:
        self._report = report
        self._seconds = seconds
        self._last = (0, 0)

    def __call__(self, done: int, total: int) -> None:
        """Report, and remember it."""
        self._last = (done, total)
        self._report(done, total)

    @asynccontextmanager
    async def repeated(self) -> AsyncIterator[None]:
        """Repeat reports until the block ends."""
        task = asyncio.create_task(self._repeat())
        try:
            yield
        finally:
            task.cancel()

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            self._report(*self._last)

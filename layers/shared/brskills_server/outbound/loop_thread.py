"""An event loop in a background thread, for callers in many threads."""

import asyncio
import atexit
from collections.abc import Callable, Coroutine
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")

_END_SECONDS = 1.0  # how long the process waits for the loop at its end


class LoopThread:
    """An event loop whose thread starts with the first work, hence after a server has forked its workers.

    ``at_end``: the loop's last work.
    """

    def __init__(self, at_end: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._at_end = at_end
        self._opening = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None

    def run(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Return what the work returns; raise what it raises, or ``TimeoutError`` and cancel it."""
        future = asyncio.run_coroutine_threadsafe(work, self._started())
        try:
            return future.result(seconds)
        finally:
            future.cancel()  # where the caller stops waiting, by time-out or by a signal; else without effect

    def close(self) -> None:
        """End the loop and cancel what is under way."""
        with self._opening:
            if self._loop and self._thread and self._thread.is_alive():
                self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join(_END_SECONDS)

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._opening:
            if self._loop is None:
                loop = asyncio.new_event_loop()
                self._thread = Thread(target=self._serve, args=(loop,), name="registry", daemon=True)
                try:
                    self._thread.start()
                except RuntimeError:  # the system allows no further thread now
                    loop.close()
                    raise
                self._loop = loop
                atexit.register(self.close)
            return self._loop

    def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.get_loop().run_forever()
            runner.run(self._at_end())

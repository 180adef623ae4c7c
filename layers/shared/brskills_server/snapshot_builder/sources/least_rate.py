"""The least rate of an answer: one that trickles is given up, as one that is silent."""

import time
from collections.abc import Callable

from brskills_server.snapshot_builder.errors import TransientError


class LeastRate:
    """Counts the bytes of an answer. ``rate``: at least so many a second in each ``window`` of seconds."""

    def __init__(self, rate: float, window: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._window = window
        self._clock = clock
        self._began = clock()
        self._count = 0

    def add(self, count: int) -> None:
        """Add bytes. Raise `TransientError` if the window that ends now had too few."""
        self._count += count
        if (passed := self._clock() - self._began) < self._window:
            return
        if self._count < self._rate * passed:
            raise TransientError(f"fewer than {self._rate:,.0f} bytes a second for {self._window:g} s")
        self._began, self._count = self._began + passed, 0

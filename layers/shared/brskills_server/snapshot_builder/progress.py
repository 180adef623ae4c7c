"""Progress of a build and the estimated time left, as lines of text."""

import sys
import time
from collections.abc import Callable
from typing import TextIO


class Progress:
    """Progress lines. ``total``: the work of all steps in one unit; the estimate uses this run's speed."""

    def __init__(
        self, total: float, out: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._total = max(total, 1.0)
        self._out = out or sys.stdout
        self._clock = clock
        self._began = clock()
        self._done = self._skipped = 0.0

    def skip(self, work: float) -> None:
        """Add work of an earlier run."""
        self._skipped += work

    def add(self, work: float) -> None:
        """Add work of this run."""
        self._done += work

    def say(self, text: str) -> None:
        """Print a line with the share done and the time left."""
        share = min((self._skipped + self._done) / self._total, 1.0)
        print(f"{share:4.0%}  {text}{self._time_left()}", file=self._out, flush=True)

    def _time_left(self) -> str:
        spent, left = self._clock() - self._began, self._total - self._skipped - self._done
        if spent < 2 or self._done <= 0 or left <= 0:
            return ""
        seconds = spent / self._done * left
        time_left = f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
        return f"  (about {time_left} left)"

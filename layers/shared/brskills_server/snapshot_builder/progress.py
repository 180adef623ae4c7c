"""Progress of a build and the estimated time left, as lines of text."""

import sys
import time
from collections.abc import Callable
from typing import TextIO

__all__ = ["Progress"]

_REDRAW_SECONDS = 1.0


class Progress:
    """Progress lines. ``total``: the work of all steps in one unit; the estimate uses this run's speed."""

    def __init__(
        self, total: float, out: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._total = max(total, 1.0)
        self._out = out or sys.stdout
        self._clock = clock
        self._began = self._redrawn = clock()
        self._done = self._skipped = 0.0

    def skip(self, work: float) -> None:
        """Add work of an earlier run."""
        self._skipped += work

    def add(self, work: float, name: str) -> None:
        """Add work done, and redraw the last line if the output is a terminal."""
        self._done += work
        if self._out.isatty() and self._clock() - self._redrawn >= _REDRAW_SECONDS:
            self._redrawn = self._clock()
            print(f"\r{self._line(name)}\x1b[K", end="", file=self._out, flush=True)

    def say(self, text: str) -> None:
        """Print a line that stays."""
        start = "\r\x1b[K" if self._out.isatty() else ""
        print(f"{start}{self._line(text)}", file=self._out, flush=True)

    def _line(self, text: str) -> str:
        line = f"{min((self._skipped + self._done) / self._total, 1.0):4.0%}  {text}"
        spent, left = self._clock() - self._began, self._total - self._skipped - self._done
        if spent < 2 or self._done <= 0 or left <= 0:
            return line
        seconds = spent / self._done * left
        return (
            f"{line}  (about {seconds / 60:.0f} min left)"
            if seconds >= 90
            else f"{line}  (about {seconds:.0f} s left)"
        )

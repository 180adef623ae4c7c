"""How far a build is, and about how long it will still take, in lines for people and for logs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

__all__ = ["Progress"]

_EVERY = 1.0  # seconds between two lines that only move the figures, on a terminal


class Progress:
    """``total``: the work of all steps, in one measure; ``skipped``: what of it an earlier run has done.

    What is left is estimated from the speed of this run.
    """

    def __init__(
        self, total: float, out: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._total = max(total, 1.0)
        self._out = out or sys.stdout
        self._clock = clock
        self._began = self._told_at = clock()
        self._done = self._skipped = 0.0

    def skip(self, work: float) -> None:
        """An earlier run has done this."""
        self._skipped += work

    def add(self, work: float, what: str) -> None:
        """More was done of what has this name; moves the figures on a terminal."""
        self._done += work
        if self._out.isatty() and self._clock() - self._told_at >= _EVERY:
            self._told_at = self._clock()
            print(f"\r{self._line(what)}\x1b[K", end="", file=self._out, flush=True)

    def say(self, what: str) -> None:
        """A line that stays."""
        start = "\r\x1b[K" if self._out.isatty() else ""
        print(f"{start}{self._line(what)}", file=self._out, flush=True)

    def _line(self, what: str) -> str:
        share = min((self._skipped + self._done) / self._total, 1.0)
        return f"{share:4.0%}  {what}{self._left()}"

    def _left(self) -> str:
        spent, left = self._clock() - self._began, self._total - self._skipped - self._done
        if spent < 2 or self._done <= 0 or left <= 0:
            return ""
        seconds = spent / self._done * left
        return (
            f"  (about {seconds / 60:.0f} min left)" if seconds >= 90 else f"  (about {seconds:.0f} s left)"
        )

"""Progress lines of a build."""

import time
from collections.abc import Callable


class Progress:
    """Progress lines. ``total``: the work of all steps in one unit; the estimate uses this run's speed."""

    def __init__(self, total: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._total = max(total, 1.0)
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
        worked, spent = self._skipped + self._done, self._clock() - self._began
        if spent >= 2 and self._done > 0 and worked < self._total:
            seconds = spent / self._done * (self._total - worked)
            left = f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
            text += f"  (about {left} left)"
        print(f"{min(worked / self._total, 1.0):4.0%}  {text}", flush=True)

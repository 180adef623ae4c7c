"""Progress lines of a build, and of the download before it."""

import time
from collections.abc import Callable

_SECONDS = 10  # between lines of a download


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
            left = f"{seconds / 60:.0f} min" if seconds >= 90 else f"{max(seconds, 1):.0f} s"
            text += f"  (about {left} left)"
        print(f"{min(worked / self._total, 1.0):4.0%}  {text}", flush=True)


class DownloadProgress:
    """A line every ten seconds, and at the end, of a download that reports its counts."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._printed_at = self._arrived_at = clock()
        self._printed = self._here = 0

    def __call__(self, done: int, total: int) -> None:
        """Take the bytes so far and their total, which is 0 until the files are listed."""
        now, ends = self._clock(), 0 < total == done != self._here
        if done != self._here:
            self._here, self._arrived_at = done, now
        if now - self._printed_at < _SECONDS and not ends:
            return
        if done == total and not ends:
            print("waiting for the share's listing", flush=True)
        else:
            print(f"download {done / total:4.0%} of {total / 1e9:.2f} GB{self._speed(now)}", flush=True)
        self._printed_at, self._printed = now, done

    def _speed(self, now: float) -> str:
        if (silent := now - self._arrived_at) >= _SECONDS:
            return f", nothing has arrived for {silent:.0f} s"
        rate = max(self._here - self._printed, 0) / max(now - self._printed_at, 1)
        return f", {rate / 1e6:.2f} MB/s" if rate >= 1e5 else f", {rate / 1e3:.2f} kB/s"

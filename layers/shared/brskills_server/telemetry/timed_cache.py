"""A value that is read at most once in some seconds."""

import time
from collections.abc import Callable
from math import inf
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class TimedCache(Generic[T]):
    """Cache of one value, which ``read`` reads anew after ``seconds``.

    ``clock``: Unix seconds; where it is set back, the value is read anew.
    """

    def __init__(self, read: Callable[[], T], seconds: float, clock: Callable[[], float] = time.time) -> None:
        self._read = read
        self._seconds = seconds
        self._clock = clock
        self._lock = Lock()
        self._read_at = -inf

    def __call__(self) -> T:
        """Return the value; one thread reads while the others wait. Raise what ``read`` raises, uncached."""
        with self._lock:
            if not 0 <= self._clock() - self._read_at < self._seconds:
                self._value = self._read()
                self._read_at = self._clock()
            return self._value

"""What is asked seldom, however often it is told."""

import time
from collections.abc import Callable
from math import inf
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["Remembered"]

T = TypeVar("T")


class Remembered(Generic[T]):
    """What ``ask`` gives, asked at most once in so many ``seconds``, whoever wants to know it.

    ``clock``: Unix seconds; where it is set back, it is asked again.
    """

    def __init__(self, ask: Callable[[], T], seconds: float, clock: Callable[[], float] = time.time) -> None:
        self._ask = ask
        self._seconds = seconds
        self._clock = clock
        self._turn = Lock()
        self._asked_at = -inf

    def __call__(self) -> T:
        """Waits for whoever asks at this moment; raises what ``ask`` raises, and then it is asked again."""
        with self._turn:
            if not 0 <= self._clock() - self._asked_at < self._seconds:
                self._answer = self._ask()
                self._asked_at = self._clock()
            return self._answer

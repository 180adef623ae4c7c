"""Turns at what takes long to compute: one at a time in a process, so that short calls go on beside it."""

from collections import deque
from collections.abc import Callable, Sequence
from threading import Lock
from typing import TypeVar

T = TypeVar("T")
S = TypeVar("S")


class Turns:
    """A lock for the thread that has waited longest; a ``Lock`` may go to the same thread again and again."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._waiting: deque[Lock] = deque()  # the first one computes

    def __enter__(self) -> None:
        own = Lock()
        own.acquire()
        with self._guard:
            self._waiting.append(own)
            if self._waiting[0] is own:
                own.release()
        own.acquire()

    def __exit__(self, *_: object) -> None:
        with self._guard:
            self._waiting.popleft()
            if self._waiting:
                self._waiting[0].release()


LONG = Turns()
"""The process's turns at computing. A thread that has one must not wait for another."""


def each_in_turns(work: Callable[[S], T], items: Sequence[S]) -> list[T]:
    """Return ``work`` of each item, a few milliseconds in a turn, between which others have theirs."""
    found: list[T] = []
    for at in range(0, len(items), 10):
        with LONG:
            found += map(work, items[at : at + 10])
    return found

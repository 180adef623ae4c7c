"""What happened within the last minute, by key: bounded, and for any thread."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["RECENT_SECONDS", "Recent"]

V = TypeVar("V")

RECENT_SECONDS = 60
MOST_ENTRIES = 10_000  # some 3 MB


class Recent(Generic[V]):
    """Values that are kept for a minute each; the oldest are dropped where there are too many.

    ``clock``: epoch seconds; what was added before it was set back is forgotten.
    """

    def __init__(self, clock: Callable[[], float], most: int = MOST_ENTRIES) -> None:
        self._clock = clock
        self._most = most
        self._kept: dict[tuple[str, ...], tuple[float, V]] = {}  # the moment of each, in order
        self._lock = Lock()

    def add(self, value: V, *key: str) -> bool:
        """Keep a value, unless the key has one already; return whether it is new."""
        with self._lock:
            now = self._clock()
            if self._left(key, now) > 0:
                return False
            self._kept.pop(key, None)
            self._kept[key] = (now, value)
            while len(self._kept) > self._most or not self._left(next(iter(self._kept)), now):
                del self._kept[next(iter(self._kept))]
            return True

    def get(self, *key: str) -> V | None:
        """Return the value of a key, if it is not older than a minute."""
        kept = self._kept.get(key)
        return kept[1] if kept and self._left(key, self._clock()) > 0 else None

    def seconds_left(self, *key: str) -> int:
        """Return for how many seconds more a key has its value; 0 where it has none."""
        return ceil(self._left(key, self._clock()))

    def _left(self, key: tuple[str, ...], now: float) -> float:
        kept = self._kept.get(key)
        age = now - kept[0] if kept else RECENT_SECONDS
        return RECENT_SECONDS - age if 0 <= age < RECENT_SECONDS else 0.0

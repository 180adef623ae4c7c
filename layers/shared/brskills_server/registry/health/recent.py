"""A bounded, thread-safe map whose entries last a minute."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")

RECENT_SECONDS = 60
MOST_ENTRIES = 10_000  # some 3 MB


class Recent(Generic[V]):
    """Values of the last minute; the oldest are dropped where there are more than ``most``.

    ``clock``: epoch seconds; after it was set back, later entries are forgotten.
    """

    def __init__(self, clock: Callable[[], float], most: int = MOST_ENTRIES) -> None:
        self._clock = clock
        self._most = most
        self._entries: dict[tuple[str, ...], tuple[float, V]] = {}  # with their moments, in order
        self._lock = Lock()

    def add(self, value: V, *key: str) -> bool:
        """Keep a value, unless the key has one already; return whether it is new."""
        with self._lock:
            now = self._clock()
            if self._left(key, now) > 0:
                return False
            self._entries.pop(key, None)
            self._entries[key] = (now, value)
            while len(self._entries) > self._most or not self._left(next(iter(self._entries)), now):
                del self._entries[next(iter(self._entries))]
            return True

    def get(self, *key: str) -> V | None:
        """Return the value of a key, if it is not older than a minute."""
        entry = self._entries.get(key)
        return entry[1] if entry and self._left(key, self._clock()) > 0 else None

    def seconds_left(self, *key: str) -> int:
        """Return for how many seconds more a key has its value; 0 where it has none."""
        return ceil(self._left(key, self._clock()))

    def _left(self, key: tuple[str, ...], now: float) -> float:
        entry = self._entries.get(key)
        age = now - entry[0] if entry else RECENT_SECONDS
        return RECENT_SECONDS - age if 0 <= age < RECENT_SECONDS else 0.0

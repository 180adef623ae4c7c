"""A property whose value is opened on first use: once, also among threads."""

from collections.abc import Callable
from functools import cached_property, wraps
from threading import RLock
from typing import TypeVar

T = TypeVar("T")
Owner = TypeVar("Owner")

_OPENING = RLock()  # one for all: a part is opened once a process, and opens others


def opened_once(open_part: Callable[[Owner], T]) -> cached_property[T]:
    """Return a ``cached_property`` that locks while it opens; since Python 3.12 it has no lock itself."""

    @wraps(open_part)
    def opened(owner: Owner) -> T:
        with _OPENING:
            parts = vars(owner)
            if open_part.__name__ not in parts:
                parts[open_part.__name__] = open_part(owner)
            found: T = parts[open_part.__name__]
            return found

    return cached_property(opened)

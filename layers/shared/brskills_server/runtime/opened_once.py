"""A part of an object that is opened when it is first asked for: once, also among threads."""

from collections.abc import Callable
from functools import cached_property, wraps
from threading import RLock
from typing import TypeVar

__all__ = ["opened_once"]

T = TypeVar("T")
Owner = TypeVar("Owner")

# One for all: parts are opened once a process, and one opens another.
_OPENING = RLock()


def opened_once(open_part: Callable[[Owner], T]) -> cached_property[T]:
    """``cached_property``, under a lock while the part is opened; since Python 3.12 it has none itself."""

    @wraps(open_part)
    def opened(owner: Owner) -> T:
        with _OPENING:
            parts = vars(owner)
            if open_part.__name__ not in parts:
                parts[open_part.__name__] = open_part(owner)
            found: T = parts[open_part.__name__]
            return found

    return cached_property(opened)

"""Driving a target for so long, and keeping one example of each fault that it has."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from random import Random
from traceback import extract_tb
from typing import NamedTuple

Target = Callable[[Random], None]
Open = AbstractContextManager[Target]

MOST_SECONDS = 2.0
"""Of a processor's time for one input, all of which are short: more is a fault."""


class TooSlow(Exception):
    """An input took longer than ``MOST_SECONDS``."""


class Figures(NamedTuple):
    """What came of a target: ``faults`` by kind and place, with the number of an input that shows each."""

    runs: int
    seconds: float
    slowest: float
    faults: dict[str, int]


def drive(target: Target, seed: str, seconds: float, first: int = 0, least: int = 1) -> Figures:
    """Run a target on the inputs ``first``, ``first + 1``, … of a seed until the time is over.

    ``least``: how many inputs are run however long they take.
    """
    faults: dict[str, int] = {}
    number, slowest, started = first, 0.0, time.monotonic()
    while number < first + least or time.monotonic() - started < seconds:
        before = time.thread_time()
        try:
            target(Random(f"{seed}/{number}"))
            slowest = max(slowest, took := time.thread_time() - before)
            if took > MOST_SECONDS:
                raise TooSlow
        except Exception as error:  # whatever it is, it is what is looked for
            faults.setdefault(" ".join([place_of(error), *getattr(error, "__notes__", [])]), number)
        number += 1
    return Figures(number - first, time.monotonic() - started, slowest, faults)


def place_of(error: Exception) -> str:
    """The error's kind and where it was raised: the same fault has the same name, whatever the input was."""
    frame = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {frame.filename.rpartition('/')[2]}:{frame.lineno}"

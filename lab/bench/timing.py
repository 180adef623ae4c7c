"""Steps that take turns, so that other load of the machine falls on all of them, and their ratios."""

import resource
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lab.bench.figure import Figure, Spread

_BLOCKS = 10


def by_turns(
    steps: Mapping[str, Callable[[], Any]], rounds: int, clock: Callable[[], float] = time.perf_counter
) -> dict[str, list[float]]:
    """Return the milliseconds of each step in each round, without the first tenth of the rounds."""
    times: dict[str, list[float]] = {name: [] for name in steps}
    for number in range(rounds):
        for name, step in steps.items():
            began = clock()
            step()
            if number >= rounds // 10:
                times[name].append((clock() - began) * 1000)
    return times


def processor_seconds() -> float:
    """Return processor time of this process and its ended children: a busy machine adds little to it."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def ratio(times: Sequence[float], floor: Sequence[float]) -> Spread:
    """Return how many times the floor a step takes: quartiles of some ten blocks of rounds.

    A block's ratio is that of its medians; where rounds are few, each is a block.
    """
    size = max(1, len(times) // _BLOCKS)
    blocks = [slice(begin, begin + size) for begin in range(0, len(times) - size + 1, size)]
    found = [statistics.median(times[block]) / statistics.median(floor[block]) for block in blocks]
    low, middle, high = statistics.quantiles(found, n=4)
    return Spread(low, middle, high)


def compared(times: Mapping[str, Sequence[float]], floor: str, unit: str = "ms") -> dict[str, Figure]:
    """Return the median of each step, and its ratio to the floor, which has none."""
    return {
        name: Figure(statistics.median(spent), unit, None if name == floor else ratio(spent, times[floor]))
        for name, spent in times.items()
    }

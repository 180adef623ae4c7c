"""Steps that take turns, so that other load of the machine falls on all of them."""

import time
from collections.abc import Callable, Mapping
from typing import Any


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

"""``make counting``: random schedules over a store that fails; none may lose or give away a call.

A schedule is known by its number: ``--first N 1`` runs one again and prints what happened in it.
"""

from __future__ import annotations

import argparse
import sys
import time

from lab.counting.stores import STORES
from lab.counting.trial import Trial


def main() -> None:
    """Run schedules and print the totals; raises SystemExit with the schedules that do not hold."""
    parser = argparse.ArgumentParser(prog="python -m lab.counting")
    parser.add_argument("schedules", nargs="?", type=int, default=1000)
    parser.add_argument("--store", choices=STORES, default="memory")
    parser.add_argument("--first", type=int, default=0, help="the number of the first schedule")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    began = time.monotonic()
    with STORES[options.store]() as store:
        trial = Trial(store, options.seed)
        trace = print if options.schedules == 1 else None
        for number in range(options.first, options.first + options.schedules):
            trial.run(number, trace)
    print(f"{options.store}: {trial.totals} in {time.monotonic() - began:.0f} s")
    if trial.broken:
        sys.exit("\n".join(trial.broken))


if __name__ == "__main__":
    main()

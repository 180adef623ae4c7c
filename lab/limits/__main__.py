"""``make limits``: the highest cost of a call of each route; ``ARGS="batch"`` selects cases by their name.

``--counts``: as JSON, without times, memory and the slowest case.
"""

import json
import os
import sys
from collections import Counter

from lab.limits.cases import cases_of
from lab.limits.measuring import measure
from lab.limits.service import Service

COUNTED = ("bytes_out", "reads", "writes", "asked", "paid", "log")


def main() -> None:
    """Measure the cases, and print a line for each."""
    counts_only = "--counts" in sys.argv
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")] or [""]
    service, found = Service(), []
    for number, case in enumerate(cases_of(service)):
        name = f"{case.route}: {case.name}"
        if not any(word in name for word in wanted) or (counts_only and case.sources == "large"):
            continue
        cost, statuses = measure(service, case, 10 * number, counts_only=counts_only)
        counts = {column: cost[column] for column in COUNTED}
        found.append({"route": case.route, "name": case.name, "status": sorted(statuses), **counts})
        if not counts_only:
            print(_line(name, cost), sorted(statuses), flush=True)
    if counts_only:
        print(json.dumps(found))
    sys.stdout.flush()
    os._exit(0)  # threads of functions may still wait


def _line(name: str, cost: Counter[str]) -> str:
    own = f"{cost['seconds'] * 1000:7.1f} ms {cost['memory'] / 1e6:6.1f} MB {cost['bytes_out']:8} bytes out"
    store = f"{cost['reads']:4} reads {cost['writes']:4} writes"
    return (
        f"{name:52} {own} {store} {cost['asked']:4} of sources {cost['paid']:3} paid {cost['log']:5} of log "
    )


if __name__ == "__main__":
    main()

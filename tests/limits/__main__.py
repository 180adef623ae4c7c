"""``make limits``: what one call of each route costs at most; ``ARGS="batch"``: where this is in its name.

``--counts``: as JSON, without what depends on the machine.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict

from tests.limits.cases import cases_of
from tests.limits.measuring import Cost, measure
from tests.limits.service import Service


def main() -> None:
    """Measure the cases, and print a line for each."""
    counts_only = "--counts" in sys.argv
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")] or [""]
    service = Service()
    found = []
    for number, case in enumerate(cases_of(service)):
        name = f"{case.route}: {case.name}"
        if not any(word in name for word in wanted):
            continue
        cost = measure(service, case, 10 * number, counts_only=counts_only)
        found.append({"route": case.route, "name": case.name, **asdict(cost), "status": sorted(cost.status)})
        if not counts_only:
            print(_line(name, cost), flush=True)
    if counts_only:
        print(json.dumps(found))
    sys.stdout.flush()
    os._exit(0)  # threads of functions may still wait for something


def _line(name: str, cost: Cost) -> str:
    own = f"{cost.seconds * 1000:7.1f} ms {cost.memory / 1e6:6.1f} MB {cost.bytes_out:8} bytes out"
    store = f"{cost.reads:4} reads {cost.writes:4} writes"
    sources = f"{cost.asked:4} of sources {cost.paid:3} paid"
    return f"{name:52} {own} {store} {sources} {cost.log:5} of log  {sorted(cost.status)}"


if __name__ == "__main__":
    main()

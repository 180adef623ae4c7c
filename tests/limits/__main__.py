"""``make limits``: what one call of each route costs at most; ``ARGS=--counts``: as JSON, without what a machine decides."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict

from tests.limits.cases import cases_of
from tests.limits.measuring import measure
from tests.limits.service import Service


def main() -> None:
    """Measure every case, and print a line for each."""
    counts_only = "--counts" in sys.argv
    named = [word for word in sys.argv[1:] if not word.startswith("-")]
    service = Service()
    found = []
    for number, case in enumerate(cases_of(service)):
        if named and not any(name in f"{case.route}: {case.name}" for name in named):
            continue
        cost = measure(service, case, 10 * number, counts_only=counts_only)
        found.append({"route": case.route, "name": case.name, **asdict(cost), "status": sorted(cost.status)})
        if not counts_only:
            print(
                f"{case.route + ': ' + case.name:55} {cost.seconds * 1000:8.1f} ms {cost.memory / 1e6:7.1f} MB "
                f"{cost.bytes_out:9} out {cost.reads:4} reads {cost.writes:4} writes {cost.asked:4} asked "
                f"{cost.paid:3} paid {cost.log:6} log  {sorted(cost.status)}",
                flush=True,
            )
    if counts_only:
        print(json.dumps(found))
    sys.stdout.flush()
    os._exit(0)  # threads of functions may still wait for something


if __name__ == "__main__":
    main()

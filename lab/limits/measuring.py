"""The cost of a case: several runs for counts and time, one more for memory."""

import time
import tracemalloc
from collections import Counter

from lab.limits.cases import Case
from lab.limits.service import Service

_TIMES = 2


def measure(
    service: Service, case: Case, first: int, *, counts_only: bool = False
) -> tuple[Counter[str], set[int]]:
    """Return the highest cost of the calls, and their statuses. ``first``: number of the first request.

    ``counts_only``: without the peak of memory, in bytes. ``seconds`` are of a processor.
    """
    service.play(case.sources)
    cost: Counter[str] = Counter()
    statuses = set()
    runs = 1 if case.slow else _TIMES
    for run in range(runs):
        request = case.make(first + run)
        before = _state(service)
        answer = service.call(request)
        after = _state(service)
        headers = sum(len(name) + len(value) + 4 for name, value in answer.headers.items())
        found = {name: after[name] - before[name] for name in after}
        cost |= Counter({**found, "bytes_out": len(answer.body) + headers})
        statuses.add(answer.status)
    if not counts_only:
        tracemalloc.start()
        try:
            request = case.make(first + runs)
            tracemalloc.reset_peak()
            held, _ = tracemalloc.get_traced_memory()
            service.call(request)
            cost["memory"] = tracemalloc.get_traced_memory()[1] - held
        finally:
            tracemalloc.stop()
    return cost, statuses


def _state(service: Service) -> dict[str, float]:
    asked, paid = service.asked()
    return {
        "reads": service.operations.reads,
        "writes": service.operations.writes,
        "asked": asked,
        "paid": paid,
        "log": service.log.bytes,
        "seconds": time.process_time() - service.others_seconds(),
    }

"""Running a case, and what it cost: several times for counts and time, once more for memory."""

from __future__ import annotations

import time
import tracemalloc
from dataclasses import dataclass, field

from tests.limits.cases import Case
from tests.limits.service import Service

__all__ = ["Cost", "measure"]

_TIMES = 2


@dataclass
class Cost:
    """Of one call, at most. ``seconds`` of a processor, ``memory`` its peak in bytes."""

    status: set[int] = field(default_factory=set)
    bytes_out: int = 0
    reads: int = 0
    writes: int = 0
    asked: int = 0
    paid: int = 0
    log: int = 0
    seconds: float = 0.0
    memory: int = 0


def measure(service: Service, case: Case, first: int, *, counts_only: bool = False) -> Cost:
    """Return the most that the case cost. ``first``: the number of its first request."""
    service.play(case.sources)
    cost, runs = Cost(), 1 if case.slow else _TIMES
    for run in range(runs):
        _count(service, case, first + run, cost)
    if not counts_only:
        tracemalloc.start()
        try:
            request = case.make(first + runs)
            tracemalloc.reset_peak()
            before, _ = tracemalloc.get_traced_memory()
            service.call(request)
            cost.memory = tracemalloc.get_traced_memory()[1] - before
        finally:
            tracemalloc.stop()
    return cost


def _count(service: Service, case: Case, number: int, cost: Cost) -> None:
    request = case.make(number)
    operations, log = service.operations, service.log
    reads, writes, logged, (asked, paid) = operations.reads, operations.writes, log.bytes, service.asked()
    started, others = time.process_time(), service.others_seconds()
    answer = service.call(request)
    took = time.process_time() - started - (service.others_seconds() - others)
    asked_now, paid_now = service.asked()
    cost.status.add(answer.status)
    cost.seconds = max(cost.seconds, took)
    for name, value in {
        "bytes_out": len(answer.body)
        + sum(len(name) + len(value) + 4 for name, value in answer.headers.items()),
        "reads": operations.reads - reads,
        "writes": operations.writes - writes,
        "asked": asked_now - asked,
        "paid": paid_now - paid,
        "log": log.bytes - logged,
    }.items():
        setattr(cost, name, max(getattr(cost, name), value))

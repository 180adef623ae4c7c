"""What the simulation says, as tables of docs/costs.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tests.bench.scale.limits import AWS, COSTS
from tests.bench.scale.loads import LOADS
from tests.bench.scale.recount import Recount
from tests.bench.scale.way import Stage, way

__all__ = ["DECISION", "table_of_limits", "table_of_recounts", "table_of_sources", "table_of_the_way", "ways"]

DECISION = COSTS.parent / "decisions/35-shards.md"


def ways() -> dict[str, list[Stage]]:
    """All runs, by load."""
    return {name: list(way(load, means)) for name, (load, means) in LOADS.items()}


def table_of_the_way(found: dict[str, list[Stage]]) -> str:
    """A row for each run."""
    rows = []
    for name, stages in found.items():
        for n, (remedy, gives, run) in enumerate(stages):
            rate, second = run.first.get(gives, (0.0, 0.0))
            first = [gives, f"{rate:,.0f}", f"{second:.1f}"] if gives else ["nothing", "", ""]
            told = [f"{run.refused.total():,}", _shares(run.refused), f"{run.served:,.0f}"]
            rows.append(["" if n else LOADS[name][0].name, remedy if not n else f"+ {remedy}", *first, *told])
    head = [
        "load",
        "with",
        "gives way first",
        "at calls/s",
        "second",
        "refused",
        "by whom",
        "served/s at last",
    ]
    return _table(head, rows)


def table_of_sources(found: dict[str, list[Stage]]) -> str:
    """What fails at the store, at the end of that way, though no call does."""
    run = found["sources"][-1].run
    rows = [
        [name, f"{run.first[name][0]:,.0f}", f"{run.first[name][1]:.1f}", f"{count:,}"]
        for name, count in sorted(run.missed.items(), key=lambda one: run.first[one[0]][1])
    ]
    return _table(["request", "first at calls/s", "second", "failed"], rows)


def table_of_limits() -> str:
    """AWS' limits, and where they stand."""
    return _table(
        ["limit", "", "page of AWS"], [[name, f"{one.value:,.0f}", one.page] for name, one in AWS.items()]
    )


def table_of_recounts(one: Recount, many: Recount) -> str:
    """A row for each way of counting."""
    found = {"one item, by the adapter": one, "16 shards": many}
    head = ["", "calls", "answered", "given back", "in doubt", "counted"]
    return _table(head, [[name, *map(str, counts)] for name, counts in found.items()])


def _shares(refused: Counter[str]) -> str:
    by_limit: Counter[str] = Counter()
    for name, count in refused.items():
        by_limit[name.partition(",")[0]] += count
    return ", ".join(f"{name} {count:,}" for name, count in by_limit.most_common())


def _table(head: list[str], rows: Iterable[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

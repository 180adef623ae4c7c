"""Simulate the way of each load and recount shards, and keep the tables in docs/costs.md and the decision."""

from __future__ import annotations

from tests.bench.scale.limits import COSTS
from tests.bench.scale.recount import recount
from tests.bench.scale.tables import (
    DECISION,
    table_of_limits,
    table_of_recounts,
    table_of_sources,
    table_of_the_way,
    ways,
)
from tests.bench.table import keep


def main() -> None:
    found = ways()
    keep("way", table_of_the_way(found), COSTS)
    keep("sources", table_of_sources(found), COSTS)
    keep("limits", table_of_limits(), COSTS)
    keep(
        "recount",
        table_of_recounts(recount(0), recount(16)),
        DECISION,
    )


if __name__ == "__main__":
    main()

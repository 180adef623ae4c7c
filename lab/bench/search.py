"""Searches in a month of millions: ``python -m lab.bench.search COPY [--write]``.

``COPY``: a folder with a built month (``make copy``), or none, for a small one. Its rows are also copied into
a PostgreSQL server, if there is one, as the builder does and as a peer does. Each kind of search asks for
values of companies that are drawn from it, on one processor, warm, and the quickest of some rounds counts;
engines take turns. ``--write`` renews the table of docs/evidence/figures.md.
"""

import argparse
import os
import sqlite3
import statistics
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple, Protocol

from brskills_server.adapters.postgresql import PostgresDatabase
from brskills_server.adapters.search.folder import FolderSearch
from brskills_server.adapters.search.postgresql import PostgresSearch
from brskills_server.adapters.search.search_file import SEARCH_FILE
from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.register_search import TooMuchWork
from brskills_server.snapshot_builder.destinations.postgresql import PostgresDestination
from lab.bench.figure import Figure
from lab.bench.months import month_in
from lab.bench.search_kinds import KINDS, drawn
from lab.bench.search_peer import JsonSearch, is_possible
from lab.bench.table import keep
from lab.bench.timing import ratio
from tests.register.matching import Registered
from tests.services.postgres import postgres, programs
from tests.services.scenarios import table

DRAWN, ROUNDS = 100, 4
ENGINES = SQLITE, POSTGRES, PEER = "SQLite", "PostgreSQL", "PostgreSQL, a peer's JSON"
TIMEOUT_MS = 1_500.0
"""What a search counts as that an engine refuses."""
BRAZIL = 73
"""Million establishments."""


class _Search(Protocol):
    def search(self, criteria: Criteria, after: str, limit: int) -> object:
        """Return the first companies behind a number."""


Times = list[list[float]]
"""Milliseconds of searches, by round."""


class Found(NamedTuple):
    """The name of a kind of search, and its times by engine."""

    kind: str
    times: dict[str, Times]


def in_rounds(engines: Mapping[str, _Search], asked: list[Criteria], after: str) -> dict[str, Times]:
    """Return the times of the engines that have these searches; they take turns."""
    found: dict[str, Times] = {}
    for _ in range(ROUNDS):
        for name, engine in engines.items():
            if not isinstance(engine, JsonSearch) or all(map(is_possible, asked)):
                times = [_milliseconds(engine, one, after) for one in asked]
                found.setdefault(name, []).append(times)
    return found


def _milliseconds(search: _Search, criteria: Criteria, after: str) -> float:
    began = time.perf_counter()
    try:
        assert search.search(criteria, after, 25) is not None
    except TooMuchWork:
        return TIMEOUT_MS
    return (time.perf_counter() - began) * 1000


def every_kind(engines: Mapping[str, _Search], companies: list[Registered]) -> Iterator[Found]:
    """Measure each kind of search for these companies' values."""
    middle = sorted(one.number for one in companies)[len(companies) // 2]
    for name, kind in KINDS.items():
        after = middle if "page" in name else ""
        if asked := [criteria for one in companies if (criteria := kind(one))]:
            yield Found(name, in_rounds(engines, asked, after))


def shown(times: Times | None) -> str:
    """Return the median and the 99th of a hundred searches, of each its quickest round."""
    if not times:
        return "–"
    quickest = sorted(map(min, zip(*times, strict=True)))
    return f"{quickest[len(quickest) // 2]:.1f} / {quickest[len(quickest) * 99 // 100]:.1f}"


def figures_of(found: Found) -> Iterator[tuple[str, Figure]]:
    """Yield the medians of ours, with ratios to the next engine that has this kind of search."""
    medians = {name: [statistics.median(one) for one in times] for name, times in found.times.items()}
    for (name, times), (_, others) in pairwise(medians.items()):
        yield f"{name}, {found.kind}", Figure(statistics.median(times), "ms", ratio(times, others))


@contextmanager
def in_postgres(month: Path) -> Iterator[dict[str, _Search]]:
    """Yield the searches in a server on this processor, with all rows of a month."""
    with postgres() as server:
        place = PostgresDestination(server.url)
        place.add(month / FILE, month.name, lambda _: None)
        place.switch(month.name)
        ours = PostgresSearch(PostgresDatabase(server.url, 5, 1))
        yield {POSTGRES: ours, PEER: JsonSearch(server.new_database("peer"), month / FILE)}


def measure(copy: Path, *, write: bool = False) -> dict[str, Figure]:
    """Measure, and keep the table where that is wanted."""
    month = month_in(copy)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with closing(sqlite3.connect(month / SEARCH_FILE)) as connection:
        facts = dict(connection.execute("SELECT name, value FROM facts"))
    engines: dict[str, _Search] = {SQLITE: FolderSearch(copy)}
    with ExitStack() as stack:
        if programs():
            engines |= stack.enter_context(in_postgres(month))
        found = [*every_kind(engines, drawn(month / FILE, DRAWN))]
    millions = int(facts["documents"]) / 1e6
    rows = [[one.kind, *(shown(one.times.get(name)) for name in ENGINES)] for one in found]
    size = (month / SEARCH_FILE).stat().st_size / millions / 1e6
    text = table(["p50 / p99, ms", *ENGINES], rows) + (
        f"\n\nA page of 25, with the total but for the peer; {millions:.2f} million establishments,"
        f" {size:.0f} bytes of SQLite's index for each, {size * BRAZIL / 1000:.1f} GB for all of Brazil. A"
        f" search that is refused as too much work counts as {TIMEOUT_MS / 1000} s."
    )
    keep("search", text) if write else print(text)
    return dict(chain.from_iterable(map(figures_of, found)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("copy", type=Path)
    parser.add_argument("--write", action="store_true", help="into docs/evidence/figures.md")
    arguments = parser.parse_args()
    measure(arguments.copy, write=arguments.write)

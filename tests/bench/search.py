"""Searches in a month of millions: ``python -m tests.bench.search COPY [--write]``.

``COPY``: a folder with a built month (``make copy``). Its rows are also copied into a PostgreSQL server, as
the builder does and as a peer does. Each kind of search asks for values of companies that are drawn from it,
on one processor, warm, and the quickest of some rounds counts. ``--write`` renews the table of
docs/evidence/figures.md.
"""

import argparse
import os
import resource
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

from brskills_server.adapters.postgresql import PostgresDatabase
from brskills_server.adapters.search.folder import FolderSearch
from brskills_server.adapters.search.postgresql import PostgresSearch
from brskills_server.adapters.search.search_file import SEARCH_FILE
from brskills_server.adapters.snapshots.folder import FILE, current_name
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.store import StoreFault
from brskills_server.snapshot_builder.destinations.postgresql import PostgresDestination
from brskills_server.snapshot_builder.index_processes import IndexProcesses
from brskills_server.snapshot_builder.indexing import pack_index
from tests.bench.search_kinds import KINDS, drawn
from tests.bench.search_peer import JsonSearch, is_possible
from tests.bench.table import keep
from tests.register.matching import Registered
from tests.services.postgres import postgres
from tests.services.scenarios import table

DRAWN, ROUNDS = 100, 4
TIMEOUT_MS = 1_500.0
"""Of both engines; a search that takes longer counts as this."""
BRAZIL = 73
"""Million establishments."""


class _Search(Protocol):
    def search(self, criteria: Criteria, after: str, limit: int) -> object:
        """Return the first companies behind a number."""


def measured(search: _Search, asked: list[Criteria], after: str = "") -> str:
    """Return the median and the 99th of a hundred milliseconds of searches, of each its quickest round."""
    times = sorted(min(_milliseconds(search, one, after) for _ in range(ROUNDS)) for one in asked)
    return f"{times[len(times) // 2]:.1f} / {times[len(times) * 99 // 100]:.1f}"


def _milliseconds(search: _Search, criteria: Criteria, after: str) -> float:
    began = time.perf_counter()
    try:
        assert search.search(criteria, after, 25) is not None
    except StoreFault:
        return TIMEOUT_MS
    return (time.perf_counter() - began) * 1000


def rows_of(engines: list[_Search], companies: list[Registered]) -> Iterator[list[str]]:
    """Yield the name of each kind, and its figures for each engine."""
    middle = sorted(one.number for one in companies)[len(companies) // 2]
    for name, kind in KINDS.items():
        after = middle if "page" in name else ""
        if asked := [criteria for one in companies if (criteria := kind(one))]:
            yield [name, *(_figures(engine, asked, after) for engine in engines)]


def _figures(engine: _Search, asked: list[Criteria], after: str) -> str:
    if isinstance(engine, JsonSearch) and not all(map(is_possible, asked)):
        return "–"
    return measured(engine, asked, after)


@contextmanager
def in_postgres(month: Path) -> Iterator[list[_Search]]:
    """Yield the searches in a server on this processor, with all rows of a month."""
    with postgres() as server:
        place = PostgresDestination(server.url)
        place.add(month / FILE, month.name, lambda _: None)
        place.switch(month.name)
        peer = JsonSearch(server.new_database("peer"), month / FILE)
        yield [PostgresSearch(PostgresDatabase(server.url, 5, 1)), peer]


def indexing_seconds(month: Path) -> float:
    """Return the seconds of processor, of all processes, that a month's index takes."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / FILE).symlink_to((month / FILE).resolve())
        before = _processor_seconds()
        with closing(sqlite3.connect(month / FILE)) as file, closing(IndexProcesses(Path(folder))) as index:
            rows = file.execute("SELECT key, body FROM rows ORDER BY key")
            for batch in iter(lambda: rows.fetchmany(2_000), []):
                index.add(batch)
            index.finish()
        pack_index(Path(folder))
        return _processor_seconds() - before


def _processor_seconds() -> float:
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    """Measure, and keep the table where that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("copy", type=Path)
    parser.add_argument("--write", action="store_true", help="into docs/evidence/figures.md")
    arguments = parser.parse_args()
    month = arguments.copy / (current_name(arguments.copy) or "")
    seconds = indexing_seconds(month)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with closing(sqlite3.connect(month / SEARCH_FILE)) as connection:
        facts = dict(connection.execute("SELECT name, value FROM facts"))
    with in_postgres(month) as others:
        rows = [*rows_of([FolderSearch(arguments.copy), *others], drawn(month / FILE, DRAWN))]
    millions = int(facts["documents"]) / 1e6
    text = table(["p50 / p99, ms", "SQLite", "PostgreSQL", "PostgreSQL, a peer's JSON"], rows)
    size = (month / SEARCH_FILE).stat().st_size / millions / 1e6
    text += (
        f"\n\nA page of 25, with the total but for the peer; {millions:.2f} million establishments,"
        f" {size:.0f} bytes of SQLite's index for each, built in {seconds / millions:.0f} s of processor a"
        f" million: {size * BRAZIL / 1000:.1f} GB and {seconds / millions * BRAZIL / 60:.0f} minutes for all"
        f" of Brazil. A search is ended after {TIMEOUT_MS / 1000} s"
        " and counts as that."
    )
    if arguments.write:
        keep("search", text)
    else:
        print(text)


if __name__ == "__main__":
    main()

"""A month of the register in the stores: ``python -m tests.bench.copies`` with a month's ``companies.db``.

What it takes to bring it into PostgreSQL (where ``make e2e-postgres`` has brought one) and to write it for an
import into DynamoDB, how large it is there, and what a look-up takes beside a stored answer.
docs/decisions/23-snapshot-destinations.md keeps the figures.
"""

from __future__ import annotations

import gzip
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psycopg

from brskills_server.adapters.postgresql import PostgresDatabase
from brskills_server.adapters.snapshots.folder import MonthFile
from brskills_server.adapters.snapshots.postgresql import open_snapshot
from brskills_server.adapters.sql.access import stores_of
from brskills_server.registry.snapshot.rows import record_text
from brskills_server.snapshot_builder.destinations.destination import SnapshotRows
from brskills_server.snapshot_builder.destinations.postgresql import PostgresDestination
from brskills_server.snapshot_builder.destinations.table_fillers import _write_object
from tests.services.postgres import postgres
from tests.services.store import Destination

ASKED = 20_000
NAME = "2026-09-12"


def main(file: Path) -> None:
    """Measure and print."""
    with sqlite3.connect(file) as month:
        (companies,) = month.execute("SELECT count(*) FROM rows WHERE length(key) = 14").fetchone()
        keys = month.execute("SELECT key FROM rows WHERE length(key) = 14").fetchall()
    asked = [key for (key,) in random.Random(1).choices(keys, k=ASKED)]
    print(f"{companies} establishments, {file.stat().st_size / companies:.0f} bytes each in the file")
    _show(asked, file=MonthFile(file).find)
    _for_import(file, companies)
    with postgres() as server:
        _in_postgres(server.url, file, companies, asked)


def _for_import(file: Path, companies: int) -> None:
    with tempfile.TemporaryFile() as packed:
        seconds = _seconds(lambda: _write_object(packed, SnapshotRows(file, lambda _: None)))
        size = packed.tell()
        packed.seek(0)
        plain = sum(map(len, gzip.GzipFile(fileobj=packed)))
    print(
        f"for an import: {seconds * 1e6 / companies:.1f} s a million, {plain / companies:.0f} bytes each, "
        f"{size / companies:.0f} packed"
    )


def _in_postgres(url: str, file: Path, companies: int, asked: list[str]) -> None:
    place = PostgresDestination(url)
    seconds = _seconds(lambda: place.add(file, NAME, lambda _: None))
    place.switch(NAME)
    with psycopg.connect(url) as connection:
        sizes = connection.execute("SELECT pg_total_relation_size('register_2026_09_12')").fetchone()
    assert sizes is not None
    print(f"PostgreSQL: {seconds * 1e6 / companies:.1f} s a million, {sizes[0] / companies:.0f} bytes each")
    own_copy = open_snapshot(Destination(url))
    database = PostgresDatabase(url, 5)
    stores = stores_of(database, database)
    stores.open_maintenance().prepare()
    found = own_copy.find(asked[0])
    assert found is not None
    for cnpj in set(asked):
        stores.companies.save(cnpj, {"form": 1, "record": record_text(found), "asked_at": 1}, 2_000_000_000)
    _show(asked, copied=own_copy.find, stored=stores.companies.load)


def _show(asked: list[str], **finds: Callable[[str], object]) -> None:
    """Each by turns with the others, so that all of them meet the same machine."""
    taken: dict[str, list[float]] = {name: [] for name in finds}
    for cnpj in asked:
        for name, find in finds.items():
            began = time.perf_counter()
            assert find(cnpj)
            taken[name].append(1000 * (time.perf_counter() - began))
    for name, times in taken.items():
        steps = statistics.quantiles(times, n=100)
        print(f"{name}: p50 {steps[49]:.3f} ms, p99 {steps[98]:.3f} ms")


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""The stores: ``python -m lab.bench.stores``, with PostgreSQL if ``make e2e-postgres`` has installed one.

One counted call, by turns with a bare statement that adds one to a row and returns it, in the same database;
then Pix calls through the gateway over each store, eight callers, two workers. Kept in evidence/figures.md.
"""

import contextlib
import os
import sqlite3
import statistics
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg

from brskills_server.metering.ports import AccountCalls
from lab.bench.figure import Figure
from lab.bench.table import DOCS, keep
from lab.bench.timing import by_turns, compared
from lab.bench.warm.servers import load
from tests.integration.adapters.sql.databases import MONTH, NOW, OLDEST, new_account, open_at
from tests.services.postgres import postgres, programs
from tests.services.scenarios import table
from tests.services.served import served

ROUNDS, CALLS, CALLERS = 1500, 3000, 8
BARE = "UPDATE bare SET n = n + 1 WHERE id = 1 RETURNING n"
HEAD = ["store", "bare statement, ms", "counted call, ms", "ratio", "Pix calls/s", "p50, ms", "p99, ms"]


def measure(rounds: int = ROUNDS) -> dict[str, Figure]:
    """Measure and keep."""
    rows, figures = [], {}
    with _stores() as addresses:
        for name, address in addresses.items():
            bare, counted = _statements(address, rounds).values()
            speed, *waits = _calls(address)
            times = [f"{one.value:.3f}" for one in (bare, counted)]
            rows.append([name, *times, counted.times, f"{speed:.0f}", *(f"{wait:.1f}" for wait in waits)])
            figures[f"{name}, counted call"] = counted
            figures[f"{name}, Pix"] = Figure(speed, "calls/s")
    keep("stores", table(HEAD, rows))
    return figures


@contextlib.contextmanager
def _stores() -> Iterator[dict[str, str]]:
    """Yield addresses as ``STORE`` holds them."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(dir=DOCS.parent))
        addresses = {"SQLite": f"sqlite:///{folder}/bench.db"}
        if programs():
            addresses["PostgreSQL"] = stack.enter_context(postgres()).url
        yield addresses


def _statements(address: str, rounds: int) -> dict[str, Figure]:
    opened = open_at(address)
    new_account(opened, None)
    with contextlib.closing(_connection(address)) as connection:
        connection.execute("CREATE TABLE bare (id INTEGER PRIMARY KEY, n INTEGER)")
        connection.execute("INSERT INTO bare VALUES (1, 0)")
        wanted = AccountCalls("acc_1", "k1", MONTH, OLDEST, NOW)
        steps: dict[str, Callable[[], Any]] = {
            "bare": lambda: connection.execute(BARE).fetchall(),
            "counted": lambda: opened.access.reserve_calls(wanted),
        }
        return compared(by_turns(steps, rounds), "bare")


def _connection(address: str) -> Any:
    if address.startswith("postgresql"):
        return psycopg.connect(address, autocommit=True)
    connection = sqlite3.connect(address.removeprefix("sqlite:///"), isolation_level=None)
    connection.execute("PRAGMA synchronous = NORMAL")  # as the store counts
    return connection


def _calls(address: str) -> tuple[float, float, float]:
    """Return calls a second, and milliseconds of the median and the 99th of a hundred."""
    workers = os.environ.get("WORKERS", "2")
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), address, WORKERS=workers) as service:
        key = service.store.accounts.open("enterprise").api_key
        found = load(service.port, CALLS, CALLERS, key)
    steps = statistics.quantiles(found["times"], n=100)
    return CALLS / found["seconds"], steps[49], steps[98]


if __name__ == "__main__":
    measure()

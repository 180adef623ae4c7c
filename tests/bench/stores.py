"""The stores: ``python -m tests.bench.stores``, with PostgreSQL if ``make e2e-postgres`` has installed one.

First one counted call, by turns with a bare statement that adds one to a row and returns it, in the same
database; then Pix calls through the gateway over each store, eight callers, two workers. docs/operate/
stores.md keeps the figures.
"""

import contextlib
import os
import sqlite3
import statistics
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psycopg

from brskills_server.metering.ports import AccountCalls
from tests.bench.table import DOCS, keep
from tests.bench.timing import by_turns
from tests.bench.warm.servers import WRITTEN, load
from tests.integration.adapters.sql.databases import MONTH, NOW, OLDEST, new_account, open_at
from tests.services.gateway import store
from tests.services.postgres import postgres, programs
from tests.services.scenarios import table
from tests.services.served import served

ROUNDS, CALLS, CALLERS = 1500, 3000, 8
MOTO = "DynamoDB (moto)"
BARE = "UPDATE bare SET n = n + 1 WHERE id = 1 RETURNING n"


def main() -> None:
    """Measure and keep."""
    with _stores() as addresses:
        keep("statement", _statements(addresses), DOCS / "operate/stores.md")
        keep("gateway", _gateways(addresses), DOCS / "operate/stores.md")


@contextlib.contextmanager
def _stores() -> Iterator[dict[str, str]]:
    """Yield addresses as ``STORE`` holds them; moto's is that of the endpoint behind ``dynamodb``."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(dir=DOCS.parent))
        addresses = {"SQLite": f"sqlite:///{folder}/bench.db"}
        if programs():
            addresses["PostgreSQL"] = stack.enter_context(postgres()).url
        addresses[MOTO] = stack.enter_context(store())
        yield addresses


def _statements(addresses: dict[str, str]) -> str:
    rows = []
    for name, address in addresses.items():
        if name == MOTO:
            continue
        opened = open_at(address)
        new_account(opened, None)
        with contextlib.closing(_connection(address)) as connection:
            connection.execute("CREATE TABLE bare (id INTEGER PRIMARY KEY, n INTEGER)")
            connection.execute("INSERT INTO bare VALUES (1, 0)")
            wanted = AccountCalls("acc_1", "k1", MONTH, OLDEST, NOW)
            reserve = opened.access.reserve_calls
            steps: dict[str, Callable[[], Any]] = {
                "bare": lambda connection=connection: connection.execute(BARE).fetchall(),
                "counted": lambda reserve=reserve, wanted=wanted: reserve(wanted),
            }
            bare, counted = map(statistics.median, by_turns(steps, ROUNDS).values())
        rows.append([name, f"{bare:.3f}", f"{counted:.3f}", f"{counted / bare:.2f}"])
    return table(["store", "a bare statement, ms", "a counted call, ms", "ratio"], rows)


def _connection(address: str) -> Any:
    if address.startswith("postgresql"):
        return psycopg.connect(address, autocommit=True)
    connection = sqlite3.connect(address.removeprefix("sqlite:///"), isolation_level=None)
    connection.execute("PRAGMA synchronous = NORMAL")  # as the store counts
    return connection


def _gateways(addresses: dict[str, str]) -> str:
    measured = {name: _calls_over(address) for name, address in addresses.items()}
    rows = []
    for name, found in measured.items():
        rate, base = (CALLS / one["seconds"] for one in (found, measured[MOTO]))
        steps = statistics.quantiles(found["times"], n=100)
        rows.append([name, f"{rate:.0f}", f"{steps[49]:.1f}", f"{steps[98]:.1f}", f"{rate / base:.1f}"])
    return table(["store", "calls/s", "p50, ms", "p99, ms", f"calls/s beside {MOTO}"], rows)


def _calls_over(address: str) -> dict[str, Any]:
    settings = {"WORKERS": os.environ.get("WORKERS", "2")}
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        if address.startswith("http"):
            settings |= {"CREATE_TABLES": "1", "STORE_TIMEOUT_SECONDS": "5"}
            aws = {"AWS_ACCESS_KEY_ID": "b", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "sa-east-1"}
            aws |= {"AWS_ENDPOINT_URL_DYNAMODB": address}
            stack.enter_context(patch.dict(os.environ, aws))
            settings, address = {**settings, **aws}, "dynamodb"
        service = stack.enter_context(served(Path(folder), address, **settings))
        key = service.store.accounts.open("enterprise").api_key
        return load(service.port, WRITTEN, CALLS, CALLERS, key)


if __name__ == "__main__":
    main()

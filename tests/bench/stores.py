"""The stores: ``python -m tests.bench.stores``, on a PostgreSQL where ``make e2e-postgres`` has brought one.

First one counted call, by turns with a bare statement that adds one to a row and returns it, in the same
database; then Pix calls through the gateway over each store, eight callers, two workers. docs/stores.md
keeps the figures.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg

from brskills_server.metering.ports import AccountCalls
from tests.bench.server import SECONDS, calls
from tests.integration.adapters.sql.databases import MONTH, NOW, OLDEST, new_account, open_at
from tests.services.gateway import gateway, store
from tests.services.postgres import postgres, programs

DOCUMENT = Path(__file__).parents[2] / "docs/stores.md"
ROUNDS = 1500
KEYS = 300  # of 100 calls each
BARE = "UPDATE bare SET n = n + 1 WHERE id = 1 RETURNING n"


def main() -> None:
    """Measure and keep."""
    with _stores() as addresses:
        databases = {name: url for name, url in addresses.items() if not url.startswith("http")}
        _keep("statement", _statements(databases))
        _keep("gateway", _gateways(addresses))


@contextlib.contextmanager
def _stores() -> Iterator[dict[str, str]]:
    """Addresses as ``STORE`` holds them; moto's DynamoDB is the endpoint behind ``dynamodb``."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(dir=DOCUMENT.parents[1]))
        addresses = {"SQLite": f"sqlite:///{folder}/bench.db"}
        if programs():
            addresses["PostgreSQL"] = stack.enter_context(postgres()).url
        addresses["DynamoDB (moto)"] = stack.enter_context(store())
        yield addresses


def _statements(addresses: dict[str, str]) -> str:
    rows = ["| store | a bare statement, ms | a counted call, ms | ratio |", "| --- | --- | --- | --- |"]
    for name, address in addresses.items():
        opened = open_at(address)
        new_account(opened, None)
        with contextlib.closing(_connection(address)) as connection:
            _make_bare(connection)
            bare, counted = _by_turns(
                lambda connection=connection: connection.execute(BARE).fetchall(),
                lambda opened=opened: opened.access.reserve_calls(
                    AccountCalls("acc_1", "k1", MONTH, OLDEST, NOW)
                ),
            )
        rows.append(f"| {name} | {bare:.3f} | {counted:.3f} | {counted / bare:.2f} |")
    return "\n".join(rows)


def _connection(address: str) -> Any:
    if address.startswith("postgresql"):
        return psycopg.connect(address, autocommit=True)
    connection = sqlite3.connect(address.removeprefix("sqlite:///"), isolation_level=None)
    connection.execute("PRAGMA synchronous = NORMAL")  # as the store counts
    return connection


def _make_bare(connection: Any) -> None:
    connection.execute("CREATE TABLE bare (id INTEGER PRIMARY KEY, n INTEGER)")
    connection.execute("INSERT INTO bare VALUES (1, 0)")


def _by_turns(*contenders: Callable[[], Any]) -> list[float]:
    """The median of each, in milliseconds."""
    times: list[list[float]] = [[] for _ in contenders]
    for n in range(ROUNDS):
        for run, spent in zip(contenders, times, strict=True):
            began = time.perf_counter()
            run()
            if n >= ROUNDS // 10:
                spent.append((time.perf_counter() - began) * 1000)
    return [statistics.median(spent) for spent in times]


def _gateways(addresses: dict[str, str]) -> str:
    rows = [
        "| store | calls/s | p50, ms | p99, ms | calls/s beside DynamoDB (moto) |",
        "| --- | --- | --- | --- | --- |",
    ]
    measured = {name: _calls_over(address) for name, address in addresses.items()}
    floor = len(measured["DynamoDB (moto)"])
    for name, times in measured.items():
        median, worst = statistics.median(times) * 1000, sorted(times)[int(len(times) * 0.99)] * 1000
        rate, ratio = len(times) / SECONDS, len(times) / floor
        rows.append(f"| {name} | {rate:.0f} | {median:.1f} | {worst:.1f} | {ratio:.1f} |")
    return "\n".join(rows)


def _calls_over(address: str) -> list[float]:
    place = {"STORE": address}
    if address.startswith("http"):
        place = {"AWS_ENDPOINT_URL_DYNAMODB": address, "CREATE_TABLES": "1", "STORE_TIMEOUT_SECONDS": "5"}
    workers = os.environ.get("WORKERS", "2")
    with gateway(WORKERS=workers, SIGNUPS_PER_DAY=str(KEYS), **place) as base:
        with httpx.Client(base_url=base) as http:
            keys = cycle([http.post("/api/v1/keys").json()["api_key"] for _ in range(KEYS)])
        return asyncio.run(calls(urlsplit(base).port or 0, keys))


def _keep(name: str, table: str) -> None:
    print(table, flush=True)
    mark = f"<!-- {name} -->\n"
    text = DOCUMENT.read_text(encoding="utf-8")
    kept = re.sub(f"{mark}.*?<!-- /{name} -->", f"{mark}{table}\n<!-- /{name} -->", text, flags=re.DOTALL)
    DOCUMENT.write_text(kept, encoding="utf-8")


if __name__ == "__main__":
    main()

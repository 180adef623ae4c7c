"""The ledger under many hands at once, over real sockets, each thread with a client of its own."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import local

import boto3
import pytest

from access import Accounts, Caller, Ledger, QuotaExceeded
from access.ledger import DEMO
from gateway.tables import create_tables
from gateway.template import load
from storage import Table
from tests.services.gateway import ROOT, free_port, wait_until_ready


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    port = free_port()
    store = subprocess.Popen([sys.executable, "-m", "gateway.store", str(port)], cwd=ROOT)
    try:
        wait_until_ready(f"http://127.0.0.1:{port}", store)
        create_tables(boto3.client("dynamodb", endpoint_url=f"http://127.0.0.1:{port}"), load().tables)
        yield f"http://127.0.0.1:{port}"
    finally:
        store.terminate()
        store.wait(30)


@pytest.fixture
def table(endpoint: str) -> Table:
    return Table(boto3.client("dynamodb", endpoint_url=endpoint), "Access")


def reserve_in_threads(endpoint: str, caller: Caller, calls: int, limit: int) -> Counter[str]:
    mine = local()

    def one(_: int) -> str:
        if not hasattr(mine, "ledger"):
            client = boto3.session.Session().client("dynamodb", endpoint_url=endpoint)
            mine.ledger = Ledger(Table(client, "Access"), demo_limit=limit)
        try:
            mine.ledger.reserve(caller)
        except QuotaExceeded:
            return "refused"
        return "counted"

    with ThreadPoolExecutor(16) as pool:
        return Counter(pool.map(one, range(calls)))


def test_a_thousand_at_once_on_a_quota_of_a_hundred_are_a_hundred(endpoint: str, table: Table) -> None:
    accounts = Accounts(table, "no demo")
    caller, _ = accounts.identify(accounts.open("free").api_key)
    assert reserve_in_threads(endpoint, caller, 1000, 0) == {"counted": 100, "refused": 900}
    assert Ledger(table, 0).usage(caller)[0].calls == 100


def test_the_demo_key_is_as_exact(endpoint: str, table: Table) -> None:
    caller = Caller(DEMO, "x", "some-address")
    assert reserve_in_threads(endpoint, caller, 300, 20) == {"counted": 20, "refused": 280}

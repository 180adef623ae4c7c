"""Calls from many threads over a store with faults, and then a recount: what was answered is counted.

The store is moto's, in this process. It throttles, refuses connections, loses requests before they are done
and answers after. Chance is each thread's own, so that one item and many meet the same faults.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple

import boto3
from botocore.exceptions import ClientError, EndpointConnectionError, ReadTimeoutError
from moto import mock_aws

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.adapters.dynamodb.table import Table
from tests.bench.scale.shards import Shards
from tests.services.releasing import release
from tests.services.tables import new_table

__all__ = ["KEY", "MONTH", "NOW", "OLDEST", "Recount", "Shaky", "recount", "shaky_store"]

ACCOUNT, KEY, MONTH, OLDEST, NOW = "acc_1", "key", "2026-11", "2025-10", 1_795_000_000
THREADS, CALLS = 16, 25
_chance = threading.local()


class Recount(NamedTuple):
    """Calls by what became of them, and how many are counted. ``doubt``: the store's answer did not come."""

    calls: int
    answered: int
    given_back: int
    doubt: int
    counted: int


class Serial:
    """A client, one request at a time: moto checks a condition and writes in two steps, DynamoDB in one."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._lock = threading.Lock()

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        def send(**request: Any) -> Any:
            with self._lock:
                return getattr(self._client, operation)(**request)

        return send


class Shaky:
    """The same, where one request in eight goes wrong."""

    def __init__(self, client: Serial) -> None:
        self._client = client

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        def send(**request: Any) -> Any:
            fault = chance().random() * 32
            if fault < 1:
                error = {"Error": {"Code": "ProvisionedThroughputExceededException", "Message": ""}}
                raise ClientError(error, operation)  # type: ignore[arg-type]
            if fault < 2:
                raise EndpointConnectionError(endpoint_url="store")
            answer = getattr(self._client, operation)(**request) if fault >= 3 else None
            if fault < 4:  # lost before it was done, or after
                raise ReadTimeoutError(endpoint_url="store")
            return answer

        return send


def chance() -> Random:
    """The chance of this thread."""
    if not hasattr(_chance, "own"):
        _chance.own = Random(0)
    own: Random = _chance.own
    return own


@contextmanager
def shaky_store() -> Iterator[tuple[DynamoAccess, Table, Table]]:
    """The adapter with an enterprise account, and the table by a shaky and by a sound client."""
    with mock_aws():
        client: Any = boto3.client("dynamodb", region_name="us-east-1")
        name = new_table(client, "Access")
        client = Serial(client)
        sound = DynamoAccess(client, name)
        sound.open_account(Account(ACCOUNT, "enterprise", None, {KEY: 0, "other": 0}))
        shaky: Any = Shaky(client)
        yield DynamoAccess(shaky, name), Table(shaky, name), Table(client, name)


def recount(shards: int) -> Recount:
    """Calls of one account over so many shards; none is the adapter as it is."""
    with shaky_store() as (adapter, table, sound):
        if shards:
            Shards(sound, ACCOUNT, shards).begin()

        def one(number: int) -> Counter[str]:
            _chance.own = Random(number)
            ways = Shards(table, ACCOUNT, shards, choose=lambda most: int(chance().random() * most))
            return Counter(_call(adapter, ways if shards else None) for _ in range(CALLS))

        with ThreadPoolExecutor(THREADS) as pool:
            ends: Counter[str] = sum(pool.map(one, range(THREADS)), Counter())
        counted = Shards(sound, ACCOUNT, shards).usage()[MONTH]
    return Recount(ends.total(), ends["answered"], ends["given back"], ends["doubt"], counted)


def _call(adapter: DynamoAccess, shards: Shards | None) -> str:
    """A call that is answered, or fails after it was counted and is given back."""
    fails = chance().random() < 1 / 8
    if shards is None:
        chance().random()  # what a shard is chosen by, so that both meet the same faults
    try:
        where = shards.reserve(KEY, MONTH, NOW) if shards else _reserve(adapter)
        if not fails:
            return "answered"
        if shards:
            shards.release(where, MONTH)
        else:
            release(adapter, ACCOUNT, MONTH)
    except StoreUnavailable:
        return "doubt"
    return "given back"


def _reserve(adapter: DynamoAccess) -> str:
    adapter.reserve_calls(ACCOUNT, KEY, MONTH, OLDEST, NOW)
    return ACCOUNT

"""The DynamoDB adapter, against an emulated table and against failing clients."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.stub import Stubber

from brskills_server.adapters.dynamodb.companies import DynamoCompanies
from brskills_server.registry.query import Query
from brskills_server.registry.registry import Registry, build_registry
from brskills_server.registry.store import StoreFault
from tests.services.tables import new_table
from tests.simulator import Simulator
from tests.simulator.process import state_sync

NUMBER = "11222333000181"
NO_KEYS = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": "us-east-1"}


@pytest.fixture
def table(client: Any) -> str:
    return new_table(client, "Companies")


def test_an_entry_carries_its_key_and_its_end(client: Any, table: str) -> None:
    DynamoCompanies(client, table).save(NUMBER, {"form": 1, "record": "é"}, expires_at=99)
    item = client.get_item(TableName=table, Key={"pk": {"S": f"COMPANY#{NUMBER}"}})["Item"]
    assert item == {
        "pk": {"S": f"COMPANY#{NUMBER}"},
        "form": {"N": "1"},
        "record": {"S": "é"},
        "expires_at": {"N": "99"},
    }


def test_an_attribute_of_another_kind_is_no_fault(client: Any, table: str) -> None:
    client.put_item(
        TableName=table,
        Item={
            "pk": {"S": f"COMPANY#{NUMBER}"},
            "form": {"N": "1.5"},
            "record": {"L": []},
            "at": {"BOOL": True},
        },
    )
    entry = DynamoCompanies(client, table).load(NUMBER)
    assert entry == {"pk": f"COMPANY#{NUMBER}", "form": "", "record": "", "at": ""}


@pytest.mark.parametrize("code", ["ProvisionedThroughputExceededException", "ResourceNotFoundException"])
def test_a_refusal_is_a_store_fault(code: str) -> None:
    client = boto3.client("dynamodb", **NO_KEYS)
    with Stubber(client) as stub:
        stub.add_client_error("get_item", code)
        with pytest.raises(StoreFault):
            DynamoCompanies(client, "Companies").load(NUMBER)


class Reluctant:
    """A client that reads one key of many at a time; after ``most`` none."""

    def __init__(self, most: int) -> None:
        self.left = most

    def batch_get_item(self, RequestItems: Any) -> Any:
        ((table, asked),) = RequestItems.items()
        read = asked["Keys"][: min(1, self.left)]
        self.left -= len(read)
        rest = asked["Keys"][len(read) :]
        found = [{**key, "form": {"N": "1"}} for key in read]
        unprocessed = {table: {"Keys": rest}} if rest else {}
        return {"Responses": {table: found}, "UnprocessedKeys": unprocessed}


def test_keys_that_were_left_out_are_asked_for_again() -> None:
    numbers = [f"{number:014}" for number in range(4)]
    found = DynamoCompanies(Reluctant(10), "Companies").load_many(numbers)
    assert [*found] == numbers
    assert found[numbers[0]] == {"pk": f"COMPANY#{numbers[0]}", "form": 1}


def test_keys_are_asked_for_again_for_a_second_only() -> None:
    numbers = [f"{number:014}" for number in range(4)]
    assert [*DynamoCompanies(Reluctant(2), "Companies").load_many(numbers)] == numbers[:2]


def test_many_that_are_refused_are_a_store_fault() -> None:
    client = boto3.client("dynamodb", **NO_KEYS)
    with Stubber(client) as stub:
        stub.add_client_error("batch_get_item", "ProvisionedThroughputExceededException")
        with pytest.raises(StoreFault):
            DynamoCompanies(client, "Companies").load_many([NUMBER])


def unreachable() -> Any:
    once = Config(retries={"total_max_attempts": 1}, connect_timeout=1)
    return boto3.client("dynamodb", **NO_KEYS, endpoint_url="http://127.0.0.1:1", config=once)


def test_an_endpoint_out_of_reach_is_a_store_fault() -> None:
    with pytest.raises(StoreFault):
        DynamoCompanies(unreachable(), "Companies").claim("x", 1, 0)


@contextmanager
def registry_over(store: DynamoCompanies, urls: dict[str, str]) -> Iterator[Registry]:
    registry = build_registry(providers=["opencnpj"], urls=urls, store=store, user_agent="test")
    yield registry
    registry.close()


def test_a_look_up_answers_without_its_table() -> None:
    store = DynamoCompanies(unreachable(), "Companies")
    with Simulator() as simulator, registry_over(store, simulator.urls) as registry:
        assert registry.look_up(Query(NUMBER)).record.cnpj == NUMBER


class WaitingClient:
    """A client whose call returns after the event loop has run another task."""

    def __init__(self) -> None:
        self.may_go = threading.Event()

    def get_item(self, **_: object) -> dict[str, Any]:
        assert self.may_go.wait(10)
        return {}


def test_a_slow_call_does_not_hold_up_the_loop() -> None:
    client = WaitingClient()
    store = DynamoCompanies(client, "Companies")  # type: ignore[arg-type]

    async def meanwhile() -> None:
        reading = asyncio.ensure_future(state_sync(store, time.time).run(store.state))
        await asyncio.sleep(0)
        client.may_go.set()
        assert await reading == {}

    asyncio.run(meanwhile())

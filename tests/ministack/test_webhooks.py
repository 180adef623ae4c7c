"""Webhooks on MiniStack: the queue, the function and its schedule deliver to a receiver on loopback."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import httpx
import pytest
import standardwebhooks

from brskills_server.accounts.calendar import month_name
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.webhooks.event import webhook_test
from brskills_server.webhooks.webhook import EVENT_TYPES, Secret, Webhook
from tests.ministack.conftest import client, sign_up

SECRET = "whsec_" + "A" * 43 + "="
SANDBOX = "SANDBOX1000170"
SECONDS = 90
"""How long a delivery may take: each worker of MiniStack's unpacks the layers first."""


class Received(NamedTuple):
    """A delivery: its headers in small letters, and its body."""

    headers: dict[str, str]
    body: bytes


class Receiver(ThreadingHTTPServer):
    """A receiver that verifies nothing, and answers with ``statuses``, 200 behind the last one."""

    daemon_threads = True

    def __init__(self) -> None:
        self.received: queue.Queue[Received] = queue.Queue()
        self.statuses: list[int] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    def next(self) -> dict[str, Any]:
        """Return what the next delivery says, whose signature is right, with its ``webhook-id`` as ``id``."""
        headers, body = self.received.get(timeout=SECONDS)
        verified: dict[str, Any] = standardwebhooks.Webhook(SECRET).verify(body, headers)
        return {**verified, "id": headers["webhook-id"]}


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        names = {name.lower(): value for name, value in self.headers.items()}
        self.server.received.put(Received(names, body))
        self.send_response(self.server.statuses.pop(0) if self.server.statuses else 200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        thread = threading.Thread(target=receiver.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield receiver
        receiver.shutdown()
        thread.join()


@pytest.fixture
def store(base: str, outputs: dict[str, str]) -> DynamoAccess:
    return DynamoAccess(client(base, "dynamodb"), outputs["AccessTable"], outputs["WatchesTable"])


@pytest.fixture
def account(base: str) -> dict[str, Any]:
    return sign_up(base)


@pytest.fixture
def webhook(receiver: Receiver, store: DynamoAccess, account: dict[str, Any]) -> Iterator[Webhook]:
    url = f"http://127.0.0.1:{receiver.server_port}/hook"
    made = Webhook("wh_1", account["id"], url, EVENT_TYPES, None, (Secret(SECRET),), int(time.time()))
    assert store.add_webhook(made, 5)
    yield made
    store.delete_webhook(made.account, made.id)


def test_who_adds_a_delivery_wakes_the_function(
    base: str, account: dict[str, Any], webhook: Webhook, receiver: Receiver
) -> None:
    key = {"X-API-Key": account["api_key"]}
    watched = httpx.post(f"{base}/api/v1/watches", json={"cnpj": SANDBOX}, headers=key, timeout=60)
    assert watched.status_code == 201
    assert httpx.post(f"{base}/api/v1/watches/simulate", headers=key, timeout=60).status_code == 202
    delivered = receiver.next()
    (change,) = httpx.get(f"{base}/api/v1/changes", headers=key, timeout=60).json()["mudancas"]
    assert (delivered["type"], delivered["data"]) == ("company.changed", change)


def test_a_failed_delivery_is_made_again_by_a_late_message(
    base: str, webhook: Webhook, receiver: Receiver, store: DynamoAccess, resources: dict[str, str]
) -> None:
    receiver.statuses = [500]
    now = int(time.time())
    event = webhook_test(webhook.account, webhook.id, "again", now)
    assert store.add_event(webhook.account, event, now, now + 60)
    send(base, resources, webhook)
    first, second = receiver.next(), receiver.next()
    assert first == second
    assert first["id"] == event.id
    assert [attempt.number for attempt in attempts(store, webhook, 2)] == [2, 1]


def test_what_no_message_named_is_found_by_the_sweep(
    base: str, webhook: Webhook, receiver: Receiver, store: DynamoAccess
) -> None:
    """The schedule runs it: once a minute."""
    now = int(time.time())
    event = webhook_test(webhook.account, webhook.id, "swept", now)
    assert store.add_event(webhook.account, event, now, now + 60)
    assert receiver.next()["id"] == event.id


def test_an_account_is_told_that_its_calls_are_used_up(
    base: str, webhook: Webhook, receiver: Receiver, store: DynamoAccess, resources: dict[str, str]
) -> None:
    assert store.set_limit(webhook.account, 1)
    # An answered call of this month, as the ledger counts one.
    client(base, "dynamodb").update_item(
        TableName=resources["AccessTable"],
        Key={"pk": {"S": f"ACCOUNT#{webhook.account}"}},
        UpdateExpression="ADD #c :one",
        ExpressionAttributeNames={"#c": f"calls#{month_name(time.time())}"},
        ExpressionAttributeValues={":one": {"N": "1"}},
    )
    sweep(base, resources)
    said = [receiver.next() for _ in range(2)]
    assert sorted(one["data"]["percentual"] for one in said) == [80, 100]


def send(base: str, resources: dict[str, str], webhook: Webhook) -> None:
    body = json.dumps({"account": webhook.account, "webhook": webhook.id})
    client(base, "sqs").send_message(QueueUrl=resources["WebhookQueue"], MessageBody=body)


def sweep(base: str, resources: dict[str, str]) -> None:
    invoked = client(base, "lambda").invoke(FunctionName=resources["DeliverFunction"], Payload="{}")
    assert "FunctionError" not in invoked, invoked["Payload"].read()


def attempts(store: DynamoAccess, webhook: Webhook, wanted: int) -> list[Any]:
    """Return the attempts once there are so many: the last one is recorded after its answer."""
    deadline = time.monotonic() + SECONDS
    while len(found := [*store.list_attempts(webhook, 9)]) < wanted and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def test_a_message_that_names_nothing_ends_among_the_dead_letters(
    base: str, resources: dict[str, str]
) -> None:
    sqs = client(base, "sqs")
    waiting, dead = resources["WebhookQueue"], resources["WebhookDeadLetters"]
    seconds = sqs.get_queue_attributes(QueueUrl=waiting, AttributeNames=["VisibilityTimeout"])["Attributes"]
    sqs.set_queue_attributes(QueueUrl=waiting, Attributes={"VisibilityTimeout": "1"})
    try:
        sqs.send_message(QueueUrl=waiting, MessageBody="no json")
        deadline = time.monotonic() + SECONDS
        found: list[Any] = []
        while not found and time.monotonic() < deadline:
            found = sqs.receive_message(QueueUrl=dead, WaitTimeSeconds=1, VisibilityTimeout=1).get(
                "Messages", []
            )
    finally:
        sqs.set_queue_attributes(QueueUrl=waiting, Attributes=seconds)
    assert [one["Body"] for one in found] == ["no json"]

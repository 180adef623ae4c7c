"""The function that delivers: webhooks of messages, messages for later attempts, and the sweep."""

from __future__ import annotations

import importlib
import json
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ConnectTimeoutError
from botocore.session import Session
from botocore.stub import Stubber

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.webhook_queue import WebhookQueue
from brskills_server.webhooks.event import webhook_test
from brskills_server.webhooks.webhook import EVENT_TYPES, Secret, Webhook
from tests.services.store import in_memory

NOW = 1_795_000_000
URL = "https://sqs.sa-east-1.amazonaws.com/123456789012/queue"
CONTEXT = SimpleNamespace(get_remaining_time_in_millis=lambda: 60_000)
A, B, C = (("acc_1", f"wh_{n}") for n in range(3))


class Woken:
    """A queue that keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, int]] = []

    def wake(self, account: str, webhook: str, seconds: int = 0) -> None:
        self.sent.append((account, webhook, seconds))

    def wake_all(self, names: Any) -> None:
        self.sent += ((*name, 0) for name in names)


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("WEBHOOK_QUEUE", URL)
    app = importlib.import_module("functions.deliver.app")
    monkeypatch.setattr(app, "queue", Woken())
    monkeypatch.setattr(app, "time", SimpleNamespace(time=lambda: NOW + 0.9, monotonic=lambda: 1000.0))
    return app


def records(*bodies: Any) -> dict[str, Any]:
    return {"Records": [{"messageId": f"m{n}", "body": body} for n, body in enumerate(bodies)]}


def message(name: tuple[str, str]) -> str:
    return json.dumps({"account": name[0], "webhook": name[1]})


def serve(app: Any, monkeypatch: pytest.MonkeyPatch, served: dict[Any, Any], *bodies: Any) -> list[str]:
    """Return the messages that come again."""

    def deliver(_: object, names: Any, until: float) -> dict[Any, Any]:
        assert until == 1040.0  # twenty seconds are left for the last attempt
        assert {*served} <= {*names}
        return served

    monkeypatch.setattr(app, "deliver", deliver)
    answer = app.handler(records(*bodies), CONTEXT)
    return [failed["itemIdentifier"] for failed in answer["batchItemFailures"]]


def test_what_is_due_again_within_a_quarter_of_an_hour_is_woken_then(app: Any, monkeypatch: Any) -> None:
    for due, sent in (
        (NOW - 5, 0),
        (NOW, 0),
        (NOW + 5, 5),
        (NOW + 900, 900),
        (NOW + 901, None),
        (None, None),
    ):
        app.queue.sent.clear()
        assert serve(app, monkeypatch, {A: due}, message(A)) == []
        assert app.queue.sent == ([] if sent is None else [(*A, sent)])


def test_a_message_comes_again_whose_webhook_failed_or_that_names_none(app: Any, monkeypatch: Any) -> None:
    bodies = (message(A), message(B), "no json", "[1]", '{"account": "acc_1"}', message(C))
    assert serve(app, monkeypatch, {A: None, C: NOW + 5}, *bodies) == ["m1", "m2", "m3", "m4"]
    assert app.queue.sent == [(*C, 5)]


def webhook(name: str) -> Webhook:
    return Webhook(name, "acc_1", "https://hooks.example/", EVENT_TYPES, None, (Secret("whsec_"),), NOW)


def test_a_sweep_names_what_is_due_and_nobodys(app: Any, monkeypatch: Any) -> None:
    store = in_memory()
    store.open_account(Account("acc_1", "free", 100, {"k1": 0}, created_at=NOW))
    for name in ("wh_0", "wh_1", "wh_2"):
        store.add_webhook(webhook(name), 5)
    store.add_event("acc_1", webhook_test("acc_1", "wh_0", "1", NOW), NOW, NOW + 60)
    store.claim_webhook("acc_1", "wh_1", NOW, NOW + 60)
    store.drop_deliveries(webhook("wh_2"), store.due_deliveries(webhook("wh_2"), 2**40, 9))
    store.claim_webhook("acc_1", "wh_2", NOW, NOW + 1)
    store.release_webhook(webhook("wh_2"), NOW + 1)
    swept: list[bool] = []
    monkeypatch.setattr(app, "services", SimpleNamespace(store=store))
    monkeypatch.setattr(app, "thresholds", SimpleNamespace(sweep=lambda: swept.append(True)))
    for times in (1, 2):  # those whom it named can be claimed at once, or are named again
        assert app.handler({"source": "aws.events"}, CONTEXT) is None
        assert app.queue.sent == [(*A, 0)] * times
    assert swept == [True, True]
    assert store.claim_webhook("acc_1", "wh_0", NOW, NOW + 60) == webhook("wh_0")


def test_an_error_is_one_of_the_function_so_that_its_alarm_fires(app: Any, monkeypatch: Any) -> None:
    def claim(*_: object) -> Any:
        raise StoreUnavailable("away")

    monkeypatch.setattr(app, "services", SimpleNamespace(store=SimpleNamespace(claim_webhooks=claim)))
    with pytest.raises(StoreUnavailable):
        app.handler({}, CONTEXT)


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "sa-east-1")
    return Session().create_client("sqs")


def test_messages_hold_two_ids_and_no_body(client: Any) -> None:
    queue = WebhookQueue(URL)
    queue._client = client  # type: ignore[misc]  # a cached property
    with Stubber(client) as stub:
        sent = {"QueueUrl": URL, "MessageBody": message(A), "DelaySeconds": 5}
        stub.add_response("send_message", {"MessageId": "m"}, sent)
        queue.wake(*A, 5)
        for n in (10, 1):
            entries = [{"Id": str(i), "MessageBody": message(A)} for i in range(n)]
            answer: dict[str, Any] = {"Successful": [], "Failed": []}
            stub.add_response("send_message_batch", answer, {"QueueUrl": URL, "Entries": entries})
        queue.wake_all([A] * 11)
        stub.assert_no_pending_responses()


def test_who_adds_a_delivery_does_not_fail_with_the_queue_and_a_sweep_does(client: Any) -> None:
    queue = WebhookQueue(URL)
    queue._client = SimpleNamespace(send_message=_failing, send_message_batch=_failing)  # type: ignore[misc]
    queue.wake(*A)
    with pytest.raises(ConnectTimeoutError):
        queue.wake_all([A])
    queue.wake_all([])


def _failing(**_: object) -> Any:
    raise ConnectTimeoutError(endpoint_url=URL)

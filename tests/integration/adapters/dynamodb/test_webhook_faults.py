"""Webhooks while a request times out or is overtaken: no delivery is lost, and nothing is left."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.webhooks.event import webhook_test
from brskills_server.webhooks.webhook import EVENT_TYPES, Attempt, Delivery, Secret, Webhook
from tests.integration.adapters.dynamodb.faulty import Faulty, Overtaken
from tests.services.tables import new_table

NOW = 1_795_000_000
UNTIL, ENDS = NOW + 60, NOW + 600
WEBHOOK = Webhook("wh_1", "acc_1", "https://hooks.example/", EVENT_TYPES, None, (Secret("whsec_1"),), NOW)
EVENT, LATER = (webhook_test("acc_1", "wh_1", name, NOW) for name in ("1", "2"))
DUE = Delivery(*EVENT, due=NOW)
ATTEMPT = Attempt(EVENT.id, EVENT.type, 1, NOW * 1000, 500, "", 12)
carried_out = pytest.mark.parametrize("carried_out", [True, False])


@pytest.fixture
def tables(client: Any) -> list[str]:
    return [new_table(client, name) for name in ("Access", "Watches")]


@pytest.fixture
def store(client: Any, tables: list[str]) -> DynamoAccess:
    store = DynamoAccess(client, *tables)
    store.open_account(Account("acc_1", "free", 1, {"k1": 0}, created_at=NOW))
    return store


def failing(client: Any, tables: list[str], nth: int, *, carried_out: bool) -> DynamoAccess:
    faulty: Any = Faulty(client, nth, carried_out=carried_out)
    return DynamoAccess(faulty, *tables)


@carried_out
def test_the_count_is_that_of_the_webhooks(
    client: Any, tables: list[str], store: DynamoAccess, carried_out: bool
) -> None:
    with pytest.raises(StoreUnavailable):
        failing(client, tables, 1, carried_out=carried_out).add_webhook(WEBHOOK, 2)
    assert store.add_webhook(WEBHOOK._replace(id="wh_2"), 2)
    assert store.add_webhook(WEBHOOK._replace(id="wh_3"), 2) != carried_out
    assert len(store.list_webhooks("acc_1")) == 2


@carried_out
@pytest.mark.parametrize("nth", [1, 2])  # the webhooks, the transaction
def test_an_event_is_added_once(
    client: Any, tables: list[str], store: DynamoAccess, nth: int, carried_out: bool
) -> None:
    store.add_webhook(WEBHOOK, 1)
    with pytest.raises(StoreUnavailable):
        failing(client, tables, nth, carried_out=carried_out).add_event("acc_1", EVENT, NOW, ENDS)
    assert store.add_event("acc_1", EVENT, NOW, ENDS) != (nth == 2 and carried_out)
    assert store.due_deliveries(WEBHOOK, NOW, 9) == [DUE]
    assert store.claim_webhooks(NOW, UNTIL, 9) == [WEBHOOK]


@carried_out
@pytest.mark.parametrize("nth", [1, 16, 17])  # the first partition, the last one, the claim
def test_a_claim_that_failed_lapses(
    client: Any, tables: list[str], store: DynamoAccess, nth: int, carried_out: bool
) -> None:
    store.add_webhook(WEBHOOK, 1)
    store.add_event("acc_1", EVENT, NOW, ENDS)
    with pytest.raises(StoreUnavailable):
        failing(client, tables, nth, carried_out=carried_out).claim_webhooks(NOW, UNTIL, 9)
    was_claimed = nth == 17 and carried_out
    assert store.claim_webhooks(NOW, UNTIL, 9) == ([] if was_claimed else [WEBHOOK])
    assert store.claim_webhooks(UNTIL, ENDS, 9) == [WEBHOOK]


@carried_out
@pytest.mark.parametrize("due", [None, NOW, NOW + 5])
@pytest.mark.parametrize("nth", [1, 2])  # what is under way, the transaction
def test_an_attempt_is_recorded_once(
    client: Any, tables: list[str], store: DynamoAccess, nth: int, due: int | None, carried_out: bool
) -> None:
    store.add_webhook(WEBHOOK, 1)
    store.add_event("acc_1", EVENT, NOW, ENDS)
    with pytest.raises(StoreUnavailable):
        failing(client, tables, nth, carried_out=carried_out).record_attempt(WEBHOOK, ATTEMPT, due, ENDS)
    store.record_attempt(WEBHOOK, ATTEMPT, due, ENDS)
    assert store.list_attempts(WEBHOOK, 9) == [ATTEMPT]
    left = [] if due is None else [DUE._replace(due=due, attempts=1)]
    assert store.due_deliveries(WEBHOOK, ENDS, 9) == left


@carried_out
@pytest.mark.parametrize("nth", [1, 2, 3])  # the webhook, its first delivery, the release
def test_a_release_that_failed_hides_nothing(
    client: Any, tables: list[str], store: DynamoAccess, nth: int, carried_out: bool
) -> None:
    store.add_webhook(WEBHOOK, 1)
    store.add_event("acc_1", EVENT, NOW, ENDS)
    store.claim_webhooks(NOW, UNTIL, 9)
    store.record_attempt(WEBHOOK, ATTEMPT, NOW + 5, ENDS)
    with pytest.raises(StoreUnavailable):
        failing(client, tables, nth, carried_out=carried_out).release_webhook(WEBHOOK, UNTIL)
    was_released = nth == 3 and carried_out
    assert store.claim_webhooks(NOW + 5, UNTIL, 9) == ([WEBHOOK] if was_released else [])
    assert store.claim_webhooks(UNTIL, ENDS, 9) == [WEBHOOK]
    assert store.release_webhook(WEBHOOK, ENDS) == NOW + 5


@carried_out
@pytest.mark.parametrize("nth", range(1, 6))  # the transaction; deliveries and attempts, listed and deleted
def test_a_deletion_that_failed_is_finished_by_the_next(
    client: Any, tables: list[str], store: DynamoAccess, nth: int, carried_out: bool
) -> None:
    store.add_webhook(WEBHOOK, 1)
    for event in (EVENT, LATER):
        store.add_event("acc_1", event, NOW, ENDS)
    store.record_attempt(WEBHOOK, ATTEMPT, NOW + 5, ENDS)
    with pytest.raises(StoreUnavailable):
        failing(client, tables, nth, carried_out=carried_out).delete_webhook("acc_1", "wh_1")
    is_there = nth == 1 and not carried_out
    assert bool(store.claim_webhooks(NOW, UNTIL, 9)) == is_there
    assert store.delete_webhook("acc_1", "wh_1") == is_there
    kinds = {item["sk"]["S"].partition("#")[0] for item in client.scan(TableName=tables[1])["Items"]}
    assert kinds == {"WEBHOOKS", "EVENT"}  # the count; what was added once
    assert store.add_webhook(WEBHOOK, 1)


def overtaken(client: Any, tables: list[str], operation: str, first: Any) -> DynamoAccess:
    slow: Any = Overtaken(client, operation, first)
    return DynamoAccess(slow, *tables)


def test_what_is_added_while_a_webhook_is_released_is_due(
    client: Any, tables: list[str], store: DynamoAccess
) -> None:
    store.add_webhook(WEBHOOK, 1)
    store.add_event("acc_1", EVENT, NOW, ENDS)
    store.claim_webhooks(NOW, UNTIL, 9)
    store.record_attempt(WEBHOOK, ATTEMPT, None, ENDS)
    late = overtaken(client, tables, "update_item", lambda: store.add_event("acc_1", LATER, NOW + 1, ENDS))
    assert late.release_webhook(WEBHOOK, UNTIL) == NOW
    assert store.claim_webhooks(NOW + 1, UNTIL, 9) == [WEBHOOK]


def test_a_webhook_that_is_taken_over_is_not_released(
    client: Any, tables: list[str], store: DynamoAccess
) -> None:
    store.add_webhook(WEBHOOK, 1)
    store.add_event("acc_1", EVENT, NOW, ENDS)
    store.claim_webhooks(NOW, UNTIL, 9)
    late = overtaken(client, tables, "update_item", lambda: store.claim_webhooks(UNTIL, ENDS, 9))
    assert late.release_webhook(WEBHOOK, UNTIL) is None
    assert store.claim_webhooks(UNTIL, ENDS, 9) == []


@pytest.mark.parametrize("is_account", [True, False])
def test_nothing_is_kept_for_a_webhook_that_is_deleted_meanwhile(
    client: Any, tables: list[str], store: DynamoAccess, is_account: bool
) -> None:
    store.add_webhook(WEBHOOK, 1)
    store.add_event("acc_1", EVENT, NOW, ENDS)

    def delete() -> object:
        return store.delete_account("acc_1") if is_account else store.delete_webhook("acc_1", "wh_1")

    overtaken(client, tables, "transact_write_items", delete).record_attempt(WEBHOOK, ATTEMPT, NOW + 5, ENDS)
    store.add_webhook(WEBHOOK, 1)
    overtaken(client, tables, "transact_write_items", delete).add_event("acc_1", LATER, NOW, ENDS)
    kinds = {item["sk"]["S"].partition("#")[0] for item in client.scan(TableName=tables[1])["Items"]}
    assert kinds == (set() if is_account else {"WEBHOOKS", "EVENT"})


def test_who_waits_for_nothing_is_woken_once(client: Any, tables: list[str], store: DynamoAccess) -> None:
    woken: list[tuple[str, str]] = []
    waking = DynamoAccess(client, *tables, wake=lambda *name: woken.append(name))
    store.add_webhook(WEBHOOK, 2)
    store.add_webhook(WEBHOOK._replace(id="wh_2", events=()), 2)
    for event in (EVENT, EVENT, LATER):
        waking.add_event("acc_1", event, NOW, ENDS)
    assert woken == [("acc_1", "wh_1")]
    store.claim_webhooks(NOW, UNTIL, 9)
    for event in (EVENT, LATER):
        store.record_attempt(WEBHOOK, ATTEMPT._replace(id=event.id), NOW + 300, ENDS)
    store.release_webhook(WEBHOOK, UNTIL)
    waking.add_event("acc_1", webhook_test("acc_1", "wh_1", "3", NOW + 9), NOW + 9, ENDS)
    assert woken == [("acc_1", "wh_1")] * 2


def test_nothing_is_left_of_accounts_that_are_deleted_at_work(
    client: Any, tables: list[str], store: DynamoAccess
) -> None:
    names = [f"gone_{n}" for n in range(6)]
    webhooks = [WEBHOOK._replace(account=name) for name in names]
    for webhook in webhooks:
        store.open_account(Account(webhook.account, "free", 1, {webhook.account: 0}, created_at=NOW))
        store.add_webhook(webhook, 1)

    def work(webhook: Webhook) -> None:
        for n in range(8):
            store.add_event(webhook.account, webhook_test(webhook.account, "wh_1", str(n), NOW), NOW, ENDS)
            for due in store.due_deliveries(webhook, ENDS, 2):
                store.record_attempt(webhook, ATTEMPT._replace(id=due.id, number=n), NOW + n, ENDS)

    with ThreadPoolExecutor(12) as threads:
        working = [threads.submit(work, webhook) for webhook in webhooks]
        deletions = [threads.submit(store.delete_account, name) for name in names]
        assert all(deletion.result() for deletion in deletions)
        for one in working:
            one.result()
    assert client.scan(TableName=tables[1])["Items"] == []

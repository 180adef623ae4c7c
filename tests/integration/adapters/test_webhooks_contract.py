"""The contract of ``WebhookStore``, for every adapter."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from brskills_server.accounts.account import Account
from brskills_server.adapters.stores import AccessStore, Stores
from brskills_server.runtime.transfer import move, restore
from brskills_server.watches.watch import Change
from brskills_server.webhooks.event import Event, company_changed, webhook_test
from brskills_server.webhooks.webhook import (
    COMPANY_CHANGED,
    EVENT_TYPES,
    GONE,
    Attempt,
    Delivery,
    Secret,
    Webhook,
)

from .conftest import STORES

NOW = 1_795_000_000
UNTIL, ENDS = NOW + 60, NOW + 600
MARK = {"data_base": "2026-11-14", "campo": "razao_social", "de": "a\x00é", "para": None}
ANY = 50


@pytest.fixture(autouse=True)
def accounts(store: AccessStore) -> None:
    for name in ("acc_1", "acc_2"):
        assert store.open_account(Account(name, "pro", 3, {f"key of {name}": 0}, created_at=NOW))


def webhook(name: str = "wh_1", account: str = "acc_1", **fields: Any) -> Webhook:
    made = Webhook(
        name,
        account,
        "https://hooks.example/é?token=1",
        EVENT_TYPES,
        None,
        (Secret("whsec_new"), Secret("whsec_old", ENDS)),
        created_at=NOW,
    )
    return made._replace(**fields)


def add(store: AccessStore, *webhooks: Webhook) -> None:
    for one in webhooks:
        assert store.add_webhook(one, 5)


def event(name: str = "1") -> Event:
    return webhook_test("acc_1", "wh_1", name, NOW)


def change(name: str = "s1") -> Change:
    return Change(f"{name}-33000167000101", "33000167000101", "é'", "2026-11-14", [MARK])


def attempt(made: Delivery, number: int = 1, at: int = NOW * 1000, status: int | None = 500) -> Attempt:
    return Attempt(made.id, made.type, number, at, status, "" if status else "timeout", 12)


def due(store: AccessStore, to: Webhook, now: int = NOW) -> list[Delivery]:
    return store.due_deliveries(to, now, ANY)


@pytest.mark.parametrize("description", [None, "", "é' \U0001f7e2"])
def test_a_webhook_is_read_as_it_was_added(store: AccessStore, description: str | None) -> None:
    wanted = webhook(description=description, inactive=GONE, failing_since=NOW - 9)
    add(store, wanted)
    assert store.read_webhook("acc_1", "wh_1") == wanted
    assert store.list_webhooks("acc_1") == [wanted]
    assert store.read_webhook("acc_2", "wh_1") is None
    assert store.list_webhooks("acc_2") == []


def test_an_unknown_account_has_no_webhooks(store: AccessStore) -> None:
    assert store.add_webhook(webhook(account="acc_3"), 5) is None
    assert store.list_webhooks("acc_3") == []
    assert store.read_webhook("acc_3", "wh_1") is None
    assert not store.delete_webhook("acc_3", "wh_1")
    assert not store.add_event("acc_3", event(), NOW, ENDS)
    assert store.claim_webhook("acc_3", "wh_1", NOW, UNTIL) is None


def test_webhooks_are_listed_in_the_order_in_which_they_were_made(store: AccessStore) -> None:
    made = [webhook(name, created_at=NOW + n) for n, name in enumerate(("wh_3", "wh_1", "wh_2"))]
    add(store, *made[::-1])
    assert store.list_webhooks("acc_1") == made


def test_concurrently_added_webhooks_stay_within_the_limit(store: AccessStore) -> None:
    with ThreadPoolExecutor(20) as threads:
        added = list(threads.map(lambda n: store.add_webhook(webhook(f"wh_{n:02}"), 5), range(20)))
    assert added.count(True) == 5
    assert added.count(False) == 15
    assert len(store.list_webhooks("acc_1")) == 5
    assert store.delete_webhook("acc_1", store.list_webhooks("acc_1")[0].id)
    assert store.add_webhook(webhook("wh_99"), 5)
    assert store.add_webhook(webhook("wh_x", "acc_2"), 5)


def test_a_webhook_is_changed_by_one(store: AccessStore) -> None:
    add(store, webhook())
    changed = webhook(
        url="http://127.0.0.1:9/",
        events=(COMPANY_CHANGED,),
        description="d",
        secrets=(Secret("whsec_3"),),
        inactive=GONE,
        failing_since=NOW,
        version=2,
    )
    assert store.change_webhook(changed)
    assert store.read_webhook("acc_1", "wh_1") == changed
    assert not store.change_webhook(changed)
    assert not store.change_webhook(changed._replace(version=4))
    assert not store.change_webhook(changed._replace(account="acc_2", version=3))
    with ThreadPoolExecutor(8) as threads:
        written = threads.map(
            lambda n: store.change_webhook(changed._replace(description=str(n), version=3)), range(8)
        )
        assert list(written).count(True) == 1
    assert not store.change_webhook(webhook("wh_9", version=1))


def test_the_webhooks_of_all_are_listed_by_account(store: AccessStore) -> None:
    wanted = [webhook(f"wh_{account}{n}", account) for account in ("acc_1", "acc_2") for n in range(3)]
    add(store, *wanted)
    for size in (1, 2, 6, 7):
        listed: list[Webhook] = []
        after = ("", "")
        while page := store.webhooks_of_all(after, size):
            assert len(page) <= size
            listed += page
            after = (page[-1].account, page[-1].id)
        assert sorted(listed) == wanted
        assert [one.account for one in listed] in (
            ["acc_1"] * 3 + ["acc_2"] * 3,
            ["acc_2"] * 3 + ["acc_1"] * 3,
        )


def test_an_event_is_due_to_those_that_want_it(store: AccessStore) -> None:
    wanting, other = webhook(), webhook("wh_2", events=(COMPANY_CHANGED,))
    inactive, foreign = webhook("wh_3", inactive=GONE), webhook("wh_4", "acc_2")
    add(store, wanting, other, inactive, foreign)
    assert store.add_event("acc_1", event(), NOW, ENDS)
    assert due(store, wanting) == [Delivery(*event(), due=NOW)]
    assert not any(due(store, one) for one in (other, inactive, foreign))
    assert store.claim_webhooks(NOW, UNTIL, ANY) == [wanting]


def test_an_event_is_added_once(store: AccessStore) -> None:
    add(store, webhook(), webhook("wh_2"))
    with ThreadPoolExecutor(8) as threads:
        added = list(threads.map(lambda _: store.add_event("acc_1", event(), NOW, ENDS), range(8)))
    assert added.count(True) == 1
    assert len(due(store, webhook())) == len(due(store, webhook("wh_2"))) == 1
    store.drop_deliveries(webhook(), due(store, webhook()))
    assert not store.add_event("acc_1", event(), NOW, ENDS)
    assert due(store, webhook()) == []
    assert len(due(store, webhook("wh_2"))) == 1


def test_an_event_that_nobody_wants_is_not_known_as_added(store: AccessStore) -> None:
    assert not store.add_event("acc_1", event(), NOW, ENDS)
    add(store, webhook(inactive=GONE))
    assert not store.add_event("acc_1", event(), NOW, ENDS)
    add(store, webhook("wh_2"))
    assert store.add_event("acc_1", event(), NOW, ENDS)


def test_an_event_for_one_webhook_is_due_to_it_whatever_it_wants(store: AccessStore) -> None:
    only, inactive = webhook(events=(COMPANY_CHANGED,)), webhook("wh_2", inactive=GONE)
    add(store, only, inactive, webhook("wh_3"))
    assert store.add_event("acc_1", event(), NOW, ENDS, only="wh_1")
    assert due(store, only) == [Delivery(*event(), due=NOW)]
    assert not store.add_event("acc_1", event("2"), NOW, ENDS, only="wh_2")
    assert not store.add_event("acc_2", event("3"), NOW, ENDS, only="wh_1")
    assert due(store, webhook("wh_3")) == []


def test_a_change_is_due_to_those_that_want_it_once(store: AccessStore) -> None:
    wanting, other, foreign = webhook(), webhook("wh_2", events=("webhook.test",)), webhook("wh_3", "acc_2")
    add(store, wanting, other, foreign)
    for _ in range(2):
        store.add_changes([("acc_1", change("s1")), ("acc_1", change("s2")), ("acc_9", change())], NOW, ENDS)
    found = due(store, wanting)
    assert sorted(found) == sorted(
        Delivery(*company_changed("acc_1", change(name), NOW), due=NOW) for name in ("s1", "s2")
    )
    assert not due(store, other)
    assert not due(store, foreign)
    store.drop_deliveries(wanting, found)
    store.add_changes([("acc_1", change("s1")), ("acc_1", change("s3"))], NOW, ENDS)
    assert [one.id for one in due(store, wanting)] == [company_changed("acc_1", change("s3"), NOW).id]


def test_many_changes_are_due_to_five_webhooks(store: AccessStore) -> None:
    several = [webhook(f"wh_{n}") for n in range(5)]
    add(store, *several)
    store.add_changes([("acc_1", change(f"s{n:02}")) for n in range(40)], NOW, ENDS)
    for one in several:
        assert len({made.id for made in due(store, one)}) == 40
        assert len(store.due_deliveries(one, NOW, 7)) == 7


def test_a_webhook_is_claimed_by_one(store: AccessStore) -> None:
    several = [webhook(f"wh_{n}") for n in range(5)]
    add(store, *several)
    store.add_event("acc_1", event(), NOW, ENDS)
    with ThreadPoolExecutor(8) as threads:
        claimed = list(threads.map(lambda _: store.claim_webhooks(NOW, UNTIL, 2), range(8)))
    assert all(len(some) <= 2 for some in claimed)
    assert sorted(one.id for some in claimed for one in some) == [one.id for one in several]
    with ThreadPoolExecutor(8) as threads:
        one_by_one = list(threads.map(lambda _: store.claim_webhook("acc_1", "wh_1", UNTIL, ENDS), range(8)))
    assert sorted(one_by_one, key=bool) == [None] * 7 + [webhook("wh_1")]


def test_a_claim_lapses(store: AccessStore) -> None:
    add(store, webhook())
    store.add_event("acc_1", event(), NOW, ENDS)
    assert store.claim_webhooks(NOW - 1, UNTIL, ANY) == []
    assert store.claim_webhook("acc_1", "wh_1", NOW, UNTIL) == webhook()
    assert store.claim_webhook("acc_1", "wh_1", UNTIL - 1, ENDS) is None
    assert store.claim_webhooks(UNTIL - 1, ENDS, ANY) == []
    assert store.claim_webhooks(UNTIL, ENDS, ANY) == [webhook()]
    assert store.release_webhook(webhook(), UNTIL) is None
    assert store.claim_webhook("acc_1", "wh_1", UNTIL, ENDS) is None  # that release was of the first claim
    assert store.release_webhook(webhook(), ENDS) == NOW
    assert store.claim_webhook("acc_1", "wh_1", UNTIL, ENDS) == webhook()


def test_a_claim_by_a_clock_that_was_far_ahead_lapses_at_once(store: AccessStore) -> None:
    add(store, webhook())
    store.add_event("acc_1", event(), NOW, ENDS)
    ahead = NOW + 86_400
    assert store.claim_webhooks(ahead, ahead + 60, ANY) == [webhook()]
    assert store.claim_webhooks(NOW, UNTIL, ANY) == [webhook()]


def test_an_attempt_puts_a_delivery_off_or_ends_it(store: AccessStore) -> None:
    to = webhook()
    add(store, to)
    store.add_event("acc_1", event(), NOW, ENDS)
    store.claim_webhooks(NOW, UNTIL, ANY)
    (made,) = due(store, to)
    store.record_attempt(to, attempt(made), NOW + 5, ENDS)
    assert due(store, to, NOW + 4) == []
    assert due(store, to, NOW + 5) == [made._replace(due=NOW + 5, attempts=1)]
    assert store.release_webhook(to, UNTIL) == NOW + 5
    assert store.claim_webhooks(NOW + 4, UNTIL, ANY) == []
    assert store.claim_webhook("acc_1", "wh_1", NOW + 4, UNTIL) is None
    assert store.claim_webhooks(NOW + 5, UNTIL, ANY) == [to]
    (again,) = due(store, to, NOW + 5)
    store.record_attempt(to, attempt(again, 2, NOW * 1000 + 5_001, 200), None, ENDS)
    assert due(store, to, ENDS) == []
    assert store.release_webhook(to, UNTIL) is None
    assert store.claim_webhooks(ENDS, ENDS + 60, ANY) == []
    assert [*store.list_attempts(to, ANY)] == [
        attempt(made, 2, NOW * 1000 + 5_001, 200),
        attempt(made, 1),
    ]
    assert store.list_attempts(webhook("wh_2"), ANY) == []


def test_the_last_attempts_are_listed_until_they_expire(stores: Stores) -> None:
    store, to = stores.access, webhook()
    add(store, to)
    store.add_changes([("acc_1", change(f"s{n:02}")) for n in range(30)], NOW, ENDS)
    for n, made in enumerate(due(store, to)):
        store.record_attempt(to, attempt(made, at=NOW * 1000 + n // 2), NOW + 5, NOW + 1 + n % 2)
    moments = [one.at - NOW * 1000 for one in store.list_attempts(to, 20)]
    assert moments == [n // 2 for n in range(29, 9, -1)]
    stores.open_maintenance().tidy(NOW + 1)
    assert len(store.list_attempts(to, ANY)) in {15, 30}  # DynamoDB deletes by itself, later


def test_what_is_added_during_a_claim_is_due_after_it(store: AccessStore) -> None:
    to = webhook()
    add(store, to)
    store.add_event("acc_1", event(), NOW, ENDS)
    store.claim_webhooks(NOW, UNTIL, ANY)
    (made,) = due(store, to)
    store.add_event("acc_1", event("2"), NOW, ENDS)
    assert store.claim_webhooks(NOW, UNTIL, ANY) == []
    store.record_attempt(to, attempt(made), None, ENDS)
    assert store.release_webhook(to, UNTIL) == NOW
    assert store.claim_webhooks(NOW, UNTIL, ANY) == [to]


def test_no_delivery_is_overlooked_while_claims_end(store: AccessStore) -> None:
    """One thread adds; two claim, deliver all that they see and release, as deliverers do."""
    to = webhook()
    add(store, to)
    wanted = {event(str(n)).id for n in range(30)}
    delivered: list[str] = []
    adding = True

    def deliver(until: int) -> None:
        idle = 0
        while idle < 3:
            idle = 0 if adding else idle + 1
            for one in store.claim_webhooks(NOW, until, ANY):
                for made in store.due_deliveries(one, NOW, 3):
                    store.record_attempt(one, attempt(made), None, ENDS)
                    delivered.append(made.id)
                store.release_webhook(one, until)
                idle = 0

    with ThreadPoolExecutor(3) as threads:
        deliverers = [threads.submit(deliver, until) for until in (UNTIL, UNTIL + 1)]
        try:
            for n in range(30):
                assert store.add_event("acc_1", event(str(n)), NOW, ENDS)
        finally:
            adding = False
        for deliverer in deliverers:
            deliverer.result()
    assert sorted(delivered) == sorted(wanted)


def test_what_is_added_after_deliveries_were_read_is_not_dropped(store: AccessStore) -> None:
    to = webhook()
    add(store, to)
    store.add_event("acc_1", event(), NOW, ENDS)
    read = due(store, to)
    store.add_event("acc_1", event("2"), NOW, ENDS)
    store.drop_deliveries(to, read)
    assert [made.id for made in due(store, to)] == [event("2").id]
    store.drop_deliveries(to, [])
    store.drop_deliveries(to, read)
    assert len(due(store, to)) == 1


def test_a_change_of_a_webhook_leaves_its_claim_and_its_deliveries(store: AccessStore) -> None:
    add(store, webhook())
    store.add_event("acc_1", event(), NOW, ENDS)
    store.claim_webhooks(NOW, UNTIL, ANY)
    changed = webhook(url="https://other.example/", version=2)
    assert store.change_webhook(changed)
    assert store.claim_webhooks(NOW, UNTIL, ANY) == []
    assert store.release_webhook(webhook(), UNTIL) == NOW
    assert store.claim_webhooks(NOW, UNTIL, ANY) == [changed]
    assert len(due(store, changed)) == 1


def test_with_a_webhook_what_is_due_to_it_is_deleted(store: AccessStore) -> None:
    gone, kept = webhook(), webhook("wh_2")
    add(store, gone, kept)
    store.add_event("acc_1", event(), NOW, ENDS)
    (made, *_) = due(store, gone)
    assert store.delete_webhook("acc_1", "wh_1")
    assert not store.delete_webhook("acc_1", "wh_1")
    assert not store.delete_webhook("acc_2", "wh_2")
    assert store.claim_webhook("acc_1", "wh_1", NOW, UNTIL) is None
    assert store.claim_webhooks(NOW, UNTIL, ANY) == [kept]
    assert due(store, gone) == []
    store.record_attempt(gone, attempt(made), NOW + 5, ENDS)
    assert store.list_attempts(gone, ANY) == []
    assert due(store, gone, ENDS) == []
    assert store.release_webhook(gone, UNTIL) is None
    assert store.list_webhooks("acc_1") == [kept]


def test_with_an_account_its_webhooks_are_deleted(store: AccessStore) -> None:
    gone, kept = webhook(), webhook("wh_2", "acc_2")
    add(store, gone, kept)
    for account in ("acc_1", "acc_2"):
        store.add_event(account, event(), NOW, ENDS)
    store.delete_account("acc_1")
    assert store.claim_webhooks(NOW, UNTIL, ANY) == [kept]
    assert store.webhooks_of_all(("", ""), ANY) == [kept]
    assert store.open_account(Account("acc_1", "pro", 3, {"k1": 0}, created_at=NOW))
    assert store.list_webhooks("acc_1") == []
    add(store, gone)
    assert due(store, gone) == []
    assert store.list_attempts(gone, ANY) == []
    assert store.add_event("acc_1", event(), NOW, ENDS)


def fill(store: AccessStore) -> None:
    add(store, webhook(), webhook("wh_2", inactive=GONE, failing_since=NOW, version=1))
    store.add_event("acc_1", event(), NOW, ENDS)
    store.add_event("acc_1", event("2"), NOW, ENDS)
    first, _ = due(store, webhook())
    store.record_attempt(webhook(), attempt(first), NOW + 9, ENDS)


def assert_filled(store: AccessStore) -> None:
    assert store.list_webhooks("acc_1") == [
        webhook(),
        webhook("wh_2", inactive=GONE, failing_since=NOW, version=1),
    ]
    assert not store.add_event("acc_1", event(), NOW, ENDS)
    assert store.claim_webhooks(NOW, UNTIL, ANY) == [webhook()]
    assert sorted(made.id for made in due(store, webhook(), NOW + 9)) == sorted([event().id, event("2").id])
    assert sorted(made.attempts for made in due(store, webhook(), NOW + 9)) == [0, 1]
    assert len(due(store, webhook())) == 1


def test_webhooks_move_to_another_store_and_back(stores: Stores, request: pytest.FixtureRequest) -> None:
    fill(stores.access)
    there, back = STORES["memory"](request), STORES["memory"](request)
    assert move(stores.open_maintenance(), there.open_maintenance()) == {"account": 2}
    move(there.open_maintenance(), back.open_maintenance())
    assert_filled(back.access)


def test_an_account_is_restored_with_its_webhooks(stores: Stores, request: pytest.FixtureRequest) -> None:
    backup = STORES["memory"](request)
    fill(stores.access)
    move(stores.open_maintenance(), backup.open_maintenance())
    stores.access.delete_account("acc_1")
    restore(backup.open_maintenance(), stores.open_maintenance(), "acc_1")
    assert_filled(stores.access)

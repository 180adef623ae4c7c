"""What requests do with webhooks, over a store in memory."""

from __future__ import annotations

from base64 import b64decode

import pytest

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import InvalidKey, StoreUnavailable
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.errors import UncountedLimit
from brskills_server.metering.window_limits import WebhookTests
from brskills_server.webhooks.webhook import EVENT_TYPES, FAILING, MOST_WEBHOOKS, ON_REQUEST, Webhook
from brskills_server.webhooks.webhooks import OVERLAP_SECONDS, WebhookInactive, Webhooks
from tests.conftest import Clock
from tests.services.store import in_memory

ACCOUNT, URL = "acc_1", "https://erp.example.com/brskills"


@pytest.fixture
def store() -> AccessStore:
    found = in_memory()
    for account in (ACCOUNT, "acc_2"):
        found.open_account(Account(account, "free", 100, {f"key of {account}": 0}, created_at=0))
    return found


@pytest.fixture
def webhooks(store: AccessStore, clock: Clock) -> Webhooks:
    return Webhooks(store, WebhookTests(store, clock), clock=clock)


def add(webhooks: Webhooks, account: str = ACCOUNT, events: tuple[str, ...] = EVENT_TYPES) -> Webhook:
    added = webhooks.add(account, URL, events, None)
    assert added
    return added


def due(store: AccessStore, webhook: Webhook, clock: Clock) -> list[str]:
    return [one.id for one in store.due_deliveries(webhook, int(clock()), 100)]


def test_each_has_an_id_and_a_secret(webhooks: Webhooks, store: AccessStore, clock: Clock) -> None:
    one, two = add(webhooks), add(webhooks)
    assert store.read_webhook(ACCOUNT, one.id) == one
    assert one.created_at == int(clock())
    assert one.id != two.id
    assert one.id.startswith("wh_")
    (first,), (second,) = one.secrets, two.secrets
    assert first != second
    assert first.ends == 0
    assert len(b64decode(first.value.removeprefix("whsec_"), validate=True)) == 32


def test_an_account_has_five(webhooks: Webhooks) -> None:
    for _ in range(MOST_WEBHOOKS):
        add(webhooks)
    assert webhooks.add(ACCOUNT, URL, EVENT_TYPES, None) is None
    assert add(webhooks, "acc_2")
    with pytest.raises(InvalidKey):
        webhooks.add("acc_3", URL, EVENT_TYPES, None)


def test_a_change_replaces_what_it_names(webhooks: Webhooks, store: AccessStore) -> None:
    added = add(webhooks)
    changed = webhooks.change(ACCOUNT, added.id, description="ERP", inactive=ON_REQUEST)
    assert changed == added._replace(description="ERP", inactive=ON_REQUEST, version=2)
    assert webhooks.change(ACCOUNT, added.id) == changed  # and nothing is written
    assert store.read_webhook(ACCOUNT, added.id) == changed
    assert webhooks.change("acc_2", added.id, description="x") is None
    assert webhooks.change(ACCOUNT, "wh_other", description="x") is None


@pytest.mark.parametrize(
    ("changed", "failing_since"),
    [({"inactive": ""}, 0), ({"url": f"{URL}/2"}, 0), ({"url": URL}, 7), ({"description": "x"}, 7)],
)
def test_failures_are_forgotten_of_another_address_and_of_one_made_active(
    webhooks: Webhooks, store: AccessStore, changed: dict[str, str], failing_since: int
) -> None:
    added = add(webhooks)
    store.change_webhook(added._replace(failing_since=7, inactive=FAILING, version=2))
    found = webhooks.change(ACCOUNT, added.id, **changed)
    assert found
    assert found.failing_since == failing_since
    assert found.inactive == changed.get("inactive", FAILING)


class Rival:
    """A store in which another write comes before each of the first ``rivals`` changes."""

    def __init__(self, store: AccessStore, rivals: int) -> None:
        self.store, self.rivals = store, rivals

    def read_webhook(self, account: str, webhook: str) -> Webhook | None:
        return self.store.read_webhook(account, webhook)

    def change_webhook(self, webhook: Webhook) -> bool:
        if self.rivals:
            self.rivals -= 1
            found = self.store.read_webhook(webhook.account, webhook.id)
            assert found
            self.store.change_webhook(found._replace(failing_since=9, version=found.version + 1))
        return self.store.change_webhook(webhook)


def test_a_change_after_another_keeps_both(webhooks: Webhooks, store: AccessStore, clock: Clock) -> None:
    added = add(webhooks)
    for rivals, kept in ((4, True), (5, False)):
        rival = Webhooks(Rival(store, rivals), WebhookTests(store, clock), clock=clock)  # type: ignore[arg-type]
        if kept:
            changed = rival.change(ACCOUNT, added.id, description="ERP")
            assert changed
            assert (changed.description, changed.failing_since) == ("ERP", 9)
        else:
            with pytest.raises(StoreUnavailable):
                rival.change(ACCOUNT, added.id, description="other")


def test_the_former_secret_signs_for_a_day_and_an_older_one_no_more(webhooks: Webhooks, clock: Clock) -> None:
    before = add(webhooks)
    for _ in range(3):
        clock.now += 60
        rotated = webhooks.rotate(ACCOUNT, before.id)
        assert rotated
        webhook, ends = rotated
        assert ends == int(clock()) + OVERLAP_SECONDS
        assert webhook.secrets[0].ends == 0
        assert webhook.secrets[0].value != before.secrets[0].value
        assert webhook.secrets[1:] == (before.secrets[0]._replace(ends=ends),)
        before = webhook
    assert webhooks.rotate("acc_2", before.id) is None


def test_a_test_is_delivered_to_this_one_whatever_it_wants(
    webhooks: Webhooks, store: AccessStore, clock: Clock
) -> None:
    added, other = add(webhooks, events=("usage.threshold",)), add(webhooks)
    sent = [webhooks.test(ACCOUNT, added.id) for _ in range(2)]
    assert sorted(due(store, added, clock)) == sorted(filter(None, sent))
    assert len(set(sent)) == 2
    assert due(store, other, clock) == []
    assert webhooks.test("acc_2", added.id) is None
    webhooks.change(ACCOUNT, added.id, inactive=ON_REQUEST)
    with pytest.raises(WebhookInactive):
        webhooks.test(ACCOUNT, added.id)


def test_an_account_has_sixty_tests_an_hour(webhooks: Webhooks, clock: Clock) -> None:
    clock.now = 1_795_000_000 // 3600 * 3600 + 600.5
    added, other = add(webhooks), add(webhooks, "acc_2")
    for _ in range(60):
        assert webhooks.test(ACCOUNT, added.id)
    with pytest.raises(UncountedLimit) as refused:
        webhooks.test(ACCOUNT, added.id)
    assert refused.value.retry_after == 3000
    assert webhooks.test("acc_2", other.id)
    clock.now += 3000
    assert webhooks.test(ACCOUNT, added.id)

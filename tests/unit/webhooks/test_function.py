"""What a function serves at once: some webhooks until a moment, and the moments of the next ones."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from typing import Any

import pytest

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.stores import AccessStore
from brskills_server.runtime.deliverer import deliver, open_deliverer, open_thresholds
from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import Settings
from brskills_server.telemetry.figures import DELIVERIES
from brskills_server.webhooks.event import webhook_test
from brskills_server.webhooks.webhook import EVENT_TYPES, Webhook
from tests.fakes.figures import remembered
from tests.services.receiver import Receiver, answer, receiver
from tests.unit.webhooks.simulated import SECRET, YEAR, World, answered

NAMES = [(f"acc_{n}", f"wh_{n}") for n in range(4)]


@pytest.fixture
def receiving() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


@pytest.fixture
def services(receiving: Receiver) -> Services:
    settings = replace(Settings.from_environment({}), store="memory", webhook_allow_loopback="1")
    services = Services(settings)
    for account, name in NAMES:
        services.store.open_account(Account(account, "free", 100, {f"key of {account}": 0}))
        url = receiving.url(f"/{name}")
        services.store.add_webhook(Webhook(name, account, url, EVENT_TYPES, None, (SECRET,), 1), 5)
    return services


def add(store: AccessStore, account: str, webhook: str, number: int = 1) -> None:
    now = int(time.time())
    for n in range(number):
        assert store.add_event(account, webhook_test(account, webhook, f"{n}", now), now, now + YEAR, webhook)


def test_each_is_served_and_says_when_it_is_due_again(services: Services, receiving: Receiver) -> None:
    receiving.answers["/wh_1"] = answer(500)
    for name in NAMES[:3]:
        add(services.store, *name, number=5)
    now = int(time.time())
    assert services.store.claim_webhook(*NAMES[2], now, now + 60)  # by another process
    with remembered() as recorder:
        served = deliver(open_deliverer(services), [*NAMES, NAMES[0], ("acc_9", "wh_9")], inf)
    assert served.keys() == {*NAMES, ("acc_9", "wh_9")}
    again = served.pop(NAMES[1])
    assert again
    assert now + 4 <= again <= time.time() + 7
    assert set(served.values()) == {None}
    assert [len(receiving.at(f"/{name}")) for _, name in NAMES] == [5, 5, 0, 0]
    assert receiving.received[0].headers["user-agent"].startswith("brskills/")
    assert recorder.of(DELIVERIES) == {("delivered",): 5, ("rejected",): 5}


def test_what_is_left_when_the_time_is_over_is_due_now(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "run", world.loop.run_until_complete)
    webhook, deliverer = world.webhook(), world.deliverer()
    added, name = world.add(webhook, 100), (webhook.account, webhook.id)
    world.answers[webhook.url] = answered(200, 0.2)
    due = deliver(deliverer, [name], 0.5)[name]
    assert 0 < len(world.posts) < 100
    assert due
    assert due <= world.clock()
    world.answers.clear()
    assert deliver(deliverer, [name], inf) == {name: None}
    assert sorted(post.id for post in world.posts) == sorted(added)
    assert deliver(deliverer, [], inf) == {}


def test_a_store_that_fails_for_one_costs_the_others_nothing(
    services: Services, receiving: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NAMES:
        add(services.store, *name)
    release = services.store.release_webhook

    def fail(webhook: Webhook, until: int) -> Any:
        if webhook.id == "wh_2":
            raise StoreUnavailable("no connection")
        return release(webhook, until)

    monkeypatch.setattr(services.store, "release_webhook", fail)
    served = deliver(open_deliverer(services), NAMES, inf)
    assert served == dict.fromkeys([*NAMES[:2], NAMES[3]])
    assert len(receiving.received) == 4


def test_other_errors_are_raised_when_all_have_been_served(
    services: Services, receiving: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NAMES:
        add(services.store, *name)
    read = services.store.read_webhook

    def fail(account: str, webhook: str) -> Webhook | None:
        if webhook == "wh_0":
            raise KeyError(webhook)
        return read(account, webhook)

    monkeypatch.setattr(services.store, "read_webhook", fail)
    with pytest.raises(KeyError):
        deliver(open_deliverer(services), NAMES, inf)
    assert len(receiving.received) == 3


def test_the_sweep_is_over_the_same_store(services: Services) -> None:
    open_thresholds(services).sweep()
    assert not any(services.store.claim_webhooks(int(time.time()), int(time.time()) + 9, 9))

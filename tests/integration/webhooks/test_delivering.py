"""Deliveries over real connections: what an attempt says of each receiver, and who waits for whom."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

from brskills_server.accounts.account import Account
from brskills_server.adapters.stores import AccessStore
from brskills_server.gateway.deliveries import Deliveries
from brskills_server.outbound.public_network import Network, is_public
from brskills_server.webhooks.bounds import MOST_OF_ACCOUNT, MOST_TO_HOST
from brskills_server.webhooks.deliverer import Deliverer
from brskills_server.webhooks.event import webhook_test
from brskills_server.webhooks.poster import Poster
from brskills_server.webhooks.webhook import EVENT_TYPES, GONE, Secret, Webhook
from tests.integration.conftest import HOST
from tests.services.gateway import eventually
from tests.services.receiver import Receiver, answer, close, hold

SECRET = Secret("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
YEAR = 366 * 86_400
ADDRESSES = {HOST: ["127.0.0.1"], "private.example": ["10.0.0.1"], "other.example": ["127.0.0.1"]}


def add(store: AccessStore, url: str, account: str = "acc_1", events: int = 1) -> Webhook:
    """Add a webhook with pending events."""
    store.open_account(Account(account, "pro", None, {f"key of {account}": 0}))
    name = f"wh_{len(store.webhooks_of_all(('', ''), 999))}"
    made = Webhook(name, account, url, EVENT_TYPES, None, (SECRET,), 1)
    assert store.add_webhook(made, 99)
    now = int(time.time())
    for n in range(events):
        event = webhook_test(account, name, f"{name} {n}", now)
        assert store.add_event(account, event, now, now + YEAR, name)
    return made


async def resolve(host: str, port: int) -> list[str]:
    return ADDRESSES[host]


def deliverer(store: AccessStore, secure: Receiver | None = None, tls: ssl.SSLContext | None = None) -> Any:
    """A deliverer that takes 127.0.0.1 for a public address, at the port of a receiver."""
    network = Network(
        resolve=resolve,
        is_allowed=lambda address: address == "127.0.0.1" or is_public(address),
        port=secure.port if secure else 443,
        certificates=tls,
        allow_loopback=True,
    )
    return Deliverer(store, Poster("brskills/test", network))


@contextmanager
def delivering(made: Deliverer) -> Iterator[None]:
    deliveries = Deliveries(made)
    deliveries.start()
    try:
        yield
    finally:
        deliveries.stop()


def test_an_attempt_says_what_happened(
    store: AccessStore, receiving: Receiver, secure: Receiver, trusted: ssl.SSLContext
) -> None:
    receiving.answers |= {"/closes": close, "/moved": answer(301, "Location: /"), "/gone": answer(410)}
    expected = {
        receiving.url("/"): (204, ""),
        receiving.url("/closes"): (None, "connection"),
        receiving.url("/moved"): (301, ""),
        receiving.url("/gone"): (410, ""),
        f"https://{HOST}/": (204, ""),
        "https://other.example/": (None, "tls"),
        "https://private.example/": (None, "forbidden_address"),
        "http://10.0.0.1/": (None, "forbidden_address"),
    }
    webhooks = [add(store, url, f"acc_{n}") for n, url in enumerate(expected)]
    made = deliverer(store, secure, trusted)

    async def serve() -> None:
        await asyncio.gather(*(made.serve(*each, inf) for each in await made.claim(99)))

    asyncio.run(serve())
    found = {one.url: store.list_attempts(one, 9) for one in webhooks}
    assert {url: [(one.status, one.error) for one in attempts] for url, attempts in found.items()} == {
        url: [said] for url, said in expected.items()
    }
    inactive = {one.url for one in store.webhooks_of_all(("", ""), 99) if one.inactive == GONE}
    assert inactive == {receiving.url("/gone")}


def test_receivers_that_say_nothing_delay_nobody_else(store: AccessStore, receiving: Receiver) -> None:
    receiving.answers["/hold"] = hold
    silent = [add(store, receiving.url("/hold"), "acc_1", 9) for _ in range(5)]
    quick = add(store, receiving.url("/quick", "localhost"), "acc_2", 30)
    with delivering(deliverer(store)):
        eventually(lambda: len(receiving.at("/quick")) == 30)
        eventually(lambda: len(receiving.at("/hold")) == 5)
        assert not any(store.list_attempts(one, 1) for one in silent)  # nobody has stopped waiting
    assert len(store.list_attempts(quick, 99)) == 30


def test_bounds_of_an_account_and_of_a_host(store: AccessStore, receiving: Receiver) -> None:
    receiving.usual = answer(after=0.05)
    for n in range(5):
        add(store, receiving.url("/account", "localhost"), "acc_1", 40)
        add(store, receiving.url("/host"), f"acc_x{n}", 40)
    with delivering(deliverer(store)):
        eventually(lambda: len(receiving.received) == 400)
    assert receiving.most["/account"] == MOST_OF_ACCOUNT
    assert receiving.most["/host"] == MOST_TO_HOST

"""Processes that deliver to the same webhooks, also while they are killed."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator

import pytest

from brskills_server.accounts.account import Account
from brskills_server.adapters.stores import AccessStore
from brskills_server.webhooks.event import Event, webhook_test
from brskills_server.webhooks.webhook import EVENT_TYPES, Secret, Webhook
from tests.integration.adapters.sql.databases import open_at
from tests.services.gateway import ROOT
from tests.services.receiver import Received, Receiver, receiver

ACCOUNTS, WEBHOOKS_OF_EACH, EVENTS = 5, 2, 50
SECRET = Secret("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
YEAR = 366 * 86_400


@pytest.fixture
def receiving() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


@pytest.fixture
def store(address: str) -> AccessStore:
    stores = open_at(address, seconds=30)
    stores.open_maintenance().prepare()
    return stores.access


def start(address: str, call: int = 0, moment: str = "never") -> subprocess.Popen[bytes]:
    """Start a process that delivers; see ``delivering``."""
    command = [sys.executable, "-m", "tests.integration.adapters.sql.delivering", address, str(call), moment]
    return subprocess.Popen(command, cwd=ROOT, env={"PYTHONPATH": "layers/shared:."})


def add_everything(store: AccessStore, receiving: Receiver) -> dict[str, dict[str, str]]:
    """Add events to webhooks of several accounts; return by path the bodies that it must get, by id."""
    expected: dict[str, dict[str, str]] = {}
    for n in range(ACCOUNTS):
        account = f"acc_{n}"
        store.open_account(Account(account, "pro", None, {f"key of {account}": 0}))
        for place in range(WEBHOOKS_OF_EACH):
            path = f"/{account}/{place}?token=t{n}{place}"
            url = receiving.url(path)
            made = Webhook(f"wh_{n}{place}", account, url, EVENT_TYPES, None, (SECRET,), 1)
            assert store.add_webhook(made, 5)
            events = [_event(made, number) for number in range(EVENTS)]
            expected[path] = {event.id: event.body for event in events}
            for event in events:
                assert store.add_event(account, event, int(time.time()), int(time.time()) + YEAR, made.id)
    return expected


def _event(webhook: Webhook, number: int) -> Event:
    return webhook_test(webhook.account, webhook.id, f"{webhook.id} {number}", 1_795_000_000 + number)


def by_path(received: list[Received]) -> dict[str, dict[str, str]]:
    """Return what came, by path and id. Each id had one body."""
    found: dict[str, dict[str, str]] = {}
    for one in received:
        assert found.setdefault(one.path, {}).setdefault(one.id, one.body) == one.body
    return found


def test_several_processes_deliver_everything_once(
    address: str, store: AccessStore, receiving: Receiver
) -> None:
    expected = add_everything(store, receiving)
    processes = [start(address) for _ in range(3)]
    assert [process.wait(120) for process in processes] == [0, 0, 0]
    assert by_path(receiving.received) == expected
    assert len(receiving.received) == ACCOUNTS * WEBHOOKS_OF_EACH * EVENTS
    assert max(receiving.most[path] for path in expected) <= 4
    for webhook in store.webhooks_of_all(("", ""), 99):
        path = webhook.url.removeprefix(receiving.url(""))
        attempts = store.list_attempts(webhook, 1_000)
        assert Counter(one.id for one in attempts) == dict.fromkeys(expected[path], 1)
    assert store.claim_webhooks(int(time.time()) + YEAR, int(time.time()) + 2 * YEAR, 9) == []


@pytest.mark.thorough
def test_whenever_a_process_is_killed_everything_comes_to_the_right_receiver(
    address: str, store: AccessStore, receiving: Receiver
) -> None:
    expected = add_everything(store, receiving)
    chance, killed = random.Random(address[:6]), 0
    done = False
    while not done:
        moments = [(chance.randrange(30, 150), moment) for moment in ("before", "after")]
        processes = [start(address, *each) for each in moments]
        codes = [process.wait(120) for process in processes]
        assert set(codes) <= {0, -signal.SIGKILL}
        killed += codes.count(-signal.SIGKILL)
        done = 0 in codes
    assert killed >= 4
    assert by_path(receiving.received) == expected
    again = len(receiving.received) - ACCOUNTS * WEBHOOKS_OF_EACH * EVENTS
    assert 0 <= again <= 2 * killed * 4 * ACCOUNTS * WEBHOOKS_OF_EACH
    print(f"{killed} killed, {again} delivered again")

"""The gateway delivers to webhooks, whatever happens to it, to its store and to the receivers."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import httpx
import pytest
import standardwebhooks

from brskills_server.accounts.account import Account
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.ports import AccountCalls
from brskills_server.webhooks.event import webhook_test
from brskills_server.webhooks.webhook import EVENT_TYPES, USAGE_THRESHOLD, Secret, Webhook
from tests.integration.adapters.sql.databases import open_at
from tests.services.gateway import free_port
from tests.services.receiver import Receiver, answer, close, hold, receiver

from .service import Service, eventually, serve

SECRET = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
ALLOWED = {"WEBHOOK_ALLOW_LOOPBACK": "1", "WORKERS": "1"}
YEAR = 366 * 86_400


@pytest.fixture
def receiving() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


def store_at(file: Path) -> AccessStore:
    stores = open_at(f"sqlite:///{file}", seconds=30)
    stores.open_maintenance().prepare()
    return stores.access


def webhook(store: AccessStore, url: str, number: int = 1) -> Webhook:
    account = f"acc_{number}"
    store.open_account(Account(account, "free", 100, {f"key of {account}": 0}))
    made = Webhook(f"wh_{number}", account, url, EVENT_TYPES, None, (Secret(SECRET),), 1)
    assert store.add_webhook(made, 5)
    return made


def add(store: AccessStore, to: Webhook, number: int = 1, name: str = "") -> set[str]:
    now = int(time.time())
    events = [webhook_test(to.account, to.id, f"{name} {n}", now) for n in range(number)]
    assert all(store.add_event(to.account, event, now, now + YEAR, to.id) for event in events)
    return {event.id for event in events}


def due(store: AccessStore, to: Webhook) -> int:
    return len(store.due_deliveries(to, int(time.time()) + YEAR, 10_000))


def test_an_event_comes_signed_and_its_attempt_is_counted(tmp_path: Path, receiving: Receiver) -> None:
    port = free_port()
    with serve(tmp_path, METRICS_PORT=str(port), **ALLOWED) as service:
        store = store_at(service.store)
        made = webhook(store, receiving.url("/hook?a=b"))
        (name,) = add(store, made)
        eventually(lambda: due(store, made) == 0)
        (one,) = receiving.received
        assert (one.path, one.id) == ("/hook?a=b", name)
        event = standardwebhooks.Webhook(SECRET).verify(one.body, one.headers)
        assert event["data"] == {"webhook": made.id}
        assert one.headers["content-type"] == "application/json"
        assert one.headers["user-agent"].startswith("brskills/")
        (attempt,) = store.list_attempts(made, 9)
        assert (attempt.status, attempt.error) == (204, "")
        metrics = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        assert 'brskills_webhook_attempts_total{outcome="delivered"} 1.0' in metrics


def test_who_has_used_80_percent_is_told(tmp_path: Path, receiving: Receiver) -> None:
    with serve(tmp_path, **ALLOWED) as service:
        store = store_at(service.store)
        made = webhook(store, receiving.url())
        month = time.strftime("%Y-%m", time.gmtime(time.time() - 3 * 3600))
        store.reserve_calls(AccountCalls(made.account, "key of acc_1", month, "2000-01", 1, 80))
        eventually(lambda: len(receiving.received) == 1)
        event = standardwebhooks.Webhook(SECRET).verify(
            receiving.received[0].body, receiving.received[0].headers
        )
        assert event["type"] == USAGE_THRESHOLD
        assert event["data"]["percentual"] == 80


def test_this_machine_is_not_called_unless_it_is_allowed(tmp_path: Path, receiving: Receiver) -> None:
    with serve(tmp_path, WORKERS="1") as service:
        store = store_at(service.store)
        made = webhook(store, receiving.url())
        add(store, made)
        eventually(lambda: bool(store.list_attempts(made, 1)))
        (attempt,) = store.list_attempts(made, 9)
        assert (attempt.status, attempt.error) == (None, "forbidden_address")
    assert receiving.connections == 0


def have_arrived(receiving: Receiver, number: int) -> bool:
    return len(receiving.received) >= number


def minute_later(file: Path) -> None:
    """Let a minute pass for the claims of a process that was killed."""
    with closing(sqlite3.connect(file, timeout=30)) as other, other:
        other.execute("UPDATE webhooks SET claimed_until = claimed_until - 60")


@pytest.mark.thorough
def test_a_gateway_that_is_killed_delivers_the_rest_when_it_is_back(
    tmp_path: Path, receiving: Receiver
) -> None:
    store = store_at(tmp_path / "brskills.db")
    made = [webhook(store, receiving.url(f"/{n}"), n) for n in range(5)]
    expected = {f"/{n}": add(store, one, 100) for n, one in enumerate(made)}
    receiving.usual = answer(after=0.03)
    for arrived in (60, 180, 320):
        with serve(tmp_path, **ALLOWED) as service:  # the block ends with SIGKILL
            eventually(partial(have_arrived, receiving, arrived))
        minute_later(service.store)
    with serve(tmp_path, **ALLOWED) as service:
        eventually(lambda: not any(due(store, one) for one in made))
        service.stop()
    bodies: dict[str, str] = {}
    for one in receiving.received:
        assert one.id in expected[one.path]
        assert bodies.setdefault(one.id, one.body) == one.body
    assert bodies.keys() == set.union(*expected.values())
    assert len(receiving.received) - 500 <= 3 * 5 * 4
    assert all(store.read_webhook(one.account, one.id) == one for one in made)


@pytest.mark.thorough
def test_a_gateway_that_stops_records_what_is_under_way(tmp_path: Path, receiving: Receiver) -> None:
    receiving.usual = answer(after=1)
    with serve(tmp_path, **ALLOWED) as service:
        store = store_at(service.store)
        quick, silent = webhook(store, receiving.url("/1"), 1), webhook(store, receiving.url("/2"), 2)
        receiving.answers["/2"] = hold
        add(store, quick, 50)
        add(store, silent, 2)
        eventually(lambda: bool(receiving.at("/1") and receiving.at("/2")))
        service.stop()
        assert len(store.list_attempts(quick, 99)) == len(receiving.at("/1")) < 50
        assert due(store, quick) == 50 - len(receiving.at("/1"))
        assert due(store, silent) == 2
        now = int(time.time())
        assert {one.id for one in store.claim_webhooks(now, now + 60, 9)} == {"wh_1", "wh_2"}


def use_badly(service: Service, receiving: Receiver) -> None:
    """Deliver to receivers that fail, and lock the store for longer than it is waited for."""
    store = store_at(service.store)
    token = "/SEGREDO?chave=SEGREDO"
    answers = {
        "closes": close,
        "moved": answer(302, "Location: https://SEGREDO.example/"),
        "gone": answer(410),
    }
    made = []
    for n, (name, how) in enumerate(answers.items(), 1):
        receiving.answers[f"/{name}{token}"] = how
        made.append(webhook(store, receiving.url(f"/{name}{token}"), n))
    made.append(webhook(store, f"https://segredo.invalid{token}", 8))
    made.append(webhook(store, receiving.url(token), 9))
    for one in made:
        add(store, one, 3)
    eventually(lambda: all(store.list_attempts(one, 1) for one in made))
    with closing(sqlite3.connect(service.store, isolation_level=None, timeout=30)) as other:
        other.execute("BEGIN EXCLUSIVE")
        time.sleep(3)
        other.execute("UPDATE webhooks SET next_due = 0, claimed_until = 0")
        other.execute("COMMIT")
        eventually(lambda: not due(store, made[-1]))
        other.execute("UPDATE webhooks SET secrets = 'SEGREDO' WHERE id = 'wh_1'")  # nothing can be read
        other.execute("UPDATE webhooks SET next_due = 0, claimed_until = 0")
        other.execute("UPDATE deliveries SET due = 0")
        eventually(lambda: "claiming webhooks failed" in service.output.read_text())


def test_the_log_has_no_address_secret_or_body(tmp_path: Path, receiving: Receiver) -> None:
    with serve(tmp_path, LOG_FORMAT="json", STORE_TIMEOUT_SECONDS="1", **ALLOWED) as service:
        use_badly(service, receiving)
        service.stop()
        printed = service.output.read_text()
        lines = service.lines()
    messages = [line["message"] for line in lines]
    assert "claiming webhooks failed" in messages
    for hidden in ("SEGREDO", "segredo", "whsec", SECRET[6:20], "chave=", "webhook.test", "msg_"):
        assert hidden not in printed, hidden


def test_a_deployment_without_webhooks_reads_little(tmp_path: Path) -> None:
    """Each look is one statement that reads an empty table."""
    statements: list[str] = []
    stores = open_at(f"sqlite:///{tmp_path}/x.db")
    stores.open_maintenance().prepare()
    access = stores.access
    access.claim_webhooks(1, 2, 9)
    access._counters._connection.set_trace_callback(statements.append)  # type: ignore[attr-defined]
    for _ in range(3):
        assert access.claim_webhooks(int(time.time()), int(time.time()) + 60, 9) == []
    assert [one.split()[0] for one in statements] == ["SELECT"] * 3

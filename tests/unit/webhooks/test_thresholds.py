"""Accounts get one event a month for 80 and one for 100 % of their calls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from brskills_server.accounts.account import Account
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.ports import AccountCalls
from brskills_server.webhooks import thresholds
from brskills_server.webhooks.thresholds import Thresholds
from brskills_server.webhooks.webhook import COMPANY_CHANGED, USAGE_THRESHOLD, Secret, Webhook
from tests.conftest import NOVEMBER, Clock

DECEMBER = NOVEMBER + 20 * 86_400
YEAR = 366 * 86_400


@pytest.fixture
def store(store: AccessStore) -> AccessStore:
    store.open_account(Account("acc_1", "free", 100, {"key of acc_1": 0}))
    store.add_webhook(webhook(), 5)
    return store


def webhook(name: str = "wh_1", account: str = "acc_1", **fields: Any) -> Webhook:
    secrets = (Secret("whsec_x"),)
    return Webhook(name, account, "https://x.example/", (USAGE_THRESHOLD,), None, secrets, 1)._replace(
        **fields
    )


def use(store: AccessStore, calls: int, month: str = "2026-11", account: str = "acc_1") -> None:
    store.reserve_calls(AccountCalls(account, f"key of {account}", month, "2025-10", 1, calls))


def said(store: AccessStore, *, to: Webhook | None = None) -> list[dict[str, Any]]:
    found = store.due_deliveries(to or webhook(), int(NOVEMBER + YEAR), 99)
    bodies = [json.loads(one.body) for one in found]
    assert {body["type"] for body in bodies} <= {USAGE_THRESHOLD}
    return sorted((body["data"] for body in bodies), key=lambda data: (data["mes"], data["percentual"]))


def data(percent: int, calls: int, **changed: Any) -> dict[str, Any]:
    usage = {"mes": "2026-11", "plano": "free", "limite": 100, "chamadas": calls, "percentual": percent}
    return usage | changed


def test_each_threshold_is_said_once_by_however_many_sweeps(store: AccessStore, clock: Clock) -> None:
    one, another = Thresholds(store, clock), Thresholds(store, clock)
    use(store, 79)
    one.sweep()
    assert said(store) == []
    use(store, 1)
    for each in (one, another, one):
        each.sweep()
    assert said(store) == [data(80, 80)]
    use(store, 20)
    for each in (another, one, Thresholds(store, clock)):
        each.sweep()
    assert said(store) == [data(80, 80), data(100, 100)]


def test_both_at_once_if_both_were_reached(store: AccessStore, clock: Clock) -> None:
    use(store, 100)
    Thresholds(store, clock).sweep()
    assert said(store) == [data(80, 100), data(100, 100)]


def test_each_month_and_each_limit_has_its_own(store: AccessStore, clock: Clock) -> None:
    sweeper = Thresholds(store, clock)
    use(store, 80)
    sweeper.sweep()
    store.set_limit("acc_1", 90)
    sweeper.sweep()
    store.set_limit("acc_1", 100)
    clock.now = DECEMBER
    sweeper.sweep()
    use(store, 85, "2026-12")
    sweeper.sweep()
    december = data(80, 85, mes="2026-12")
    assert said(store) == [data(80, 80), data(80, 80, limite=90), december]
    clock.now = NOVEMBER  # a clock that is set back
    sweeper.sweep()
    assert len(said(store)) == 3


def test_without_a_limit_or_with_one_of_nothing_there_is_nothing_to_say(
    store: AccessStore, clock: Clock
) -> None:
    use(store, 100)
    for limit in (None, 0):
        store.set_limit("acc_1", limit)
        Thresholds(store, clock).sweep()
    assert said(store) == []


def test_only_who_wants_it_is_told(store: AccessStore, clock: Clock) -> None:
    others: dict[str, dict[str, Any]] = {
        "acc_2": {"events": (COMPANY_CHANGED,)},
        "acc_3": {"inactive": "pedido"},
    }
    for name, fields in others.items():
        store.open_account(Account(name, "free", 100, {f"key of {name}": 0}))
        store.add_webhook(webhook(f"wh_{name}", name, **fields), 5)
        use(store, 100, account=name)
    sweeper = Thresholds(store, clock)
    sweeper.sweep()
    assert not any(said(store, to=webhook(f"wh_{name}", name)) for name in ("acc_2", "acc_3"))
    woken = store.read_webhook("acc_3", "wh_acc_3")
    assert woken
    assert store.change_webhook(woken._replace(inactive="", version=2))
    sweeper.sweep()
    assert len(said(store, to=woken)) == 2


def test_many_accounts_are_read_in_pages_and_each_once(
    store: AccessStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thresholds, "PAGE", 3)
    for n in range(7):
        store.open_account(Account(f"acc_x{n}", "free", 100, {f"key of acc_x{n}": 0}))
        use(store, 80, account=f"acc_x{n}")
        for place in range(2):
            store.add_webhook(webhook(f"wh_{n}{place}", f"acc_x{n}"), 5)
    read: list[str] = []
    read_account = store.read_account

    def reading(account: str) -> Account | None:
        read.append(account)
        return read_account(account)

    monkeypatch.setattr(store, "read_account", reading)
    Thresholds(store, clock).sweep()
    assert all(said(store, to=webhook(f"wh_{n}{place}", f"acc_x{n}")) for n in range(7) for place in range(2))
    assert sorted(set(read)) == ["acc_1", *(f"acc_x{n}" for n in range(7))]
    assert len(read) <= 8 + 4  # one is read again where a page ends within it

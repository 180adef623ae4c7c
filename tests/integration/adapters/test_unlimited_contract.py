"""The contract of accounts without a monthly limit, and of setting one, for every adapter."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from brskills_server.accounts.account import Account, Caller
from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.errors import InvalidKey
from brskills_server.adapters import memory
from brskills_server.adapters.stores import AccessStore, Stores
from brskills_server.metering.errors import QuotaExceeded
from brskills_server.metering.idempotency_record import IdempotencyRecord, IdempotentRequest, Transition
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.ports import AccountCalls, CallRefused
from brskills_server.runtime.transfer import find_account, move
from tests.integration.adapters.sql.databases import MONTH, NOW, OLDEST
from tests.integration.adapters.workers import answer_repeated_request
from tests.services.releasing import release
from tests.services.store import Destination

ACCOUNT = Account("acc_1", "enterprise", None, {"k1": 0}, created_at=NOW)
CALLER = Caller("acc_1", "k1")
CALLS = 40  # more than there are items: each of them counts some, but once in ten thousand runs


@pytest.fixture(autouse=True)
def account(store: AccessStore) -> Account:
    assert store.open_account(ACCOUNT)
    return ACCOUNT


def count(store: AccessStore, key: str = "k1", calls: int = 1, times: int = 1) -> None:
    for _ in range(times):
        store.reserve_calls(AccountCalls("acc_1", key, MONTH, OLDEST, NOW, calls))


def is_refused(store: AccessStore, key: str) -> bool:
    for _ in range(CALLS):
        with pytest.raises(CallRefused) as refusal:
            count(store, key)
        found = refusal.value.account
        assert found is None or not found.is_active(key, NOW)
    return True


def calls_of(store: AccessStore) -> int:
    found = store.read_usage("acc_1")
    assert found is not None
    return found.calls.get(MONTH, 0)


def test_calls_and_batches_are_read_as_one_sum(store: AccessStore) -> None:
    count(store, times=CALLS)
    count(store, calls=100, times=3)
    assert calls_of(store) == CALLS + 300
    assert [one.calls for one in store.list_accounts()] == [{MONTH: CALLS + 300}]
    assert Accounts(store, "no demo").get("acc_1").calls == {MONTH: CALLS + 300}
    quota, _ = Ledger(store, 0, clock=lambda: NOW).usage(CALLER)
    assert (quota.plan, quota.limit, quota.calls) == ("enterprise", None, CALLS + 300)


def test_released_calls_are_subtracted_once_and_never_more_than_counted(store: AccessStore) -> None:
    assert not release(store, "acc_1", MONTH, name="early")
    count(store, times=CALLS)
    for name in ("early", "once", "once", "several"):
        assert release(store, "acc_1", MONTH, CALLS - 5 if name == "several" else 1, name=name)
    assert calls_of(store) == 3
    assert not release(store, "acc_1", MONTH, 4)
    assert not release(store, "acc_1", "2026-10")
    assert release(store, "acc_1", MONTH, 3)
    assert calls_of(store) == 0


def test_free_absences_are_limited_over_the_whole_month(store: AccessStore) -> None:
    count(store, times=CALLS)
    free = [release(store, "acc_1", MONTH, allowance=5) for _ in range(9)]
    assert free == [True] * 5 + [False] * 4
    assert calls_of(store) == CALLS - 5
    assert release(store, "acc_1", MONTH, calls_of(store))
    assert not release(store, "acc_1", MONTH, allowance=9)


def test_a_new_key_counts_and_a_revoked_one_is_refused_everywhere_at_once(store: AccessStore) -> None:
    count(store, times=CALLS)
    assert store.rotate_key("acc_1", "k1", "k2", ends=NOW + 60, expired=(), most=10, now=NOW)
    assert store.add_key("acc_1", "k3")
    for key in ("k1", "k2", "k3"):
        count(store, key, times=CALLS)
    assert store.revoke_key("acc_1", "k2", NOW)
    assert is_refused(store, "k2")
    assert not store.revoke_key("acc_1", "k2", NOW)
    assert not store.rotate_key("acc_1", "k2", "k4", ends=NOW, expired=(), most=10, now=NOW)
    assert not store.rotate_key("acc_1", "k3", "k4", ends=NOW, expired=["k2"], most=10, now=NOW)
    assert not store.add_key("acc_1", "k3")
    count(store, "k3", times=CALLS)
    before = store.read_usage("acc_1")
    assert before is not None
    assert (before.keys, before.calls) == ({"k1": NOW + 60, "k3": 0}, {MONTH: 5 * CALLS})
    assert store.revoke_all_keys("acc_1", NOW) == before
    assert is_refused(store, "k1")
    assert is_refused(store, "k3")
    assert store.add_key("acc_1", "k5")
    count(store, "k5", times=CALLS)
    assert calls_of(store) == 6 * CALLS


def test_an_idempotent_request_is_counted_once(store: AccessStore) -> None:
    count(store, times=CALLS)
    assert answer_repeated_request(store, 30, 8) == 24  # the others fail
    assert calls_of(store) == CALLS + 1
    request = IdempotentRequest("claim", "asked")
    for seen in (0, 2, 4):
        transition = Transition(request, seen, NOW, NOW + 10)
        store.reserve_calls(AccountCalls("acc_1", "k1", MONTH, OLDEST, NOW, 2, transition))
    assert release(store, "acc_1", MONTH, 5, Transition(request, 6, NOW))
    assert store.read_idempotency_record("claim", NOW) == IdempotencyRecord("asked", 1, 0, NOW + 10)
    assert calls_of(store) == CALLS + 2


@pytest.mark.parametrize("change", ["limit", "plan"])
def test_a_limit_takes_account_of_every_call(store: AccessStore, change: str) -> None:
    ledger = Ledger(store, 0, clock=lambda: NOW)
    count(store, times=CALLS)
    for more in (1, 2):
        if change == "limit":
            assert store.set_limit("acc_1", CALLS + more)
        else:
            assert store.set_plan("acc_1", "pro", CALLS + more)
        ledger.reserve(CALLER)
        with pytest.raises(QuotaExceeded):
            ledger.reserve(CALLER)
        assert calls_of(store) == CALLS + more
        assert store.set_plan("acc_1", "enterprise", None)
        assert store.set_plan("acc_1", "enterprise", None)
        assert calls_of(store) == CALLS + more
    count(store, times=CALLS)
    assert calls_of(store) == 2 * CALLS + 2


def test_a_deleted_account_is_gone_with_its_calls(store: AccessStore) -> None:
    count(store, times=CALLS)
    before = store.read_usage("acc_1")
    assert store.delete_account("acc_1") == before
    with pytest.raises(CallRefused) as refusal:
        count(store)
    assert refusal.value.account is None
    assert not release(store, "acc_1", MONTH)
    assert store.read_usage("acc_1") is None
    assert store.delete_account("acc_1") is None
    assert list(store.list_accounts()) == []


def test_an_account_moves_with_its_calls_and_back(stores: Stores) -> None:
    store, there = stores.access, memory.open_stores(Destination("memory"))
    count(store, times=CALLS)
    move(stores.open_maintenance(), there.open_maintenance())
    moved = there.access.read_usage("acc_1")
    assert moved == store.read_usage("acc_1")
    store.delete_account("acc_1")
    stores.open_maintenance().insert_records([find_account(there.open_maintenance(), "acc_1")])
    assert store.read_usage("acc_1") == moved
    assert store.set_plan("acc_1", "enterprise", None)
    count(store, times=CALLS)
    assert calls_of(store) == 2 * CALLS


def test_whatever_changes_while_calls_run_each_is_counted_once(store: AccessStore) -> None:
    """Plan, limit and keys change while threads count and release."""
    outcomes: Counter[str] = Counter()

    def use(_: int) -> None:
        ledger = Ledger(store, 0, clock=lambda: NOW)
        for n in range(30):
            try:
                reservation = ledger.reserve(CALLER, 1 + n % 3)
            except (QuotaExceeded, InvalidKey):
                outcomes["refused"] += 1
                continue
            if n % 4:
                outcomes["counted"] += reservation.calls
            else:
                assert ledger.releases.apply(reservation, reservation.calls)

    def change(_: int) -> None:
        for n in range(6):
            assert store.set_plan("acc_1", *(("pro", 10_000) if n % 2 == 0 else ("enterprise", None)))
            assert store.add_key("acc_1", f"key_{n}")
            assert store.revoke_key("acc_1", f"key_{n}", NOW)

    with ThreadPoolExecutor(5) as pool:
        running = [pool.submit(use, n) for n in range(4)] + [pool.submit(change, 0)]
        for one in running:
            one.result()
    assert outcomes.keys() == {"counted"}
    assert calls_of(store) == outcomes["counted"]

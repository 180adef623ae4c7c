"""The contract of accounts without a monthly limit, and of setting one, for every adapter."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from brskills_server.accounts.account import Account, Caller
from brskills_server.accounts.errors import InvalidKey
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.errors import QuotaExceeded
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.ports import AccountCalls
from tests.integration.adapters.sql.databases import MONTH, NOW, OLDEST

ACCOUNT = Account("acc_1", "enterprise", None, {"k1": 0}, created_at=NOW)
CALLER = Caller("acc_1", "k1")
CALLS = 3


@pytest.fixture(autouse=True)
def account(store: AccessStore) -> Account:
    assert store.open_account(ACCOUNT)
    return ACCOUNT


def count(store: AccessStore, times: int) -> None:
    for _ in range(times):
        store.reserve_calls(AccountCalls("acc_1", "k1", MONTH, OLDEST, NOW))


def calls_of(store: AccessStore) -> int:
    found = store.read_account("acc_1")
    assert found is not None
    return found.calls[MONTH]


@pytest.mark.parametrize("change", ["limit", "plan"])
def test_a_limit_takes_account_of_every_call(store: AccessStore, change: str) -> None:
    ledger = Ledger(store, 0, clock=lambda: NOW)
    count(store, CALLS)
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
    count(store, CALLS)
    assert calls_of(store) == 2 * CALLS + 2


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

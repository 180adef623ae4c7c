"""Exact results of concurrent threads, with a socket each for DynamoDB."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import local
from typing import Any
from uuid import uuid4

from brskills_server.accounts.account import DEMO, Account, Caller
from brskills_server.accounts.accounts import MAX_KEYS, Accounts
from brskills_server.accounts.errors import SignupLimit, StoreUnavailable, TooManyKeys
from brskills_server.accounts.network_hash import Pseudonyms
from brskills_server.accounts.signup import Signups
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.errors import QuotaExceeded
from brskills_server.metering.ledger import Ledger
from tests.integration.adapters.sql.databases import MONTH, NOW
from tests.integration.adapters.workers import answer_repeated_request
from tests.services.releasing import release
from tests.services.tables import THREADS


def in_threads(times: int, run: Callable[[], Any]) -> Counter[Any]:
    with ThreadPoolExecutor(THREADS) as pool:
        return Counter(pool.map(lambda _: run(), range(times)))


def reserve_in_threads(store: AccessStore, caller: Caller, calls: int, limit: int) -> Counter[str]:
    mine = local()

    def reserve() -> str:
        if not hasattr(mine, "ledger"):
            mine.ledger = Ledger(store, demo_limit=limit)
        try:
            mine.ledger.reserve(caller)
        except QuotaExceeded:
            return "refused"
        return "counted"

    return in_threads(calls, reserve)


def test_concurrent_calls_beyond_the_limit_are_refused(store: AccessStore) -> None:
    accounts = Accounts(store, "no demo")
    caller, _ = accounts.identify(accounts.open("free").api_key)
    store.set_limit(caller.account, 40)
    assert reserve_in_threads(store, caller, 120, 0) == {"counted": 40, "refused": 80}
    assert Ledger(store, 0).usage(caller)[0].calls == 40


def test_the_demo_key_is_as_exact(store: AccessStore) -> None:
    caller = Caller(DEMO, "x", "some-address")
    assert reserve_in_threads(store, caller, 60, 20) == {"counted": 20, "refused": 40}
    assert Ledger(store, 20).usage(caller)[0].calls == 20


def test_releases_at_once_lose_nothing(store: AccessStore) -> None:
    accounts = Accounts(store, "no demo")
    caller, _ = accounts.identify(accounts.open("pro").api_key)

    def reserve_and_release() -> None:
        ledger = Ledger(store, 0)
        ledger.releases.apply(ledger.reserve(caller))

    in_threads(32, reserve_and_release)
    assert Ledger(store, 0).usage(caller)[0].calls == 0


def test_concurrently_made_salts_agree(store: AccessStore) -> None:
    now = 1_795_000_000.0
    assert len(in_threads(32, lambda: Pseudonyms(store).of("192.0.2.1", now))) == 1


def test_concurrent_absences_within_the_allowance_are_free(store: AccessStore) -> None:
    accounts = Accounts(store, "no demo")
    caller, _ = accounts.identify(accounts.open("pro").api_key)
    ledger = Ledger(store, 0)
    month = ledger.reserve(caller, 30).quota.month
    found = in_threads(30, lambda: release(store, caller.account, month, allowance=15))
    assert found == {True: 15, False: 15}
    assert ledger.usage(caller)[0].calls == 15


def test_sign_ups_at_once_stay_within_both_limits(store: AccessStore) -> None:
    def take() -> bool:
        try:
            Signups(store, Pseudonyms(store), per_day=5, per_month=20).take("192.0.2.1", None)
        except SignupLimit:
            return False
        return True

    assert in_threads(32, take) == {True: 5, False: 27}


def test_rotations_at_once_leave_no_account_with_more_keys_than_it_may_have(store: AccessStore) -> None:
    accounts = Accounts(store, "no demo")
    caller, account = accounts.identify(accounts.open("free").api_key)
    assert account is not None

    def rotate() -> str:
        try:
            accounts.rotate(caller, overlap=600)
        except (TooManyKeys, StoreUnavailable) as refused:
            return type(refused).__name__
        return "rotated"

    outcomes = in_threads(24, rotate)
    assert len(accounts.get(account.id).keys) == 1 + outcomes["rotated"] == MAX_KEYS


def test_one_key_rotated_by_many_at_once_is_rotated_once(store: AccessStore) -> None:
    accounts = Accounts(store, "no demo")
    caller, account = accounts.identify(accounts.open("free").api_key)
    assert account is not None

    def rotate() -> bool:
        return store.rotate_key(account.id, caller.key, uuid4().hex, ends=1, expired=(), most=9, now=2)

    assert in_threads(32, rotate) == {True: 1, False: 31}
    assert sorted(accounts.get(account.id).keys.values()) == [0, 1]


def test_a_repeated_request_is_answered_each_time_and_counted_once(store: AccessStore) -> None:
    assert store.open_account(Account("acc_1", "free", 1, {"k1": 0}, created_at=NOW))
    assert answer_repeated_request(store, 30, THREADS) == 24  # the others fail
    account = store.read_account("acc_1")
    assert account.calls == {MONTH: 1}

"""The contract of the store of accounts, for every adapter."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from brskills_server.accounts.account import Account
from brskills_server.accounts.billing import Billing, Subscription
from brskills_server.accounts.calendar import KEPT_MONTHS, shift_month
from brskills_server.adapters.maintenance import StoredAccount
from brskills_server.metering.idempotency_record import IdempotencyRecord, IdempotentRequest, Transition
from brskills_server.metering.ports import (
    AccountCalls,
    AddressCalls,
    CallRefused,
    Counted,
    RecordChanged,
)
from tests.services.releasing import release, release_demo

NOW = 1_795_000_000
MONTH, OLDEST = "2026-11", "2025-10"
ACCOUNT = Account("acc_1", "free", 3, {"k1": 0}, created_at=NOW, email="dev@exemplo.com.br")


@pytest.fixture(autouse=True)
def account(store) -> Account:
    assert store.open_account(ACCOUNT)
    return ACCOUNT


def count(store, month: str = MONTH, calls: int = 1, *, oldest: str = "2000-01") -> Counted:
    return store.reserve_calls(AccountCalls("acc_1", "k1", month, oldest, NOW, calls))


def count_demo(store, address: str = "a", month: str = MONTH, limit: int = 9, calls: int = 1) -> int | None:
    return store.reserve_demo_calls(AddressCalls(address, month, limit, NOW, calls))


def reserve(store, key: str = "k1", now: int = NOW) -> Account:
    """Reserve a call and return the account, which must agree with the result."""
    counted = store.reserve_calls(AccountCalls("acc_1", key, MONTH, OLDEST, now))
    found = store.read_account("acc_1")
    assert counted == (found.plan, found.monthly_limit, found.calls[MONTH])
    return found


def refused(store, account: str = "acc_1", key: str = "k1", now: int = NOW, calls: int = 1) -> Account | None:
    with pytest.raises(CallRefused) as refusal:
        store.reserve_calls(AccountCalls(account, key, MONTH, OLDEST, now, calls))
    return refusal.value.account


# ---- accounts and keys ----


def test_an_account_is_read_as_it_was_opened(store) -> None:
    assert store.read_account("acc_1") == ACCOUNT
    assert store.account_of_key("k1") == "acc_1"


def test_without_limit_and_email_or_with_skills(store) -> None:
    for account in (
        Account("acc_2", "enterprise", None, {"k2": 0}, created_at=NOW),
        Account("acc_3", "pro", 9, {"k3": 0}, created_at=NOW, skills=frozenset({"look_up_bank"})),
    ):
        assert store.open_account(account)
        assert store.read_account(account.id) == account


def test_unknown_ids_are_absent(store) -> None:
    store.ping()
    assert store.read_account("acc_2") is None
    assert store.account_of_key("k2") is None
    assert not store.has_event("evt_1")
    assert dict(store.demo_calls("hash")) == {}


def test_an_id_that_is_taken_stays_with_its_account(store) -> None:
    assert not store.open_account(Account("acc_1", "pro", 9, {"k2": 0}, created_at=NOW))
    assert store.read_account("acc_1") == ACCOUNT


def test_changes_of_an_unknown_account_do_nothing(store) -> None:
    assert not store.add_key("acc_2", "k2")
    assert not store.rotate_key("acc_2", "k1", "k2", ends=NOW, expired=(), most=10, now=NOW)
    assert not store.revoke_key("acc_2", "k1", NOW)
    assert store.revoke_all_keys("acc_2", NOW) is None
    assert not store.set_plan("acc_2", "pro", 9)
    assert not store.set_dedicated_gateway_key("acc_2", "pro")
    assert not store.set_skills("acc_2", {"look_up_bank"})
    release(store, "acc_2", MONTH)
    assert list(store.list_accounts()) == [ACCOUNT]


def test_setting_a_dedicated_gateway_key_changes_nothing_else(store) -> None:
    for plan in ("enterprise", "pro", ""):
        assert store.set_dedicated_gateway_key("acc_1", plan)
        assert store.read_account("acc_1") == replace(ACCOUNT, dedicated_gateway_key=plan)
        assert store.set_plan("acc_1", "free", 3)
        assert store.read_account("acc_1").dedicated_gateway_key == plan


def test_granted_skills_replace_the_former_and_change_nothing_else(store) -> None:
    reserve(store)
    before = store.read_account("acc_1")
    for skills in (["look_up_bank"], {"check_plate", "look_up_bank"}, frozenset()):
        assert store.set_skills("acc_1", skills)
        assert store.read_account("acc_1") == replace(before, skills=frozenset(skills))
    assert store.set_skills("acc_1", ["look_up_bank"])
    for change in (lambda: store.set_plan("acc_1", "pro", 9), lambda: reserve(store)):
        change()
        assert store.read_account("acc_1").skills == {"look_up_bank"}


def test_a_rotation_adds_ends_and_forgets(store) -> None:
    for new in ("k2", "k3"):
        assert store.rotate_key("acc_1", "k1", new, ends=NOW + 60, expired=(), most=10, now=NOW)
    assert store.rotate_key("acc_1", "k3", "k4", ends=NOW + 99, expired=["k1", "k2"], most=10, now=NOW)
    assert store.read_account("acc_1").keys == {"k3": NOW + 99, "k4": 0}
    assert store.account_of_key("k4") == "acc_1"


def test_a_rotation_keeps_to_the_most_keys_there_may_be(store) -> None:
    def rotate(new: str, most: int, expired: Collection[str] = ()) -> bool:
        return store.rotate_key("acc_1", "k1", new, ends=NOW + 60, expired=expired, most=most, now=NOW)

    assert not rotate("k2", 1)
    assert store.read_account("acc_1") == ACCOUNT
    assert rotate("k2", 2)
    assert not rotate("k3", 2)
    assert rotate("k3", 2, ["k2"])
    before = store.read_account("acc_1")
    assert not rotate("k4", 9, ["k2"])  # which is removed already: the caller has read an old account
    assert store.read_account("acc_1") == before


@pytest.mark.parametrize("end", ["rotate", "revoke"])
def test_only_an_active_key_is_rotated_or_revoked(store, end) -> None:
    assert store.rotate_key("acc_1", "k1", "k2", ends=NOW + 60, expired=(), most=10, now=NOW)
    before = store.read_account("acc_1")
    for key, now in [("k1", NOW + 60), ("k1", NOW + 61), ("unknown", NOW)]:
        if end == "rotate":
            assert not store.rotate_key("acc_1", key, "k3", ends=now, expired=(), most=10, now=now)
        else:
            assert not store.revoke_key("acc_1", key, now)
    assert store.read_account("acc_1") == before
    assert store.revoke_key("acc_1", "k1", NOW + 59)
    assert store.read_account("acc_1").keys == {"k2": 0}


def test_all_keys_are_revoked_and_returned(store) -> None:
    store.rotate_key("acc_1", "k1", "k2", ends=NOW + 60, expired=(), most=10, now=NOW)
    before = store.read_account("acc_1")
    assert store.revoke_all_keys("acc_1", NOW) == before
    assert store.read_account("acc_1").keys == {}
    for key in ("k3", "k4"):
        assert store.add_key("acc_1", key)
        assert store.account_of_key(key) == "acc_1"
    assert store.read_account("acc_1").keys == {"k3": 0, "k4": 0}


def test_setting_a_plan_or_a_limit_changes_nothing_else(store) -> None:
    reserve(store)
    before = store.read_account("acc_1")
    for plan, limit in [("enterprise", None), ("pro", 10_000), ("free", 0)]:
        assert store.set_plan("acc_1", plan, limit)
        assert store.read_account("acc_1") == replace(before, plan=plan, monthly_limit=limit)
    for limit in (7, 0, None):
        assert store.set_limit("acc_1", limit)
        assert store.read_account("acc_1") == replace(before, plan="free", monthly_limit=limit)
        assert not store.set_limit("acc_2", limit)
    assert store.read_account("acc_2") is None


def test_a_deleted_account_is_gone_with_its_keys(store) -> None:
    other = Account("acc_2", "pro", 9, {"k9": 0}, created_at=NOW)
    store.open_account(other)
    store.add_key("acc_1", "k2")
    reserve(store)
    before = store.read_account("acc_1")
    assert store.delete_account("acc_1") == before
    assert store.read_account("acc_1") is None
    assert [store.account_of_key(key) for key in ("k1", "k2", "k9")] == [None, None, "acc_2"]
    assert refused(store) is None
    assert list(store.list_accounts()) == [other]
    assert store.delete_account("acc_1") is None
    assert not store.record_event("evt_1", NOW, before, subscribed(before, PAYING))
    assert not store.has_event("evt_1")
    release(store, "acc_1", MONTH)
    assert not release(store, "acc_1", MONTH, allowance=9)
    assert store.read_account("acc_1") is None


def test_accounts_and_demo_calls_are_listed_and_nothing_else(store) -> None:
    assert list(store.list_demo_calls()) == []
    others = [Account(f"acc_{n}", "pro", 9, {f"key_{n}": 0}, created_at=NOW) for n in range(2, 5)]
    for other in others:
        store.open_account(other)
    for address, month in [("a", MONTH), ("a", MONTH), ("a", "2026-12"), ("b", MONTH)]:
        count_demo(store, address, month)
    store.count_in_window("a", "2026-11-18", 9, NOW)
    store.month_salt(MONTH, b"salt", NOW)
    assert sorted(store.list_accounts(), key=lambda account: account.id) == [ACCOUNT, *others]
    listed = sorted(map(dict, store.list_demo_calls()), key=len)
    assert listed == [{MONTH: 1}, {MONTH: 2, "2026-12": 1}]


# ---- calls ----


def test_calls_are_counted_up_to_the_limit(store) -> None:
    assert [reserve(store).calls[MONTH] for _ in range(3)] == [1, 2, 3]
    counted = store.read_account("acc_1")
    assert counted == replace(ACCOUNT, calls={MONTH: 3})
    assert refused(store) == counted
    assert store.read_account("acc_1") == counted


def test_a_reservation_returns_plan_limit_and_count(store) -> None:
    assert count(store) == ("free", 3, 1)
    store.set_plan("acc_1", "enterprise", None)
    assert count(store) == ("enterprise", None, 2)
    unlimited = replace(ACCOUNT, plan="enterprise", monthly_limit=None)
    assert store.read_account("acc_1") == replace(unlimited, calls={MONTH: 2})


@pytest.mark.parametrize(("limit", "calls"), [(0, 0), (1, 1), (None, 5)])
def test_limits(store, limit, calls) -> None:
    store.set_plan("acc_1", "free", limit)
    for _ in range(calls):
        reserve(store)
    if limit is not None:
        assert refused(store).calls.get(MONTH, 0) == calls
    if calls:
        store.set_limit("acc_1", calls - 1)
        assert refused(store).calls == {MONTH: calls}
        store.set_limit("acc_1", calls)
        release(store, "acc_1", MONTH)
        assert reserve(store).calls == {MONTH: calls}
        refused(store)


def test_a_key_counts_while_it_is_active(store) -> None:
    store.rotate_key("acc_1", "k1", "k2", ends=NOW + 60, expired=(), most=10, now=NOW)
    assert reserve(store, "k1", now=NOW + 59).calls == {MONTH: 1}
    assert reserve(store, "k2").calls == {MONTH: 2}
    assert refused(store, key="k1", now=NOW + 60) == store.read_account("acc_1")
    assert refused(store, key="unknown").keys == {"k1": NOW + 60, "k2": 0}
    assert store.read_account("acc_1").calls == {MONTH: 2}


def test_months_are_counted_apart_and_the_oldest_is_dropped(store) -> None:
    store.set_plan("acc_1", "enterprise", None)
    months = [shift_month(MONTH, -n) for n in range(KEPT_MONTHS + 1)]
    for month in months[:0:-1]:
        count(store, month)
    assert store.read_account("acc_1").calls == dict.fromkeys(months[1:], 1)
    for calls in (1, 2):
        assert reserve(store).calls == dict.fromkeys(months[1:-1], 1) | {MONTH: calls}


@pytest.mark.parametrize(("ahead", "calls"), [(14, 1), (-16, 3), (140, 1)])
def test_a_wrong_clock_drops_no_counter_of_a_month(stores, ahead, calls) -> None:
    store = stores.access
    kept = {shift_month(MONTH, -n): 2 for n in range(13)}
    store.delete_account("acc_1")
    unlimited = replace(ACCOUNT, monthly_limit=None, calls=kept)
    stores.open_maintenance().insert_records([StoredAccount(unlimited, dict.fromkeys(kept, 1))])
    wrong = [shift_month(MONTH, ahead + n) for n in (0, 1, 2)]
    for month in wrong:
        count(store, month, calls, oldest=shift_month(month, -13))
    assert store.read_account("acc_1").calls == kept | dict.fromkeys(wrong, calls)
    assert not any(release(store, "acc_1", month, allowance=1) for month in kept)


def test_a_call_is_released_once_in_its_month(store) -> None:
    count(store, "2026-10")
    reserve(store)
    for _ in range(2):
        release(store, "acc_1", "2026-10")
        assert store.read_account("acc_1").calls == {"2026-10": 0, MONTH: 1}
    release(store, "acc_1", "2026-09")
    assert store.read_account("acc_1").calls == {"2026-10": 0, MONTH: 1}


def test_a_months_free_absences_are_limited(store) -> None:
    def free_one(month: str = MONTH, allowance: int = 2) -> bool:
        return release(store, "acc_1", month, allowance=allowance)

    assert not free_one()
    for free in (True, True, False):
        reserve(store)
        assert free_one() is free
    assert store.read_account("acc_1") == replace(ACCOUNT, calls={MONTH: 1})
    assert not free_one(allowance=0)
    assert free_one(allowance=3)
    count(store, "2026-10")
    assert not free_one("2026-10", allowance=0)
    assert free_one("2026-10")
    assert not release(store, "acc_2", MONTH, allowance=9)
    assert store.read_account("acc_1").calls == {"2026-10": 0, MONTH: 0}


def test_the_oldest_months_absences_are_dropped_with_its_calls(store) -> None:
    for free in (True, False):
        count(store, OLDEST)
        assert release(store, "acc_1", OLDEST, allowance=1) is free
    for n in range(KEPT_MONTHS):
        count(store, shift_month(MONTH, n), oldest=OLDEST)
    assert OLDEST not in store.read_account("acc_1").calls
    count(store, OLDEST)
    assert release(store, "acc_1", OLDEST, allowance=1)


def test_an_address_has_its_own_free_absences(store) -> None:
    assert not release_demo(store, "a", MONTH, allowance=1)
    for free in (True, False):
        count_demo(store)
        assert release_demo(store, "a", MONTH, allowance=1) is free
    assert dict(store.demo_calls("a")) == {MONTH: 1}
    count_demo(store, "b")
    assert release_demo(store, "b", MONTH, allowance=1)


def test_the_demo_key_counts_by_address_and_month(store) -> None:
    asked = [("a", MONTH)] * 3 + [("b", MONTH), ("a", "2026-12")]
    assert [count_demo(store, *of, limit=2) for of in asked] == [1, 2, None, 1, 1]
    assert count_demo(store, limit=1) is None
    assert count_demo(store, limit=3) == 3
    assert count_demo(store, "c", limit=0) is None
    assert dict(store.demo_calls("a")) == {MONTH: 3, "2026-12": 1}
    release_demo(store, "a", MONTH)
    release_demo(store, "c", MONTH)
    assert dict(store.demo_calls("a")) == {MONTH: 2, "2026-12": 1}
    assert store.demo_calls("c").get(MONTH, 0) == 0


def test_several_calls_are_counted_together_or_not_at_all(store) -> None:
    assert count(store, calls=2) == ("free", 3, 2)
    assert refused(store, calls=2).calls == {MONTH: 2}
    release(store, "acc_1", MONTH, 3)
    assert store.read_account("acc_1").calls == {MONTH: 2}
    release(store, "acc_1", MONTH, 2)
    assert count(store, calls=3).calls == 3
    store.set_plan("acc_1", "enterprise", None)
    assert count(store, calls=100) == ("enterprise", None, 103)
    other = refused(store, key="k2", calls=2)
    assert other is None or not other.is_active("k2", NOW)
    assert refused(store, "acc_2", calls=2) is None


def test_several_calls_of_an_address(store) -> None:
    counted = [count_demo(store, limit=5, calls=calls) for calls in (6, 2, 4, 3, 1)]
    assert counted == [None, 2, None, 5, None]
    release_demo(store, "a", MONTH, 6)
    release_demo(store, "a", MONTH, 4)
    assert dict(store.demo_calls("a")) == {MONTH: 1}


@pytest.mark.parametrize("allowance", [None, 9])
def test_a_release_is_applied_once_however_often_it_is_sent(store, allowance) -> None:
    for _ in range(3):
        count(store)
        count_demo(store)
    assert not store.has_release("once")
    for name in ("once", "once", "once", "another"):
        assert release(store, "acc_1", MONTH, allowance=allowance, name=name)
        assert release_demo(store, "a", MONTH, allowance=allowance, name=f"demo-{name}")
    assert store.has_release("once")
    assert store.read_account("acc_1").calls == {MONTH: 1}
    assert dict(store.demo_calls("a")) == {MONTH: 1}


def test_a_release_that_took_nothing_may_be_sent_again(store) -> None:
    assert not release(store, "acc_1", MONTH, name="early")
    assert not store.has_release("early")
    reserve(store)
    assert release(store, "acc_1", MONTH, name="early")
    assert store.read_account("acc_1").calls == {MONTH: 0}


def test_work_that_is_not_counted_adds_up_by_month_and_counts_no_call(store) -> None:
    count = store.count_uncounted
    assert [count("acc_1", "k1", MONTH, NOW, units) for units in (1, 20)] == [("free", 1), ("free", 21)]
    assert count("acc_1", "k1", "2026-12", NOW, 2) == ("free", 2)
    assert store.read_account("acc_1").calls.get(MONTH, 0) == 0
    reserve(store)
    store.set_plan("acc_1", "pro", 9)
    assert count("acc_1", "k1", MONTH, NOW, 3) == ("pro", 24)
    assert store.read_account("acc_1").calls[MONTH] == 1


def test_work_of_a_key_that_is_not_active_is_refused(store) -> None:
    for name, digest in (("acc_1", "k2"), ("acc_2", "k1")):
        with pytest.raises(CallRefused):
            store.count_uncounted(name, digest, MONTH, NOW, 1)
    assert store.count_uncounted("acc_1", "k1", MONTH, NOW, 1) == ("free", 1)


def test_work_of_an_address_adds_up_and_counts_no_call(store) -> None:
    assert [store.count_demo_uncounted("a", MONTH, NOW, units) for units in (1, 20)] == [1, 21]
    assert store.count_demo_uncounted("b", MONTH, NOW, 5) == 5
    assert count_demo(store, limit=1) == 1
    assert store.count_demo_uncounted("a", MONTH, NOW, 1) == 22
    assert dict(store.demo_calls("a")) == {MONTH: 1}


# ---- claims ----

CLAIM = IdempotentRequest("claim", "asked")
ENDS = NOW + 10


class OfAccount:
    """Idempotent calls of the account, in the form that ``OfAddress`` shares."""

    def __init__(self, store) -> None:
        self.store = store

    def reserve(
        self, calls: int, seen: int, now: int = NOW, claim: IdempotentRequest = CLAIM, answered: int = 0
    ) -> bool:
        try:
            return self._count(now, calls, Transition(claim, seen, now, now + 10, answered))
        except CallRefused:
            return False

    def release(
        self, calls: int, seen: int, claim: IdempotentRequest = CLAIM, allowance: int | None = None
    ) -> bool:
        return self._release(MONTH, calls, Transition(claim, seen, NOW), allowance=allowance)

    def release_absence(self, seen: int, allowance: int = 9) -> bool:
        return self.release(1, seen, allowance=allowance)

    def counted(self) -> int:
        return self.store.read_account("acc_1").calls.get(MONTH, 0)

    def _count(self, now: int, *calls: Any) -> bool:
        return bool(self.store.reserve_calls(AccountCalls("acc_1", "k1", MONTH, OLDEST, now, *calls)))

    def _release(self, *order: Any, **named: Any) -> bool:
        return release(self.store, "acc_1", *order, **named)


class OfAddress(OfAccount):
    def counted(self) -> int:
        return self.store.demo_calls("a").get(MONTH, 0)

    def _count(self, now: int, *calls: Any) -> bool:
        return self.store.reserve_demo_calls(AddressCalls("a", MONTH, 3, ENDS, *calls)) is not None

    def _release(self, *order: Any, **named: Any) -> bool:
        return release_demo(self.store, "a", *order, **named)


class OfUnlimited(OfAccount):
    def __init__(self, store) -> None:
        super().__init__(store)
        store.set_limit("acc_1", None)


@pytest.fixture(params=[OfAccount, OfAddress, OfUnlimited])
def claimed(request, store) -> OfAccount:
    return request.param(store)


@pytest.fixture(params=[OfAccount, OfAddress])
def limited(request, store) -> OfAccount:
    return request.param(store)


def test_a_records_calls_change_with_the_months(store, claimed) -> None:
    assert store.read_idempotency_record("claim", NOW) is None
    assert claimed.reserve(1, seen=0)
    assert store.read_idempotency_record("claim", NOW) == IdempotencyRecord("asked", 1, 0, ENDS)
    assert claimed.reserve(2, seen=1)
    assert (store.read_idempotency_record("claim", NOW).calls, claimed.counted()) == (3, 3)
    claimed.release(2, seen=3)
    assert (store.read_idempotency_record("claim", NOW).calls, claimed.counted()) == (1, 1)
    assert claimed.release_absence(seen=1)
    assert (store.read_idempotency_record("claim", NOW), claimed.counted()) == (None, 0)
    assert claimed.reserve(1, seen=0)


def test_a_transition_of_a_changed_record_does_nothing(store, claimed) -> None:
    with pytest.raises(RecordChanged):
        claimed.reserve(1, seen=2)
    assert claimed.reserve(1, seen=0)
    for attempt in (
        lambda: claimed.reserve(1, seen=0),
        lambda: claimed.reserve(1, seen=2),
        lambda: claimed.reserve(1, seen=1, claim=IdempotentRequest("claim", "something else")),
        lambda: claimed.reserve(1, seen=1, now=ENDS),
        lambda: claimed.release(1, seen=2),
        lambda: claimed.release(1, seen=1, claim=IdempotentRequest("claim", "something else")),
        lambda: claimed.release_absence(seen=2),
    ):
        with pytest.raises(RecordChanged):
            attempt()
    assert (store.read_idempotency_record("claim", NOW), claimed.counted()) == (
        IdempotencyRecord("asked", 1, 0, ENDS),
        1,
    )


def test_a_full_month_leaves_the_record_unchanged(store, limited) -> None:
    assert not limited.reserve(4, seen=0)
    assert store.read_idempotency_record("claim", NOW) is None
    assert limited.reserve(2, seen=0)
    assert not limited.reserve(2, seen=2)
    assert (store.read_idempotency_record("claim", NOW).calls, limited.counted()) == (2, 2)
    assert not limited.release_absence(seen=2, allowance=0)
    assert (store.read_idempotency_record("claim", NOW).calls, limited.counted()) == (2, 2)


def test_answered_calls_are_not_released(store, claimed) -> None:
    assert not store.mark_answered(CLAIM, 1, NOW)
    assert claimed.reserve(3, seen=0)
    assert not store.mark_answered(CLAIM, 4, NOW)
    assert not store.mark_answered(IdempotentRequest("claim", "something else"), 1, NOW)
    assert store.mark_answered(CLAIM, 2, NOW)
    assert store.mark_answered(CLAIM, 1, NOW)
    assert store.read_idempotency_record("claim", NOW) == IdempotencyRecord("asked", 3, 2, ENDS)
    with pytest.raises(RecordChanged):
        claimed.release(2, seen=3)
    claimed.release(1, seen=3)
    with pytest.raises(RecordChanged):
        claimed.release_absence(seen=2)
    assert (store.read_idempotency_record("claim", NOW).calls, claimed.counted()) == (2, 2)


def test_calls_may_be_counted_as_answered(store, claimed) -> None:
    assert claimed.reserve(1, seen=0, answered=1)
    assert store.read_idempotency_record("claim", NOW) == IdempotencyRecord("asked", 1, 1, ENDS)
    assert claimed.reserve(1, seen=1)
    assert store.read_idempotency_record("claim", NOW) == IdempotencyRecord("asked", 2, 1, ENDS)
    assert claimed.reserve(1, seen=2, answered=3)
    assert store.read_idempotency_record("claim", NOW) == IdempotencyRecord("asked", 3, 3, ENDS)


def test_a_record_expires(store, claimed) -> None:
    assert claimed.reserve(2, seen=0)
    assert store.mark_answered(CLAIM, 2, NOW)
    assert store.read_idempotency_record("claim", ENDS - 1) == IdempotencyRecord("asked", 2, 2, ENDS)
    assert store.read_idempotency_record("claim", ENDS) is None
    assert not store.mark_answered(CLAIM, 2, ENDS)
    assert claimed.reserve(1, seen=0, now=ENDS, claim=IdempotentRequest("claim", "something else"))
    assert store.read_idempotency_record("claim", ENDS) == IdempotencyRecord(
        "something else", 1, 0, ENDS + 10
    )
    assert claimed.counted() == 3


# ---- sign-ups and salts ----


def test_sign_ups_are_counted_by_day_and_pseudonym(store) -> None:
    def take(pseudonym: str = "a", day: str = "2026-11-18", limit: int = 2) -> bool:
        return store.count_in_window(pseudonym, day, limit, NOW)

    assert [take(), take(), take(), take(day="2026-11-19"), take("b")] == [True, True, False, True, True]
    assert not take("c", limit=0)
    assert take(limit=3)
    assert dict(store.read_window("a")) == {"2026-11-18": 3, "2026-11-19": 1}
    assert dict(store.read_window("b")) == {"2026-11-18": 1}
    assert sum(store.read_window("c").values()) == 0


def test_the_first_salt_of_a_month_is_kept(store) -> None:
    salts = [store.month_salt(month, bytes([n]), NOW) for n, month in enumerate([MONTH, MONTH, "2026-12"])]
    assert salts == [b"\0", b"\0", b"\2"]


def test_keys_of_proofs_are_made_once_and_replaced_only_as_they_are_known(store) -> None:
    assert [store.proof_keys(b"[1]"), store.proof_keys(b"[2]")] == [b"[1]", b"[1]"]
    assert not store.replace_proof_keys(b"[2]", b"[3]")
    assert store.replace_proof_keys(b"[1]", b"[1, 3]")
    assert store.proof_keys(b"[4]") == b"[1, 3]"
    assert store.month_salt(MONTH, b"salt", NOW) == b"salt"


# ---- subscriptions ----

PAYING = Subscription("sub_1", "acc_1", "cus_1", "active", "pro")
OTHER = Subscription("sub_2", "acc_1", "cus_1", "paused", None)
PAID_BACK = replace(PAYING, paid_back=True)


def subscribed(before: Account, *kept: Subscription, plan: str = "pro", limit: int | None = 9) -> Account:
    billing = Billing({each.id: each for each in kept}, "cus_1", before.billing.version + 1)
    return replace(before, plan=plan, monthly_limit=limit, billing=billing)


def test_an_event_is_stored_with_the_changed_account(store) -> None:
    first = subscribed(ACCOUNT, PAID_BACK, OTHER)
    assert store.record_event("evt_1", NOW, ACCOUNT, first)
    assert store.has_event("evt_1")
    assert store.read_account("acc_1") == first
    assert not store.record_event("evt_1", NOW, first, subscribed(first, OTHER))
    paid_again = subscribed(first, PAYING, OTHER)
    assert store.record_event("evt_1b", NOW, first, paid_again)
    assert store.read_account("acc_1") == paid_again
    first = paid_again
    second = subscribed(first, OTHER, plan="enterprise", limit=None)
    assert store.record_event("evt_2", NOW, first, second)
    third = subscribed(second)
    assert store.record_event("evt_3", NOW, second, third)
    assert store.read_account("acc_1") == third
    assert list(store.list_accounts()) == [third]


@pytest.mark.parametrize("meanwhile", ["event", "plan"])
def test_an_event_of_a_changed_account_is_not_stored(store, meanwhile) -> None:
    first = subscribed(ACCOUNT, PAYING)
    store.record_event("evt_0", NOW, ACCOUNT, first)
    if meanwhile == "event":
        store.record_event("evt_1", NOW, first, subscribed(first, OTHER))
    else:
        store.set_plan("acc_1", "enterprise", None)
    found = store.read_account("acc_1")
    assert not store.record_event("evt_2", NOW, first, subscribed(first))
    assert not store.record_event("evt_2", NOW, ACCOUNT, subscribed(ACCOUNT))
    assert store.read_account("acc_1") == found
    assert not store.has_event("evt_2")


def test_a_limit_set_meanwhile_stays_while_the_plan_does(store) -> None:
    first = subscribed(ACCOUNT, PAYING)
    store.record_event("evt_1", NOW, ACCOUNT, first)
    store.set_limit("acc_1", 77)
    second = subscribed(first, PAYING, OTHER, limit=first.monthly_limit)
    assert store.record_event("evt_2", NOW, first, second)
    assert store.read_account("acc_1") == replace(second, monthly_limit=77)
    assert store.record_event("evt_3", NOW, second, subscribed(second, plan="free", limit=3))
    assert store.read_account("acc_1").monthly_limit == 3


def test_keys_and_calls_that_change_meanwhile_stay(store) -> None:
    reserve(store)
    store.add_key("acc_1", "k2")
    assert store.record_event("evt_1", NOW, ACCOUNT, subscribed(ACCOUNT, PAYING))
    found = store.read_account("acc_1")
    assert (found.keys, found.calls, found.plan) == ({"k1": 0, "k2": 0}, {MONTH: 1}, "pro")

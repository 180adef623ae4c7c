"""Work that counts no call: an allowance a minute of this process, and one a month of the store."""

from __future__ import annotations

import pytest

from brskills_server.accounts.account import DEMO, Caller
from brskills_server.accounts.errors import InvalidKey, StoreUnavailable
from brskills_server.accounts.plans import PLANS
from brskills_server.metering.errors import UncountedLimit
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from brskills_server.metering.uncounted import BYTES_PER_UNIT, LOOK_UP_UNITS, Allowance

MINUTE = 60


@pytest.fixture
def allowance(store, clock) -> Allowance:
    clock.now -= clock.now % MINUTE  # the beginning of a minute
    return Allowance(store, clock)


@pytest.fixture
def caller(accounts) -> Caller:
    return accounts.identify(accounts.open("free").api_key)[0]


def units_of(store, caller: Caller, clock) -> int:
    """Return the month's units; adds one."""
    return store.count_uncounted(caller.account, caller.key, "2026-11", int(clock()), 1)[1] - 1


def test_a_minutes_units_are_limited(allowance, caller, clock) -> None:
    allowance.take(caller, PLANS["free"].uncounted_a_minute)
    with pytest.raises(UncountedLimit) as refused:
        allowance.take(caller, 1)
    assert refused.value.retry_after == MINUTE
    clock.now += MINUTE - 1
    with pytest.raises(UncountedLimit) as refused:
        allowance.check(caller)
    assert refused.value.retry_after == 1
    clock.now += 1
    allowance.check(caller)
    allowance.take(caller, 1)


def test_a_used_up_allowance_sends_no_write(allowance, caller, store, clock) -> None:
    for _ in range(3):
        with pytest.raises(UncountedLimit):
            allowance.take(caller, PLANS["free"].uncounted_a_minute + 1)
    assert units_of(store, caller, clock) == PLANS["free"].uncounted_a_minute + 1


def test_a_months_units_are_shared_by_all_processes(caller, store, clock) -> None:
    clock.now -= clock.now % MINUTE
    whole = PLANS["free"].uncounted_a_month
    for _ in range(whole // 2000):
        Allowance(store, clock).take(caller, 2000)  # each process has its own minute
    other = Allowance(store, clock)
    with pytest.raises(UncountedLimit) as refused:
        other.take(caller, 1)
    assert refused.value.retry_after > 12 * 86_400
    clock.now += MINUTE  # it is looked at again: the plan may have changed
    store.set_plan(caller.account, "pro", 10_000)
    other.take(caller, 1)


def test_accounts_and_addresses_have_separate_allowances(allowance, accounts, caller) -> None:
    other = accounts.identify(accounts.open("free").api_key)[0]
    here, there = Caller(DEMO, "x", "a"), Caller(DEMO, "x", "b")
    for used_up in (caller, here):
        with pytest.raises(UncountedLimit):
            allowance.take(used_up, 2401)
    for free in (other, there):
        allowance.take(free, 1)


def test_an_unlimited_month_has_a_limited_minute(allowance, accounts) -> None:
    caller = accounts.identify(accounts.open("enterprise").api_key)[0]
    with pytest.raises(UncountedLimit):
        allowance.take(caller, 60_001)


def test_the_key_is_checked_by_the_same_write(allowance, accounts, caller) -> None:
    accounts.revoke(caller)
    with pytest.raises(InvalidKey):
        allowance.take(caller, 1)


def test_a_clock_set_back_does_not_prolong_a_refusal(allowance, caller, clock) -> None:
    with pytest.raises(UncountedLimit):
        allowance.take(caller, 2401)
    clock.now -= 86_400
    allowance.check(caller)


def test_holders_beyond_the_remembered_ones_are_forgotten(allowance, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.metering.uncounted._HOLDERS", 2)
    for address in ("a", "b", "c"):
        with pytest.raises(UncountedLimit):
            allowance.take(Caller(DEMO, "x", address), 1201)
    allowance.check(Caller(DEMO, "x", "a"))
    with pytest.raises(UncountedLimit):
        allowance.check(Caller(DEMO, "x", "c"))


# ---- what a request takes ----


@pytest.fixture
def session(ledger, caller) -> Session:
    return Session(ledger, caller)


@pytest.mark.parametrize(
    ("counted", "items", "asked", "released", "body_bytes", "units"),
    [
        (0, 1, 0, 0, 0, 1),
        (1, 1, 1, 0, BYTES_PER_UNIT * 9, 0),
        (1, 1, 1, 1, 0, LOOK_UP_UNITS),
        (5, 8, 4, 3, 0, 6 + 2 * (LOOK_UP_UNITS - 1)),  # of a batch each item that counts nothing
        (0, 1, 0, 0, BYTES_PER_UNIT * 5 + 1, 5),
    ],
)
def test_units_of_a_request(
    session, store, clock, counted, items, asked, released, body_bytes, units
) -> None:
    if counted:
        session.reserve(counted)
    session.items = items
    for _ in range(asked):
        session.before_asking()
    session.release(released)
    session.take_allowance(body_bytes)
    assert units_of(store, session.caller, clock) == units


def test_a_repetition_takes_a_unit(session, ledger, store, clock) -> None:
    for before in (0, 2):
        again = Session(ledger, session.caller)
        again.identify("key", b"request")
        again.reserve(2)
        assert (again.counted_before, again.replayed, again.since) == (before, before > 0, int(clock()))
        again.release(before // 2)  # it costs less than was counted before
        again.settle()
        again.take_allowance(0)
    assert units_of(store, session.caller, clock) == 1


@pytest.mark.parametrize("exempt", ["usage", "full"])
def test_usage_and_a_full_month_take_no_unit(session, store, clock, exempt) -> None:
    if exempt == "usage":
        session.usage()
    else:
        session.reserve(100)
        session = Session(session._ledger, session.caller)
        session.reserve(1, partial=True)
    session.take_allowance(0)
    assert units_of(store, session.caller, clock) == 0


def test_the_request_after_a_used_up_allowance_is_refused(session, ledger) -> None:
    session.reserve()
    session.before_asking()
    session.release()
    ledger.allowance.take(session.caller, PLANS["free"].uncounted_a_minute)
    session.take_allowance(0)
    with pytest.raises(UncountedLimit):
        Session(ledger, session.caller).before_asking()
    with pytest.raises(UncountedLimit):
        Session(ledger, session.caller).take_allowance(0)
    assert Session(ledger, session.caller).reserve() == 1


def test_a_partly_counted_request_is_answered(session, ledger) -> None:
    with pytest.raises(UncountedLimit):
        ledger.allowance.take(session.caller, PLANS["free"].uncounted_a_minute + 1)
    session.items = 2
    session.reserve()
    session.take_allowance(0)


def test_requests_about_the_account_have_a_separate_minute(allowance, caller, clock) -> None:
    with pytest.raises(UncountedLimit):
        allowance.take(caller, 2401)
    for _ in range(PLANS["free"].uncounted_a_minute):
        allowance.take_of_minute(caller)
    with pytest.raises(UncountedLimit) as refused:
        allowance.take_of_minute(caller)
    assert refused.value.retry_after == MINUTE
    clock.now += MINUTE
    allowance.take_of_minute(caller)


def test_usage_is_limited_a_minute(session, ledger, clock) -> None:
    clock.now -= clock.now % MINUTE
    for _ in range(PLANS["free"].uncounted_a_minute):
        ledger.allowance.take_of_minute(session.caller)
    with pytest.raises(UncountedLimit):
        session.usage()


class Unconfirming:
    """A store that applies these operations without confirming them."""

    def __init__(self, store, *operations: str, times: int = 99) -> None:
        self._store, self._operations, self._left = store, operations, times

    def __getattr__(self, operation: str):
        def run(*arguments):
            result = getattr(self._store, operation)(*arguments)
            if operation in self._operations and self._left:
                self._left -= 1
                raise StoreUnavailable(operation)
            return result

        return run


def test_an_answer_that_is_counted_leaves_though_its_allowance_is_not_confirmed(store, clock, caller) -> None:
    session = Session(Ledger(Unconfirming(store, "count_uncounted"), 3, clock), caller)
    session.items = 2
    session.reserve(2)
    session.release(1)  # an item of a batch was not answered
    session.settle()
    session.take_allowance(0)
    assert (session.calls, session.usage()[0].calls) == (1, 1)


def test_an_answer_that_costs_nothing_is_refused_where_its_allowance_is_not_confirmed(
    store, clock, caller
) -> None:
    session = Session(Ledger(Unconfirming(store, "count_uncounted"), 3, clock), caller)
    with pytest.raises(StoreUnavailable):
        session.take_allowance(0)


def test_a_repetition_beyond_the_allowance_is_refused_before_it_is_settled(store, clock, caller) -> None:
    ledger = Ledger(store, 3, clock)
    first, again = Session(ledger, caller), Session(ledger, caller)
    for session in (first, again):
        session.identify("key", b"request")
    first.reserve()
    with pytest.raises(UncountedLimit):
        ledger.allowance.take(caller, PLANS["free"].uncounted_a_minute + 1)
    with pytest.raises(UncountedLimit):
        again.reserve()
    again.settle()
    first.release()  # nobody was answered, so nothing stays counted
    assert first.usage()[0].calls == 0


def test_a_record_is_settled_after_a_lost_confirmation(store, clock, caller) -> None:
    session = Session(Ledger(Unconfirming(store, "mark_answered", times=1), 3, clock), caller)
    session.identify("key", b"request")
    session.reserve()
    session.settle()
    assert (session.calls, session.usage()[0].calls) == (1, 1)

"""Calls are released exactly once after faults before or after any operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from brskills_server.accounts.account import DEMO, Caller
from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from tests.conftest import Clock
from tests.for_each import for_each
from tests.services.store import in_memory

STORE = in_memory()
NEVER: frozenset[int] = frozenset()


class Faulty:
    """A store whose operations with these numbers raise before or after they are applied."""

    def __init__(self, before: frozenset[int] = NEVER, after: frozenset[int] = NEVER) -> None:
        self.before, self.after, self.done = before, after, 0

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            number, self.done = self.done, self.done + 1
            if number in self.before:
                raise StoreUnavailable("before")
            result = getattr(STORE, operation)(*arguments)
            if number in self.after:
                raise StoreUnavailable("after")
            return result

        return run

    def heal(self) -> None:
        self.before = self.after = NEVER


def opened(faulty: Faulty, *, claimed: bool = False) -> Session:
    accounts = Accounts(STORE, None, Clock())
    caller, _ = accounts.identify(accounts.open("free").api_key)
    session = Session(Ledger(faulty, 20, Clock()), caller)
    if claimed:
        session.identify("key", b"request")
    return session


def counted(session: Session) -> int:
    account = STORE.read_account(session.caller.account)
    return sum(account.calls.values())


def take_back(session: Session, *, absent: bool) -> None:
    if absent:
        session.release_absence()
    else:
        session.release()


@for_each("claimed", [False, True])
@for_each("absent", [False, True])
@for_each("fault", ["before", "after"])
def test_a_single_fault_changes_nothing(fault, absent, claimed) -> None:
    for number in range(8):
        faulty = Faulty()
        session = opened(faulty, claimed=claimed)
        other = Session(session._ledger, session.caller)
        other.reserve()
        session.reserve()
        faulty.done = 0
        setattr(faulty, fault, frozenset({number}))
        take_back(session, absent=absent)
        assert counted(session) == 1


def test_an_absence_whose_release_is_not_confirmed_is_not_taken_back_twice() -> None:
    faulty = Faulty()
    session = opened(faulty)
    Session(session._ledger, session.caller).reserve()
    session.reserve()
    faulty.done, faulty.after = 0, frozenset(range(9))
    with pytest.raises(StoreUnavailable):
        session.release_absence()
    session.release()  # as a use case does when it fails
    assert counted(session) == 1


@given(some.booleans(), some.booleans(), some.sets(some.integers(0, 30)), some.sets(some.integers(0, 30)))
def test_an_unconfirmed_release_is_repeated_with_a_later_call(absent, claimed, before, after) -> None:
    faulty = Faulty()
    session = opened(faulty, claimed=claimed)
    session.reserve()
    faulty.done, faulty.before, faulty.after = 0, frozenset(before), frozenset(after)
    try:
        take_back(session, absent=absent)
    except StoreUnavailable:
        assert counted(session) in (0, 1)
    faulty.heal()
    later = Session(session._ledger, session.caller)
    later.reserve()
    assert counted(session) == 1


def test_a_free_absence_that_is_refused_stays_counted() -> None:
    session = opened(Faulty())
    for _ in range(50):
        session.reserve()
        assert session.release_absence()
    session.reserve()
    assert not session.release_absence()
    assert (session.calls, session.quota.calls, counted(session)) == (1, 1, 1)


def test_a_release_that_fails_again_stays_unconfirmed() -> None:
    faulty = Faulty()
    sessions = [opened(faulty) for _ in range(2)]
    releases = sessions[0]._ledger.releases
    for session in sessions:
        session._ledger = sessions[0]._ledger
        session.reserve()
    faulty.before = frozenset(range(99))
    for session in sessions:
        with pytest.raises(StoreUnavailable):
            session.release()
    faulty.done, faulty.before = 0, frozenset({0})
    releases.confirm()
    assert (len(releases.unconfirmed), faulty.done) == (2, 1)
    releases.confirm()
    assert [counted(session) for session in sessions] == [0, 0]


@pytest.mark.parametrize(("claimed", "left"), [(False, 0), (True, 3)])
def test_the_48_keeps_calls_of_a_request_whose_release_was_not_confirmed(claimed, left) -> None:
    """How many of the request's calls were released is unknown."""
    faulty, site = Faulty(), f"site {claimed}"
    session = Session(Ledger(faulty, 20, Clock()), Caller(DEMO, "x", f"address {claimed}", site))
    if claimed:
        session.identify("key", b"request")
    session.reserve(3)
    faulty.done, faulty.after = 0, frozenset({int(claimed)})
    session.release()
    assert [sum(STORE.demo_calls(holder).values()) for holder in session.caller[2:]] == [0, left]


def test_an_absence_that_another_attempt_counted_is_left_to_it() -> None:
    first = opened(Faulty(), claimed=True)
    again = Session(first._ledger, first.caller)
    again.identify("key", b"request")
    for attempt in (first, again):
        attempt.reserve(2)
    assert again.release_absence()
    assert (again.calls, counted(again)) == (1, 2)
    assert again._reservation.calls == 0

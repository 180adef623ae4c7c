"""Calls are released exactly once after faults before or after any operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from tests.conftest import Clock
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
    assert account is not None
    return sum(account.calls.values())


def take_back(session: Session, *, absent: bool) -> None:
    if absent:
        session.release_absence()
    else:
        session.release()


@pytest.mark.parametrize("claimed", [False, True])
@pytest.mark.parametrize("absent", [False, True])
@pytest.mark.parametrize("fault", ["before", "after"])
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

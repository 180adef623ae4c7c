"""A session counts once and checks its key."""

import pytest

from brskills_server.accounts.errors import InvalidKey
from brskills_server.metering.session import Session


@pytest.fixture
def session(accounts, ledger) -> Session:
    return Session(ledger, accounts.identify(accounts.open("free").api_key)[0])


def test_a_released_call_is_not_counted_and_is_released_once(session) -> None:
    session.reserve()
    session.reserve()
    session.release()
    session.release()
    assert session.quota is None
    assert session.usage()[0].calls == 1


def test_the_quota_is_known_if_nothing_was_counted(session) -> None:
    assert session.reserve(100) == 100
    later = Session(session._ledger, session.caller)
    assert later.reserve(2, partial=True) == 0
    later.release(0)
    assert later.quota is not None
    assert later.quota.remaining == 0


def test_an_answer_needs_an_active_key(session, accounts) -> None:
    session.ensure_checked()
    other = Session(session._ledger, session.caller)
    accounts.revoke(session.caller)
    with pytest.raises(InvalidKey):
        other.ensure_checked()


@pytest.mark.parametrize("check", ["reserve", "usage", "mark_checked", "ensure_checked"])
def test_a_key_is_checked_once(session, accounts, check) -> None:
    getattr(session, check)()
    accounts.revoke(session.caller)
    session.ensure_checked()


@pytest.mark.parametrize("check", ["reserve", "usage"])
def test_a_key_that_ended_is_refused(session, accounts, check) -> None:
    accounts.revoke(session.caller)
    with pytest.raises(InvalidKey):
        getattr(session, check)()


def test_only_a_repetition_of_an_answered_request_was_answered(session) -> None:
    answered = []
    for _ in range(2):
        attempt = Session(session._ledger, session.caller)
        attempt.identify("key", b"request")
        assert attempt.reserve(2) == 2
        answered.append(attempt.was_answered)
        attempt.settle()
    assert answered == [False, True]


def test_nothing_was_counted_before_the_first_reservation(session) -> None:
    assert (session.calls, session.counted_before) == (0, 0)

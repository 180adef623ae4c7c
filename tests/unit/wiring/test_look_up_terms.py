"""On which terms a request looks companies up."""

from __future__ import annotations

from typing import Any

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.paid_share import PaidShares
from brskills_server.metering.repetitions import RepeatAttempts
from brskills_server.metering.session import Session
from brskills_server.registry.query import Query
from brskills_server.registry.store import StoreFault
from brskills_server.runtime.look_up_terms import with_terms
from tests.services.store import in_memory

PLANS = frozenset({"pro", "enterprise"})


class Bench:
    """An account with its ledger, and the terms of its requests."""

    def __init__(self, plan: str = "pro", per_day: int = 20) -> None:
        self.store: Any = in_memory()
        accounts = Accounts(self.store, None)
        self.ledger = Ledger(self.store, 20)
        self.caller = accounts.identify(accounts.open(plan).api_key)[0]
        self.shares = PaidShares(self.store, PLANS, per_day)

    def session(self, calls: int = 1, key: str | None = None) -> Session:
        session = Session(self.ledger, self.caller)
        if key:
            session.identify(key, b"request")
        if calls:
            session.reserve(calls)
        return session

    def terms(self, session: Session) -> Query:
        return with_terms(Query("11222333000181"), session, self.shares, RepeatAttempts(self.store))


@pytest.mark.parametrize(("plan", "pays"), [("free", False), ("pro", True), ("enterprise", True)])
def test_plans_that_pay_have_a_payer(plan: str, pays: bool) -> None:
    bench = Bench(plan)
    terms = bench.terms(bench.session())
    assert (terms.payer is not None, terms.repetition) == (pays, None)


def test_two_requests_of_an_account_have_the_same_payer_and_one_share() -> None:
    bench = Bench()
    first, second = (bench.terms(bench.session()).payer for _ in range(2))
    assert first == second
    assert first is not None
    assert [first.claim_share() for _ in range(3)] == [True, True, False]


def test_what_costs_nothing_pays_for_nothing() -> None:
    bench = Bench()
    for terms in (bench.terms(bench.session(0)), Bench(per_day=0).terms(Bench().session())):
        assert (terms.payer, terms.repetition) == (None, None)


def test_a_store_that_is_away_is_the_registrys_fault_of_a_store(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    payer = bench.terms(bench.session()).payer

    def away(*_: Any) -> Any:
        raise StoreUnavailable("gone")

    monkeypatch.setattr(bench.store, "count_in_window", away)
    assert payer is not None
    with pytest.raises(StoreFault):
        payer.claim_share()


def test_a_repetition_does_not_pay_and_asks_once_a_minute_where_nothing_is_stored() -> None:
    bench = Bench()
    bench.session(key="a").settle()
    allowed = []
    for _ in range(3):
        terms = bench.terms(bench.session(key="a"))
        repetition = terms.repetition
        assert terms.payer is None
        assert repetition is not None
        assert not repetition.is_pending
        allowed += [repetition.may_ask() for _ in range(2)]  # of a batch: all of its companies
    assert allowed == [True, True, False, False, False, False]


def test_after_a_first_that_was_never_answered_one_repetition_a_minute_asks() -> None:
    bench = Bench()
    bench.session(key="a")
    repetitions = [bench.terms(bench.session(key="a")).repetition for _ in range(2)]
    assert all(repetition is not None and repetition.is_pending for repetition in repetitions)
    assert [repetition.may_ask() for repetition in repetitions if repetition] == [True, False]


def test_of_a_batch_as_many_companies_may_be_asked_for_as_are_newly_counted() -> None:
    bench = Bench()
    bench.session(3, key="a")
    assert bench.terms(bench.session(3, key="a")).repetition.may_ask()  # the minute's attempt
    repetition = bench.terms(bench.session(5, key="a")).repetition
    assert [repetition.may_ask() for _ in range(4)] == [True, True, False, False]

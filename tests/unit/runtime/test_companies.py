"""Look-ups of companies: the terms that a request gives them, and what is recorded."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from brskills_server.metering.window_limits import PaidShares, RepeatAttempts
from brskills_server.registry.answer import Answer
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.query import Query
from brskills_server.registry.snapshot.histories import Histories
from brskills_server.registry.store import StoreFault
from brskills_server.runtime.companies import Companies, record_attempt
from brskills_server.skills.skill import unsupported
from brskills_server.telemetry.figures import COMPANIES, COMPANY_AGE, PROVIDER_SECONDS, PROVIDERS
from tests.fakes.figures import remembered
from tests.services.store import in_memory

NUMBER = "11222333000181"
NO_HISTORIES = Histories(None, unsupported)
PLANS = frozenset({"pro", "enterprise"})


class Known:
    """``Registry`` that answers everything alike."""

    def __init__(self, found: Answer | Exception) -> None:
        self.found = found
        self.asked: list[Query] = []

    def look_up(self, query: Query) -> Answer:
        self.asked.append(query)
        if isinstance(self.found, Exception):
            raise self.found
        return self.found

    def look_up_many(self, queries: list[Query]) -> list[Answer | Exception]:
        self.asked += queries
        return [self.found for _ in queries]


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
        """The query that reaches the registry."""
        return self.terms_of_batch(session, 1)[0]

    def terms_of_batch(self, session: Session, companies: int) -> list[Query]:
        """The queries that reach the registry."""
        registry = Known(Answer("{}", 0, 0))
        found = Companies(registry, self.shares, RepeatAttempts(self.store), NO_HISTORIES)
        found.find_companies([Query(f"{NUMBER}{n}") for n in range(companies)], session)
        return registry.asked


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
        for terms in bench.terms_of_batch(bench.session(key="a"), 2):
            assert terms.payer is None
            assert terms.repetition is not None
            assert not terms.repetition.is_pending
            allowed.append(terms.repetition.may_ask())
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
    batch = bench.terms_of_batch(bench.session(5, key="a"), 4)
    assert [terms.repetition.may_ask() for terms in batch] == [True, True, False, False]


def answer(age: int, **how: bool) -> Answer:
    return Answer("{}", 1000 - age, 1000, **how)


@pytest.mark.parametrize(
    ("number", "found", "served", "ages"),
    [
        (NUMBER, answer(0, live=True), "live", [0]),
        (NUMBER, answer(0), "stored", [0]),
        (NUMBER, answer(900, stale=True), "stale", [900]),
        (NUMBER, CompanyNotFound(confirmed=True, data_base=None), "absent", []),
        (NUMBER, CompanyNotFound(confirmed=False, data_base=None), "unconfirmed", []),
        (NUMBER, SourcesUnavailable(5), "unavailable", []),
        (NUMBER, SourcesUnavailable(5, nothing_failed=True), "unmet", []),
        (NUMBER, ZeroDivisionError(), "failed", []),
        ("SANDBOX6000100", answer(900, stale=True), "sandbox", []),
        ("SANDBOX5000158", SourcesUnavailable(5), "sandbox", []),
    ],
)
def test_a_look_up_is_recorded_by_the_source_of_its_answer(
    number: str, found: Answer | Exception, served: str, ages: list[float]
) -> None:
    bench = Bench()
    companies = Companies(Known(found), bench.shares, RepeatAttempts(bench.store), NO_HISTORIES)
    with remembered() as recorder:
        assert companies.find_companies([Query(number)], bench.session()) == [found]
        with suppress(type(found) if isinstance(found, Exception) else ()):
            assert companies.find_company(Query(number), bench.session()) is found
    assert recorder.of(COMPANIES) == {(served,): 2}
    assert recorder.values == ({(COMPANY_AGE.name, served): ages * 2} if ages else {})


def test_an_attempt_is_recorded_with_its_time_if_there_was_one() -> None:
    with remembered() as recorder:
        record_attempt("opencnpj", "found", 0.25)
        record_attempt("opencnpj", "skipped", None)
    assert recorder.of(PROVIDERS) == {("opencnpj", "found"): 1, ("opencnpj", "skipped"): 1}
    assert recorder.values == {(PROVIDER_SECONDS.name, "opencnpj", "found"): [0.25]}

"""When a look-up counts: reserved before, given back when nothing was found out."""

from __future__ import annotations

from typing import Any

import pytest

from access import Accounts, Ledger, QuotaExceeded, Session, StoreUnavailable
from adapters.memory import MemoryAccess
from registry import Answer, CompanyNotFound, SourcesUnavailable
from registry.company import Record
from skills import company
from web import InvalidFields, Problem

PETROBRAS = "33000167000101"
FOUND = Answer("{}", Record.model_construct(), asked_at=0, now=0)


@pytest.fixture
def session(accounts: Accounts, ledger: Ledger) -> Session:
    return Session(ledger, accounts.identify(accounts.open("free").api_key)[0])


def counted(session: Session, ledger: Ledger) -> int:
    return ledger.usage(session.caller)[0].calls


def finding(outcome: Any) -> Any:
    def find(cnpj: str, max_age: int | None) -> Answer:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    return find


def test_a_found_company_counts(session: Session, ledger: Ledger) -> None:
    assert company.look_up({"cnpj": PETROBRAS}, session, finding(FOUND)) is FOUND
    assert counted(session, ledger) == 1
    assert session.quota is not None


@pytest.mark.parametrize(
    ("outcome", "code", "calls"),
    [
        (CompanyNotFound(confirmed=True, data_base="2026-11-01"), "company_not_found", 1),
        (CompanyNotFound(confirmed=False, data_base=None), "company_not_found", 0),
        (SourcesUnavailable(7), "sources_unavailable", 0),
    ],
)
def test_only_what_was_found_out_counts(
    session: Session, ledger: Ledger, outcome: Exception, code: str, calls: int
) -> None:
    with pytest.raises(Problem) as problem:
        company.look_up({"cnpj": PETROBRAS}, session, finding(outcome))
    assert problem.value.code == code
    assert counted(session, ledger) == calls
    assert ("X-RateLimit-Limit" in problem.value.headers) == bool(calls)


@pytest.mark.parametrize("outcome", [ZeroDivisionError(), KeyboardInterrupt()])
def test_a_failure_of_ours_is_given_back(session: Session, ledger: Ledger, outcome: BaseException) -> None:
    with pytest.raises(type(outcome)):
        company.look_up({"cnpj": PETROBRAS}, session, finding(outcome))
    assert counted(session, ledger) == 0


@pytest.mark.parametrize("cnpj", ["33000167000102", "1", 1.5, None, [], ""])
def test_a_number_that_is_none_is_neither_looked_up_nor_counted(
    session: Session, ledger: Ledger, cnpj: Any
) -> None:
    with pytest.raises(InvalidFields):
        company.look_up({"cnpj": cnpj}, session, finding(AssertionError("asked")))
    assert counted(session, ledger) == 0


def test_the_sandbox_is_not_counted(session: Session, ledger: Ledger) -> None:
    company.look_up({"cnpj": "SANDBOX1000170"}, session, finding(FOUND))
    assert counted(session, ledger) == 0
    assert session.quota is None


def test_a_used_up_month_is_not_looked_up(session: Session, ledger: Ledger) -> None:
    for _ in range(100):
        ledger.reserve(session.caller)
    with pytest.raises(QuotaExceeded):
        company.look_up({"cnpj": PETROBRAS}, session, finding(AssertionError("asked")))


def test_when_the_store_fails_before_the_giving_back_the_call_stays_counted_and_the_answer_is_503(
    session: Session, ledger: Ledger, store: MemoryAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(cnpj: str, max_age: int | None) -> Answer:
        monkeypatch.setattr(store, "release_call", unavailable)
        raise SourcesUnavailable(7)

    def unavailable(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable("gone")

    with pytest.raises(StoreUnavailable):
        company.look_up({"cnpj": PETROBRAS}, session, find)
    monkeypatch.undo()
    assert counted(session, ledger) == 1

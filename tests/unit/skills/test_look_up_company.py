"""When a look-up counts: reserved before, released when nothing was found out."""

from decimal import Decimal
from typing import Any

import pytest

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from brskills_server.registry.answer import Answer
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.query import Freshness, Query
from brskills_server.skills.cnpj.look_up_company import LOOK_UP_COMPANY
from brskills_server.skills.errors import ApiError, InvalidRequest
from brskills_server.skills.perform import perform
from brskills_server.skills.skill import Call
from brskills_server.web.problems import content_of, problem_of

PETROBRAS = "33000167000101"
FOUND: Any = object()


def counted(session: Session, ledger: Ledger) -> int:
    return ledger.usage(session.caller)[0].calls


def look_up(content: dict[str, Any], session: Session, find: Any) -> Answer:
    return perform(LOOK_UP_COMPANY, content, Call(session, "pt", find), lambda found: found)


def finding(outcome: Any) -> Any:
    def find(query: Query) -> Answer:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    return find


@pytest.mark.parametrize(
    ("cnpj", "outcome", "code", "calls"),
    [
        (PETROBRAS, FOUND, "", 1),
        ("SANDBOX1000170", FOUND, "", 0),
        (PETROBRAS, CompanyNotFound(True, "2026-11-01"), "company_not_found", 1),
        (PETROBRAS, CompanyNotFound(False, None), "company_not_found:unconfirmed", 0),
        (PETROBRAS, SourcesUnavailable(7), "sources_unavailable", 0),
        (PETROBRAS, CompanyNotFound(False, None, paid=True), "company_not_found:paid", 1),
        (PETROBRAS, SourcesUnavailable(7, nothing_failed=True, paid=True), "sources_unavailable:paid", 1),
    ],
)
def test_a_found_company_a_confirmed_absence_and_a_paid_source_count(
    session: Session, ledger: Ledger, cnpj: str, outcome: Any, code: str, calls: int
) -> None:
    if outcome is FOUND:
        assert look_up({"cnpj": cnpj}, session, finding(outcome)) is FOUND
        assert (session.quota is not None) == bool(calls)
    else:
        with pytest.raises(ApiError) as caught:
            look_up({"cnpj": cnpj}, session, finding(outcome))
        assert caught.value.code + caught.value.wording == code
        problem = problem_of(caught.value)
        assert problem
        assert ("X-RateLimit-Remaining" in problem.headers) == bool(calls)
        words = {"pt": "foi contada", "en": "was counted"} if code.endswith(":paid") else {}
        assert all(word in content_of(problem, "r", language)["detail"] for language, word in words.items())
    assert counted(session, ledger) == calls


@pytest.mark.parametrize(
    ("demand", "lasting", "wording"),
    [
        ({"idade_dados_maxima": 1}, True, ":old"),
        ({"idade_dados_maxima": 1}, False, ":unmet"),
        ({"idade_maxima": 1}, True, ":lasting"),
        ({}, True, ":lasting"),
    ],
)
def test_an_unmet_demand_says_whether_repeating_it_today_helps(
    session: Session, demand: dict[str, int], lasting: bool, wording: str
) -> None:
    failure = SourcesUnavailable(5, nothing_failed=True, lasting=lasting)
    with pytest.raises(ApiError) as caught:
        look_up({"cnpj": PETROBRAS, **demand}, session, finding(failure))
    assert (caught.value.wording, caught.value.retry_after) == (wording, 86_400 if lasting else 5)


def test_an_unconfirmed_absence_counts_once_the_months_free_ones_are_used_up(
    session: Session, ledger: Ledger
) -> None:
    absent = finding(CompanyNotFound(confirmed=False, data_base=None))
    wordings = []
    for _ in range(52):
        with pytest.raises(ApiError) as caught:
            look_up({"cnpj": PETROBRAS}, Session(ledger, session.caller), absent)
        assert caught.value.details["confirmado"] is False
        assert (caught.value.quota is not None) == (caught.value.wording == ":counted")
        wordings.append(caught.value.wording)
    assert wordings == [":unconfirmed"] * 50 + [":counted"] * 2
    assert counted(session, ledger) == 2


def test_an_absent_sandbox_company_uses_up_nothing(session: Session, ledger: Ledger) -> None:
    absent = finding(CompanyNotFound(confirmed=False, data_base=None))
    for _ in range(60):
        with pytest.raises(ApiError) as caught:
            look_up({"cnpj": "SANDBOX4000103"}, Session(ledger, session.caller), absent)
        assert caught.value.wording == ":unconfirmed"
    assert counted(session, ledger) == 0


@pytest.mark.parametrize("cnpj", ["33000167000102", "1", 1.5, None, [], ""])
def test_an_invalid_cnpj_is_neither_looked_up_nor_counted(
    session: Session, ledger: Ledger, cnpj: Any
) -> None:
    with pytest.raises(InvalidRequest):
        look_up({"cnpj": cnpj}, session, finding(AssertionError("asked")))
    assert counted(session, ledger) == 0


@pytest.mark.parametrize("other", [{"z": 1}, {"idade_maxima": "x"}])
@pytest.mark.parametrize("cnpj", ["33000167000101", 33000167000101, Decimal("33000167000101.0")])
def test_a_valid_number_does_not_hide_the_issue_of_another_field(
    session: Session, cnpj: Any, other: dict[str, Any]
) -> None:
    with pytest.raises(InvalidRequest) as caught:
        look_up({"cnpj": cnpj, **other}, session, finding(AssertionError("asked")))
    assert [issue.field for issue in caught.value.fields] == list(other)


@pytest.mark.parametrize(
    ("fields", "demand"),
    [
        ({}, Freshness()),
        ({"idade_maxima": 60, "idade_dados_maxima": None}, Freshness(60, None)),
        ({"idade_dados_maxima": 0}, Freshness(None, 0)),
        ({"idade_maxima": 0, "idade_dados_maxima": Decimal("7.0")}, Freshness(0, 7)),
    ],
)
def test_the_freshness_of_a_query(session: Session, fields: dict[str, Any], demand: Freshness) -> None:
    asked = []
    look_up({"cnpj": PETROBRAS, **fields}, session, lambda query: asked.append(query) or FOUND)
    assert asked == [Query(PETROBRAS, demand)]


def test_a_call_stays_counted_if_the_store_fails_before_its_release(
    session: Session, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(query: Query) -> Answer:
        monkeypatch.setattr(ledger.releases, "apply", unavailable)
        raise SourcesUnavailable(7)

    def unavailable(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable("gone")

    with pytest.raises(StoreUnavailable):
        look_up({"cnpj": PETROBRAS}, session, find)
    monkeypatch.undo()
    assert counted(session, ledger) == 1


def test_an_absence_that_was_counted_is_counted_when_it_is_repeated(session: Session, ledger: Ledger) -> None:
    absent = finding(CompanyNotFound(confirmed=False, data_base=None))
    for _ in range(50):
        with pytest.raises(ApiError):
            look_up({"cnpj": PETROBRAS}, Session(ledger, session.caller), absent)
    for replayed in (False, True):
        call = Call(Session(ledger, session.caller), "pt", absent, repeat_key="a")
        with pytest.raises(ApiError) as caught:
            perform(LOOK_UP_COMPANY, {"cnpj": PETROBRAS}, call, lambda found: found)
        assert (caught.value.wording, caught.value.replayed) == (":counted", replayed)
    assert counted(session, ledger) == 1

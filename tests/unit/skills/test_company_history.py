"""When a company's history counts, and what is answered in its place."""

from __future__ import annotations

from typing import Any

import pytest

from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.store import StoreFault
from brskills_server.skills.cnpj.company_history import COMPANY_HISTORY
from brskills_server.skills.errors import ApiError, InvalidRequest, classify
from brskills_server.skills.perform import perform
from brskills_server.skills.skill import Call, unsupported
from brskills_server.web.problems import problem_of

PETROBRAS = "33000167000101"
FOUND: dict[str, Any] = {"cnpj": PETROBRAS, "desde": "2026-09-12", "data_base": "2026-10-10", "mudancas": []}


def ask(content: dict[str, Any], session: Session, outcome: Any = FOUND) -> dict[str, Any]:
    asked: list[str] = []

    def find(cnpj: str) -> Any:
        asked.append(cnpj)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    call = Call(session, "pt", unsupported, find_history=find)
    found: dict[str, Any] = perform(COMPANY_HISTORY, content, call, lambda answer: answer)
    assert asked == [PETROBRAS]
    return found


@pytest.mark.parametrize("number", [PETROBRAS, "33.000.167/0001-01", 33000167000101])
def test_an_answer_counts_one_call_whatever_it_says(session: Session, ledger: Ledger, number: Any) -> None:
    assert ask({"cnpj": number}, session) == FOUND
    assert ledger.usage(session.caller)[0].calls == 1


@pytest.mark.parametrize(
    ("outcome", "code", "outcome_class", "retry_after"),
    [
        (CompanyNotFound(False, "2026-10-10"), "company_not_found:no_copy", "answered", None),
        (None, "copy_unavailable", "answered", 3600),
        (SourcesUnavailable(30, nothing_failed=True), "copy_unavailable:failed", "answered", 30),
        (StoreFault("away"), "copy_unavailable:failed", "failed", 5),
        (ValueError("damaged"), "copy_unavailable:failed", "failed", 5),
    ],
)
def test_what_is_not_answered_is_not_counted(
    session: Session,
    ledger: Ledger,
    outcome: Exception | None,
    code: str,
    outcome_class: str,
    retry_after: int | None,
) -> None:
    with pytest.raises(ApiError) as raised:
        ask({"cnpj": PETROBRAS}, session, outcome)
    error = raised.value
    assert (error.code + error.wording, classify(error), error.retry_after) == (
        code,
        outcome_class,
        retry_after,
    )
    assert problem_of(error)
    if isinstance(outcome, CompanyNotFound):
        assert error.details == {"confirmado": False, "data_base": "2026-10-10"}
    assert ledger.usage(session.caller)[0].calls == 0


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ({}, {"cnpj": "required"}),
        ({"cnpj": "1", "idade_maxima": 1}, {"cnpj": "invalid_cnpj", "idade_maxima": "unknown_field"}),
        ({"cnpj": "33000167000102"}, {"cnpj": "invalid_check_digits"}),
    ],
)
def test_every_faulty_field_is_named(
    session: Session, content: dict[str, Any], fields: dict[str, str]
) -> None:
    with pytest.raises(InvalidRequest) as raised:
        ask(content, session)
    assert {one.field: one.code for one in raised.value.fields} == fields

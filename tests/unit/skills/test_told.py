"""What is told of each call: its skill, the plan that the ledger named, and what became of it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from brskills_server.accounts.account import Caller
from brskills_server.accounts.errors import InvalidKey, StoreUnavailable
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.freshness import Freshness
from brskills_server.skills.account.get_usage import GET_USAGE
from brskills_server.skills.cnpj.look_up_company import LOOK_UP_COMPANY
from brskills_server.skills.errors import ApiError
from brskills_server.skills.outcomes import track_request
from brskills_server.skills.pix.create_pix_code import CREATE_PIX_CODE
from brskills_server.skills.pix.decode_pix_code import DECODE_PIX_CODE
from brskills_server.skills.skill import Call, Skill, perform
from brskills_server.telemetry.availability import Calls
from brskills_server.telemetry.figures import CALLS
from tests.fakes.figures import remembered

CHARGE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Loja", "cidade": "Recife"}
COMPANY = {"cnpj": "33000167000101"}


def told(skill: Skill, content: dict[str, Any], session: Session, find: Any = None, times: int = 1) -> Any:
    """What is told of some calls, without the skill's name, which is always the one that was called."""

    def not_asked(cnpj: str, demand: Freshness) -> Any:
        raise find

    with remembered() as recorder:
        for _ in range(times):
            try:
                perform(skill, content, Call(session, "pt", not_asked), lambda found: found)
            except Exception:  # noqa: S112, what is told of it is looked at below
                continue
    assert {labels[0] for labels in recorder.of(CALLS)} == {skill.name}
    return {labels[1:]: counted for labels, counted in recorder.of(CALLS).items()}


@pytest.fixture
def session(accounts, ledger) -> Session:
    caller, _ = accounts.identify(accounts.open("pro").api_key)
    return Session(ledger, caller)


def test_a_counted_and_a_free_answer(session: Session) -> None:
    assert told(CREATE_PIX_CODE, CHARGE, session) == {("pro", "counted"): 1}


def test_a_free_skill(session: Session) -> None:
    assert told(DECODE_PIX_CODE, {"brcode": "000201"}, session) == {("unknown", "free"): 1}


def test_a_refused_request(session: Session) -> None:
    assert told(CREATE_PIX_CODE, {}, session) == {("unknown", "refused"): 1}


@pytest.mark.parametrize(
    ("found", "outcome"),
    [
        (CompanyNotFound(confirmed=True, data_base=None), "counted"),
        (CompanyNotFound(confirmed=False, data_base=None), "free"),
        (SourcesUnavailable(5), "failed"),
        (SourcesUnavailable(5, repeated=True), "refused"),
        (ZeroDivisionError(), "failed"),
    ],
)
def test_a_look_up_that_found_nothing(session: Session, found: Exception, outcome: str) -> None:
    assert told(LOOK_UP_COMPANY, COMPANY, session, found) == {("pro", outcome): 1}


def due(skill: Skill, content: dict[str, Any], session: Session, find: Any = None) -> tuple[int, int]:
    """What is due of a call, and how much of that failed."""

    def not_asked(cnpj: str, demand: Freshness) -> Any:
        raise find

    calls = Calls()
    with suppress(Exception), track_request(calls, skill.part):
        perform(skill, content, Call(session, "pt", not_asked, calls=calls), lambda found: found)
    return calls.due, calls.failed


@pytest.mark.parametrize(
    ("skill", "content", "found", "expected"),
    [
        (CREATE_PIX_CODE, CHARGE, None, (1, 0)),
        (CREATE_PIX_CODE, {}, None, (0, 0)),
        (DECODE_PIX_CODE, {"brcode": "000201"}, None, (1, 0)),
        (GET_USAGE, {}, None, (0, 0)),
        (LOOK_UP_COMPANY, COMPANY, CompanyNotFound(confirmed=True, data_base=None), (1, 0)),
        (LOOK_UP_COMPANY, COMPANY, CompanyNotFound(confirmed=False, data_base=None), (1, 0)),
        (LOOK_UP_COMPANY, COMPANY, SourcesUnavailable(5), (1, 1)),
        (LOOK_UP_COMPANY, COMPANY, SourcesUnavailable(5, nothing_failed=True), (1, 0)),
        (LOOK_UP_COMPANY, COMPANY, ZeroDivisionError(), (1, 1)),
    ],
)
def test_what_was_due_an_answer(
    session: Session, skill: Skill, content: dict[str, Any], found: Any, expected: tuple[int, int]
) -> None:
    assert due(skill, content, session, found) == expected


@pytest.mark.parametrize(
    ("error", "before", "after"),
    [
        (StoreUnavailable("away"), (0, 0), (1, 1)),  # while it was asked whose key this is
        (StoreUnavailable("away"), (1, 0), (1, 1)),  # after a free answer: is the key still active?
        (StoreUnavailable("away"), (60, 3), (63, 63)),
        (InvalidKey(), (1, 0), (0, 0)),
        (ApiError("missing_api_key"), (0, 0), (0, 0)),
        (ApiError("company_not_found"), (1, 0), (1, 0)),
    ],
)
def test_what_ends_a_request_is_what_its_calls_came_to(
    error: Exception, before: tuple[int, int], after: tuple[int, int]
) -> None:
    calls = Calls()
    with suppress(type(error)), track_request(calls, "pix"):
        calls.tell("pix", *before)
        raise error
    assert (calls.due, calls.failed) == after


def test_an_accounts_own_business_is_not_counted_however_it_ends() -> None:
    calls = Calls()
    with suppress(StoreUnavailable), track_request(calls, GET_USAGE.part):
        raise StoreUnavailable("away")
    assert calls.due == 0


def test_a_used_up_month_and_a_key_that_has_ended(accounts, ledger, store) -> None:
    issued = accounts.open("free")
    caller, _ = accounts.identify(issued.api_key)
    store.set_plan(issued.account, "free", 2)
    session = Session(ledger, caller)
    assert told(CREATE_PIX_CODE, CHARGE, session, times=3) == {
        ("free", "counted"): 2,
        ("free", "refused"): 1,
    }
    unknown = Session(ledger, Caller("acc_unknown", "k"))
    assert told(CREATE_PIX_CODE, CHARGE, unknown) == {("unknown", "refused"): 1}


def test_a_store_that_is_out_of_reach(store) -> None:
    class Away:
        def reserve_calls(self, *_: Any) -> None:
            raise StoreUnavailable("away")

    session = Session(Ledger(Away(), 20), Caller("acc_1", "k"))  # type: ignore[arg-type]
    assert told(CREATE_PIX_CODE, CHARGE, session) == {("unknown", "failed"): 1}

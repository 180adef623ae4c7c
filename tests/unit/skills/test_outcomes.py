"""The outcome of calls: as a metric by skill and plan, and as availability counts it."""

from typing import Any

import pytest

from brskills_server.accounts.account import Caller
from brskills_server.accounts.errors import InvalidKey, StoreUnavailable
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.query import Query
from brskills_server.skills.account.get_usage import GET_USAGE
from brskills_server.skills.cnpj.look_up_company import LOOK_UP_COMPANY
from brskills_server.skills.errors import ApiError, classify
from brskills_server.skills.perform import perform
from brskills_server.skills.pix.create_pix_code import CREATE_PIX_CODE
from brskills_server.skills.pix.decode_pix_code import DECODE_PIX_CODE
from brskills_server.skills.skill import Call, Skill
from brskills_server.telemetry.figures import CALLS
from brskills_server.telemetry.outcome import CallOutcome, record_outcome
from tests.fakes.figures import remembered

CHARGE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Loja", "cidade": "Recife"}
COMPANY = {"cnpj": "33000167000101"}


def called(skill: Skill, content: dict[str, Any], session: Session, find: Any = None) -> CallOutcome:
    """The outcome of a request, ended as the application ends it."""

    def look_up(_query: Query) -> Any:
        raise find

    outcome = CallOutcome(skill.part)
    try:
        perform(skill, content, Call(session, "pt", look_up, outcome=outcome), lambda found: found)
    except Exception as error:
        outcome.end_with(classify(error))
    return outcome


def counted(skill: Skill, content: dict[str, Any], session: Session, find: Any = None, times: int = 1) -> Any:
    """The metric of some calls by plan and outcome."""
    with remembered() as recorder:
        for _ in range(times):
            record_outcome(called(skill, content, session, find), None)
    assert {labels[0] for labels in recorder.of(CALLS)} == {skill.name}
    return {labels[1:]: number for labels, number in recorder.of(CALLS).items()}


@pytest.fixture
def session(accounts, ledger) -> Session:
    caller, _ = accounts.identify(accounts.open("pro").api_key)
    return Session(ledger, caller)


def test_a_free_skill(session: Session) -> None:
    assert counted(DECODE_PIX_CODE, {"brcode": "000201"}, session) == {("unknown", "free"): 1}


def test_a_refused_request(session: Session) -> None:
    assert counted(CREATE_PIX_CODE, {}, session) == {("unknown", "refused"): 1}


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
    assert counted(LOOK_UP_COMPANY, COMPANY, session, found) == {("pro", outcome): 1}


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
def test_the_calls_that_availability_counts(
    session: Session, skill: Skill, content: dict[str, Any], found: Any, expected: tuple[int, int]
) -> None:
    outcome = called(skill, content, session, found)
    assert (outcome.answered + outcome.failed, outcome.failed) == expected


@pytest.mark.parametrize(
    ("error", "before", "after"),
    [
        (StoreUnavailable("away"), (0, 0), (1, 1)),  # while it was asked whose key this is
        (StoreUnavailable("away"), (1, 0), (1, 1)),  # after a free answer: is the key still active?
        (StoreUnavailable("away"), (63, 3), (63, 63)),
        (InvalidKey(), (1, 0), (0, 0)),
        (ApiError("missing_api_key"), (0, 0), (0, 0)),
        (ApiError("company_not_found"), (1, 0), (1, 0)),
    ],
)
def test_the_end_of_a_request_overrides_the_calls_in_it(
    error: Exception, before: tuple[int, int], after: tuple[int, int]
) -> None:
    calls, failed = before
    outcome = CallOutcome("pix", answered=calls - failed, failed=failed)
    outcome.end_with(classify(error))
    assert (outcome.answered + outcome.failed, outcome.failed) == after


def test_an_accounts_own_business_is_not_counted_however_it_ends() -> None:
    outcome = CallOutcome(GET_USAGE.part)
    outcome.end_with(classify(StoreUnavailable("away")))
    assert outcome == CallOutcome("")


def test_a_used_up_month_and_a_key_that_has_ended(accounts, ledger, store) -> None:
    issued = accounts.open("free")
    caller, _ = accounts.identify(issued.api_key)
    store.set_plan(issued.account, "free", 2)
    session = Session(ledger, caller)
    assert counted(CREATE_PIX_CODE, CHARGE, session, times=3) == {
        ("free", "counted"): 2,
        ("free", "refused"): 1,
    }
    unknown = Session(ledger, Caller("acc_unknown", "k"))
    assert counted(CREATE_PIX_CODE, CHARGE, unknown) == {("unknown", "refused"): 1}


def test_a_store_that_is_out_of_reach(store) -> None:
    class Away:
        def reserve_calls(self, *_: Any) -> None:
            raise StoreUnavailable("away")

    session = Session(Ledger(Away(), 20), Caller("acc_1", "k"))  # type: ignore[arg-type]
    assert counted(CREATE_PIX_CODE, CHARGE, session) == {("unknown", "failed"): 1}

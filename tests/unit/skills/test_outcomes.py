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
from tests.for_each import for_each

CHARGE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Loja", "cidade": "Recife"}
COMPANY = {"cnpj": "33000167000101"}


def called(skill: Skill, content: dict[str, Any], session: Session, found: Any = None) -> CallOutcome:
    """The outcome of a request, ended as the application ends it."""

    def look_up(_query: Query) -> Any:
        raise found

    outcome = CallOutcome(skill.part)
    try:
        perform(skill, content, Call(session, "pt", look_up, outcome=outcome), lambda answer: answer)
    except Exception as error:
        outcome.end_with(classify(error))
    return outcome


def recorded(*outcomes: CallOutcome) -> dict[tuple[str, ...], int]:
    """The metric of calls by skill, plan and outcome."""
    with remembered() as recorder:
        for outcome in outcomes:
            record_outcome(outcome, None)
    return recorder.of(CALLS)


@pytest.mark.parametrize(
    ("skill", "content", "found", "metric", "available"),
    [
        (CREATE_PIX_CODE, CHARGE, None, ("free", "counted"), (1, 0)),
        (CREATE_PIX_CODE, {}, None, ("unknown", "refused"), (0, 0)),
        (DECODE_PIX_CODE, {"brcode": "000201"}, None, ("unknown", "free"), (1, 0)),
        (GET_USAGE, {}, None, ("unknown", "free"), (0, 0)),
        (LOOK_UP_COMPANY, COMPANY, CompanyNotFound(True, None), ("free", "counted"), (1, 0)),
        (LOOK_UP_COMPANY, COMPANY, CompanyNotFound(False, None), ("free", "free"), (1, 0)),
        (LOOK_UP_COMPANY, COMPANY, SourcesUnavailable(5), ("free", "failed"), (1, 1)),
        (LOOK_UP_COMPANY, COMPANY, SourcesUnavailable(5, repeated=True), ("free", "refused"), (0, 0)),
        (LOOK_UP_COMPANY, COMPANY, SourcesUnavailable(5, nothing_failed=True), ("free", "free"), (1, 0)),
        (LOOK_UP_COMPANY, COMPANY, ZeroDivisionError(), ("free", "failed"), (1, 1)),
    ],
)
def test_a_call_in_the_metric_and_in_availability(
    session: Session,
    skill: Skill,
    content: dict[str, Any],
    found: Any,
    metric: tuple[str, str],
    available: tuple[int, int],
) -> None:
    outcome = called(skill, content, session, found)
    assert recorded(outcome) == {(skill.name, *metric): 1}
    assert (outcome.answered + outcome.failed, outcome.failed) == available


@for_each(
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


def test_a_failure_of_a_part_that_availability_leaves_out() -> None:
    outcome = CallOutcome(GET_USAGE.part)
    outcome.end_with(classify(StoreUnavailable("away")))
    assert outcome == CallOutcome("")


def test_a_used_up_month_and_a_key_that_has_ended(accounts, ledger, store) -> None:
    issued = accounts.open("free")
    caller, _ = accounts.identify(issued.api_key)
    store.set_plan(issued.account, "free", 2)
    session = Session(ledger, caller)
    unknown = Session(ledger, Caller("acc_unknown", "k"))
    outcomes = [called(CREATE_PIX_CODE, CHARGE, each) for each in (session, session, session, unknown)]
    name = CREATE_PIX_CODE.name
    assert recorded(*outcomes) == {
        (name, "free", "counted"): 2,
        (name, "free", "refused"): 1,
        (name, "unknown", "refused"): 1,
    }


def test_an_unavailable_store(store) -> None:
    class Away:
        def reserve_calls(self, *_: Any) -> None:
            raise StoreUnavailable("away")

    session = Session(Ledger(Away(), 20), Caller("acc_1", "k"))  # type: ignore[arg-type]
    outcome = called(CREATE_PIX_CODE, CHARGE, session)
    assert recorded(outcome) == {(CREATE_PIX_CODE.name, "unknown", "failed"): 1}

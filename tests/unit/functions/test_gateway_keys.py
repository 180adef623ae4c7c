"""The schedule's function: a round, and a line in the log with numbers alone."""

import json
from typing import Any

import pytest

from brskills_server import telemetry
from brskills_server.accounts.dedicated_gateway_keys import Round
from brskills_server.accounts.errors import GatewayUnavailable, StoreUnavailable
from brskills_server.telemetry import record_with
from brskills_server.telemetry.figures import STORE_FAILURES
from tests.services.gateway import ROOT

EVENT = json.loads((ROOT / "events/gateway_keys.json").read_text())


class Schedule:
    """Rounds with given results."""

    def __init__(self) -> None:
        self.outcome: Round | Exception = Round()

    def run(self) -> Round:
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


@pytest.fixture
def schedule(monkeypatch: pytest.MonkeyPatch) -> Schedule:
    for name in ("GATEWAY_KEY_PREFIX", "PRO_USAGE_PLAN", "ENTERPRISE_USAGE_PLAN"):
        monkeypatch.setenv(name, "any")
    from functions.gateway_keys import app

    schedule = Schedule()
    monkeypatch.setattr(app, "gateway_keys", schedule)
    return schedule


def logged(caplog: pytest.LogCaptureFixture) -> dict[str, Any]:
    from functions.gateway_keys import app

    app.handler(EVENT, None)
    (record,) = caplog.records
    return vars(record)


@pytest.mark.parametrize(
    ("outcome", "level"),
    [(Round(made=2), "INFO"), (Round(failed=1), "WARNING"), (Round(waiting=1), "WARNING")],
)
def test_a_round_is_logged_and_louder_where_an_operator_should_look(schedule, caplog, outcome, level) -> None:
    schedule.outcome = outcome
    entry = logged(caplog)
    assert (entry["levelname"], entry["msg"], entry["made"]) == (level, "round", outcome.made)


@pytest.mark.parametrize(
    "failure", [StoreUnavailable("ReadTimeoutError"), GatewayUnavailable("TooManyRequestsException")]
)
def test_what_cannot_be_listed_is_logged_by_its_reason(schedule, caplog, failure) -> None:
    schedule.outcome = failure
    entry = logged(caplog)
    assert (entry["levelname"], entry["error"], entry["reason"]) == (
        "WARNING",
        type(failure).__name__,
        str(failure),
    )


def test_what_was_told_leaves_also_a_round_that_nobody_foresaw(schedule, monkeypatch, capsys) -> None:
    from brskills_server.adapters.cloudwatch import CloudWatchRecorder
    from functions.gateway_keys import app

    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "brskills")
    schedule.outcome = ZeroDivisionError()
    record_with(CloudWatchRecorder())
    try:
        telemetry.count(STORE_FAILURES, "access", "scan")
        with pytest.raises(ZeroDivisionError):
            app.handler(EVENT, None)
    finally:
        record_with(None)
    assert "store_failures_access" in capsys.readouterr().out

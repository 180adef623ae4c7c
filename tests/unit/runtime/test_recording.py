"""Figures go to CloudWatch from functions on AWS alone."""

from __future__ import annotations

import json

import pytest

from brskills_server import telemetry
from brskills_server.runtime.services import choose_recorder
from brskills_server.telemetry.figures import CALLS
from tests.fakes.figures import remembered

ON_AWS = {"AWS_LAMBDA_FUNCTION_NAME": "f", "POWERTOOLS_METRICS_NAMESPACE": "brskills"}


@pytest.mark.parametrize(("environment", "lines"), [(ON_AWS, 1), (dict([*ON_AWS.items()][:1]), 0)])
def test_on_aws_with_a_namespace_and_nowhere_else(
    environment: dict[str, str],
    lines: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with remembered() as before:
        choose_recorder(environment)
        telemetry.count(CALLS, "create_pix_code", "free", "counted")
        telemetry.flush()
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["calls_create_pix_code_counted"] for line in printed] == [[1.0]] * lines
    assert before.flushed == 1 - lines


def test_the_gateways_own_recorder_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    with remembered() as own:
        choose_recorder({"POWERTOOLS_METRICS_NAMESPACE": "brskills"})
        telemetry.count(CALLS, "create_pix_code", "free", "counted")
    assert own.of(CALLS) == {("create_pix_code", "free", "counted"): 1}

"""What the functions print: logs and metrics agree, and contain nothing of a caller."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from brskills_server.telemetry.metrics import NAMES
from tests.services.driven import CODE, KNOWN, OTHER, Driven
from tests.services.expanded import monitoring
from tests.services.monitoring import alarms

Line = dict[str, Any]


@pytest.fixture(scope="module")
def printed(driven: Driven) -> list[Line]:
    return driven.printed


@pytest.fixture(scope="module")
def metrics(printed: list[Line]) -> Counter[str]:
    """The sum of each counter, and the number of values of each duration."""
    found: Counter[str] = Counter()
    for line in printed:
        for name, unit in _metrics(line).items():
            found[name] += int(sum(line[name])) if unit == "Count" else len(line[name])
    return found


def _metrics(line: Line) -> dict[str, str]:
    directives = line.get("_aws", {}).get("CloudWatchMetrics", [])
    return {one["Name"]: one["Unit"] for directive in directives for one in directive["Metrics"]}


def _sum(metrics: Counter[str], pattern: str) -> int:
    return sum(number for name, number in metrics.items() if re.fullmatch(pattern, name))


def test_calls_in_metrics_are_those_in_the_log(printed: list[Line], metrics: Counter[str]) -> None:
    calls = [line for line in printed if line.get("message") == "call"]
    due, failed = (sum(line.get(fact, 0) for line in calls) for fact in ("calls", "failed"))
    assert due > 20
    assert failed > 3
    assert (metrics["due_calls_answered"], metrics["due_calls_failed"]) == (due - failed, failed)


def test_log_and_metrics_of_a_call_agree(printed: list[Line]) -> None:
    seen = 0
    for place, line in enumerate(printed):
        if line.get("message") != "call" or "status" not in line or line["route"].startswith("POST /mcp"):
            continue  # a tool's error is an answer with status 200
        following = printed[place + 1] if place + 1 < len(printed) else {}
        values = {**following, **following.get("dimensions", {})} if "_aws" in following else {}
        refused = {name: number for name, number in values.items() if name.startswith("refusals_")}
        if line.get("code"):
            assert refused.get(f"refusals_{line['code']}") in ([1.0], 1)
        else:
            assert refused == {}
        assert values.get("due_calls_failed", [0]) == [line.get("failed", 0)]
        seen += 1
    assert seen > 50


def test_counted_calls_are_the_ledgers(metrics: Counter[str]) -> None:
    # Releases that failed were applied: their answers were lost.
    given_back = _sum(metrics, "ledger_operations_release(_absence)?_(done|other)")
    assert _sum(metrics, "calls_.*_counted") == metrics["ledger_operations_reserve_done"] - given_back


def test_dimensions_add_up_to_the_metrics(printed: list[Line]) -> None:
    for line in printed:
        names = _metrics(line)
        for stem in ("calls", "refusals", "provider_attempts", "store_failures", "grant_operations"):
            summed = sum(
                number for name, number in line.get("dimensions", {}).items() if name.startswith(f"{stem}_")
            )
            own = [sum(line[name]) for name in names if name.startswith(stem)]
            assert summed <= sum(own)


def test_errors_that_callers_can_cause_are_counted_apart(printed: list[Line], metrics: Counter[str]) -> None:
    codes = {"sources_unavailable", "copy_unavailable"}
    refused = [line for line in printed if line.get("code") in codes]
    at_will = [line for line in refused if line["status"] == 503 and not line.get("failed")]
    unsold = [line for line in printed if line.get("reason") == "not configured"]
    assert (len(at_will) >= 2, len(unsold)) == (True, 1)  # a number that failed fails again for a minute
    assert len(refused) > len(at_will)
    assert metrics["errors_by_design"] == len(at_will) + len(unsold)


def test_every_metric_is_declared(metrics: Counter[str]) -> None:
    assert metrics.keys() <= NAMES
    assert len(metrics) > 35


def test_every_metric_of_an_alarm_is_recorded(metrics: Counter[str]) -> None:
    looked_at = {
        metric.name
        for alarm in alarms(monitoring())
        for metric in alarm.metrics
        if metric.namespace == "brskills"
    }
    assert len(looked_at) > 15
    assert looked_at - metrics.keys() == set()


def test_metrics_hold_nothing_of_a_caller(printed: list[Line]) -> None:
    of_callers = [
        CODE["chave"],
        CODE["nome_recebedor"],
        KNOWN,
        OTHER,
        "192.0.2.1",
        "dev@exemplo",
        "brsk_",
        "acc_",
    ]
    lines = [line for line in printed if "_aws" in line]
    assert len(lines) > 40
    for line in lines:
        text = str(line)
        assert not any(secret in text for secret in of_callers)
        names = _metrics(line)
        assert line.keys() - {"_aws", "service", "dimensions"} == names.keys()
        assert line["service"] == "stack"
        assert all(isinstance(value, float) for name in names for value in line[name])
        for name, number in line.get("dimensions", {}).items():
            assert isinstance(number, int)
            assert re.fullmatch("[a-z_]+", name)  # neither digit, sign nor capital

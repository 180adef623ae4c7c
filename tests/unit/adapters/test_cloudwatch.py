"""The figures of an invocation are one line in the embedded metric format, each value once."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from brskills_server.adapters.cloudwatch import CloudWatchRecorder
from brskills_server.telemetry.figures import (
    CALLS,
    COMPANIES,
    LEDGER,
    PROVIDER_SECONDS,
    REFUSALS,
    REQUESTS,
    UNDER_WAY,
)


@pytest.fixture(autouse=True)
def _of_a_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "brskills")
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "a-stack")


def printed(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def metrics(line: dict[str, Any]) -> dict[str, tuple[str, list[float]]]:
    """Return unit and values by name, as CloudWatch reads them."""
    (directive,) = line["_aws"]["CloudWatchMetrics"]
    assert directive["Namespace"] == "brskills"
    assert [[line[name] for name in names] for names in directive["Dimensions"]] == [["a-stack"]]
    return {one["Name"]: (one["Unit"], line[one["Name"]]) for one in directive["Metrics"]}


def test_an_invocation_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    recorder = CloudWatchRecorder()
    recorder.count(CALLS, "look_up_company", "pro", "counted")
    recorder.count(CALLS, "look_up_company", "demo", "counted")
    recorder.count(LEDGER, "reserve", "done")
    recorder.observe(PROVIDER_SECONDS, 0.31234567, "opencnpj", "found")
    recorder.add(UNDER_WAY, 1)
    recorder.flush()
    (line,) = printed(capsys)
    assert metrics(line) == {
        "calls_look_up_company_counted": ("Count", [2.0]),
        "ledger_operations_reserve_done": ("Count", [1.0]),
        "provider_duration_seconds_opencnpj": ("Seconds", [0.3123]),
    }
    assert line["dimensions"] == {
        "calls_look_up_company_pro_counted": 1,
        "calls_look_up_company_demo_counted": 1,
    }


def test_figures_are_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    recorder = CloudWatchRecorder()
    recorder.flush()  # nothing is recorded yet
    for _ in range(2):
        recorder.count(REFUSALS, "internal_error")
        recorder.flush()
        recorder.flush()
    lines = printed(capsys)
    assert [metrics(line) for line in lines] == [{"refusals_internal_error": ("Count", [1.0])}] * 2
    assert all("dimensions" not in line for line in lines)


def test_concurrent_records_are_all_kept(capsys: pytest.CaptureFixture[str]) -> None:
    recorder = CloudWatchRecorder()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: recorder.count(COMPANIES, "live"), range(2000)))
    recorder.flush()
    (line,) = printed(capsys)
    assert metrics(line) == {"company_answers_live": ("Count", [2000.0])}


@pytest.mark.parametrize("values", [99, 100, 250])
def test_more_values_than_a_line_takes_are_several_lines(
    values: int, capsys: pytest.CaptureFixture[str]
) -> None:
    recorder = CloudWatchRecorder()
    for n in range(values):
        recorder.observe(PROVIDER_SECONDS, n, "cnpja", "failed")
        recorder.count(CALLS, "look_up_companies", "pro", "failed")
    recorder.flush()
    found: Counter[str] = Counter()
    dimensions: Counter[str] = Counter()
    for line in printed(capsys):
        dimensions.update(line.get("dimensions", {}))
        for name, (_, numbers) in metrics(line).items():
            assert len(numbers) <= 100
            found[name] += int(sum(numbers))
    assert found == {
        "provider_duration_seconds_cnpja": sum(range(values)),
        "calls_look_up_companies_failed": values,
    }
    assert dimensions == {"calls_look_up_companies_pro_failed": values}


def test_figures_not_meant_for_cloudwatch_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    recorder = CloudWatchRecorder()
    recorder.observe(REQUESTS, 0.1, "GET", "/", "200")
    recorder.flush()
    assert printed(capsys) == []

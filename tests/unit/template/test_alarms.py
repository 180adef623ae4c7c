"""What is watched on AWS: each alarm sees something that is there, tells somebody, and says what to do."""

from __future__ import annotations

import re
from typing import Any

import pytest

from brskills_server.telemetry.metrics import NAMES
from tests.services.expanded import expand, read
from tests.services.gateway import ROOT
from tests.services.watched import Alarm, Metric, alarms, dashboard, shown

OF_AWS = {
    "AWS/ApiGateway": {"Count", "4XXError", "5XXError", "Latency", "IntegrationLatency"},
    "AWS/Lambda": {"Duration", "Errors", "Invocations", "Throttles"},
    "AWS/DynamoDB": {"ReadThrottleEvents", "WriteThrottleEvents", "SystemErrors", "SuccessfulRequestLatency"},
}
"""Metrics that AWS documents, by the dimensions that ``_dimensions_of`` expects of them."""
OPERATIONS = {"GetItem", "PutItem", "UpdateItem"}
WATCHING = {"Watches", "WatchesProbes", "WatchesPayments"}
ALARM, COMPOSITE, DASHBOARD = 0.10, 0.50, 3.00
"""USD a month (us-east-1): for each metric of an alarm, for one over other alarms, for a dashboard."""


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    found: dict[str, Any] = expand(read())["Resources"]
    return found


@pytest.fixture(scope="module")
def watched(resources: dict[str, Any]) -> list[Alarm]:
    return alarms(resources)


@pytest.fixture(scope="module")
def runbooks() -> dict[str, str]:
    """The texts of docs/operations.md by the alarm that they are headed by."""
    text = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    parts = re.split(r"^### (\S+)$", text, flags=re.MULTILINE)
    return {name: part.split("\n## ")[0] for name, part in zip(parts[1::2], parts[2::2], strict=True)}


def check(metric: Metric, resources: dict[str, Any]) -> None:
    """Hold a metric against what is told: by our own functions, or by AWS of a resource of the template."""
    dimensions = dict(metric.dimensions)
    if metric.namespace == "brskills":
        assert metric.name in NAMES
        assert dimensions == {"service": {"Ref": "AWS::StackName"}}
        return
    assert metric.name in OF_AWS[metric.namespace]
    match metric.namespace:
        case "AWS/ApiGateway":
            (stage,) = (name for name, r in resources.items() if r["Type"] == "AWS::ApiGateway::Stage")
            assert (
                resources["Api"]["Properties"]["Name"] == dimensions["ApiName"] == {"Ref": "AWS::StackName"}
            )
            assert dimensions["Stage"] in (
                resources[stage]["Properties"]["StageName"],
                {"Ref": stage},
                {"Ref": "Api.Stage"},
            )
        case "AWS/Lambda":
            assert resources[dimensions["FunctionName"]["Ref"]]["Type"] == "AWS::Lambda::Function"
        case "AWS/DynamoDB":
            assert resources[dimensions.pop("TableName")["Ref"]]["Type"] == "AWS::DynamoDB::Table"
            needs_operation = metric.name in {"SystemErrors", "SuccessfulRequestLatency"}
            assert dimensions.keys() == ({"Operation"} if needs_operation else set())
            assert set(dimensions.values()) <= OPERATIONS


def test_every_alarm_sees_metrics_that_there_are(resources: dict[str, Any], watched: list[Alarm]) -> None:
    assert len(watched) > 20
    for alarm in watched:
        for metric in alarm.metrics:
            check(metric, resources)


def test_our_own_metrics_are_told_where_alarms_look_for_them() -> None:
    variables = read()["Globals"]["Function"]["Environment"]["Variables"]
    assert variables["POWERTOOLS_METRICS_NAMESPACE"] == {"Fn::If": ["Watches", "brskills", ""]}
    assert variables["POWERTOOLS_SERVICE_NAME"] == {"Ref": "AWS::StackName"}


def test_every_alarm_tells_somebody_when_it_begins_and_when_it_is_over(watched: list[Alarm]) -> None:
    rules = " ".join(alarm.properties.get("AlarmRule", {}).get("Fn::Sub", "") for alarm in watched)
    for alarm in watched:
        topic = [{"Ref": "AlarmTopic"}]
        if f'ALARM("${{{alarm.logical_id}}}")' in rules:
            assert "AlarmActions" not in alarm.properties
            continue
        assert alarm.properties["AlarmActions"] == alarm.properties["OKActions"] == topic, alarm.name


def test_every_alarm_says_what_to_do_and_has_a_runbook(
    watched: list[Alarm], runbooks: dict[str, str]
) -> None:
    told = {alarm.name for alarm in watched if "AlarmActions" in alarm.properties}
    assert told | {"budget"} == runbooks.keys()
    for alarm in watched:
        assert re.fullmatch(r"[A-Z].{40,400}\.", alarm.properties["AlarmDescription"]), alarm.name
    for name, text in runbooks.items():
        for part in ("**Means.**", "**Look at.**", "**Do.**"):
            assert text.count(part) == 1, (name, part)


def test_an_alarm_is_one_that_cloudwatch_takes(watched: list[Alarm]) -> None:
    names = [alarm.name for alarm in watched]
    assert len(set(names)) == len(names)
    for alarm in watched:
        queries = alarm.properties.get("Metrics", [])
        assert len(alarm.metrics) <= 10, alarm.name
        answers = [q for q in queries if "Expression" in q and q.get("ReturnData") is not False]
        assert len(answers) == (1 if queries else 0), alarm.name
        used = {word for q in queries for word in re.findall(r"[a-z]\w*", q.get("Expression", ""))}
        named = {q["Id"] for q in queries if "Id" in q}
        assert used <= named, alarm.name
        assert "METRICS()" in str(queries) or named - {q["Id"] for q in answers} <= used, alarm.name
        periods = {q["MetricStat"]["Period"] for q in queries if "MetricStat" in q}
        assert len(periods) <= 1, alarm.name


def test_a_percentile_is_judged_where_there_are_calls_for_it_and_else_is_well(watched: list[Alarm]) -> None:
    found = set()
    for alarm in watched:
        # CloudWatch's "ignore" leaves an alarm as it is for as long as there are fewer than a thousand calls.
        assert "ExtendedStatistic" not in alarm.properties, alarm.name
        percentiles = {
            q["Id"] for q in alarm.queries if str(q.get("MetricStat", {}).get("Stat")).startswith("p")
        }
        for percentile in percentiles:
            (answer,) = (q["Expression"] for q in alarm.queries if "Expression" in q)
            assert answer == f"IF(calls >= 100, {percentile}, 0)"
            found.add(alarm.name)
    assert found == {"slow-answers", "slow-codes"}


def test_no_caller_rings_an_alarm_by_what_anybody_can_have(watched: list[Alarm]) -> None:
    """The gateway counts a 503 that the sandbox stages as any other."""
    counting = [a for a in watched if any(metric.name == "5XXError" for metric in a.metrics)]
    assert len(counting) == 5
    for alarm in counting:
        (taken,) = (q for q in alarm.queries if str(q.get("Expression", "")).endswith(" - FILL(byDesign, 0)"))
        (by_design,) = (q for q in alarm.queries if q["Id"] == "byDesign")
        assert by_design["MetricStat"]["Metric"]["MetricName"] == "errors_by_design"
        others = [q["Expression"] for q in alarm.queries if "Expression" in q and q is not taken]
        assert any(taken["Id"] in expression for expression in others)
        assert not any(name in expression for name in ("errors", "gateway") for expression in others)


def test_where_nothing_happens_no_alarm_rings_but_where_something_has_to(watched: list[Alarm]) -> None:
    missing = {alarm.name: alarm.properties["TreatMissingData"] for alarm in watched if alarm.metrics}
    rounds = {"gateway-keys", "probes"}  # they come by the clock
    assert missing == {name: "breaching" if name in rounds else "notBreaching" for name in missing}


@pytest.mark.parametrize("metric", ["Throttles", "Errors"])
def test_no_function_fails_unseen(metric: str, resources: dict[str, Any], watched: list[Alarm]) -> None:
    seen = [
        one.dimensions["FunctionName"]["Ref"]
        for alarm in watched
        for one in alarm.metrics
        if one.name == metric
    ]
    functions = [name for name, r in resources.items() if r["Type"] == "AWS::Lambda::Function"]
    assert sorted(seen) == sorted(functions)


def test_budgets_burn_as_fast_as_the_alarms_say(watched: list[Alarm]) -> None:
    windows = {}
    for alarm in watched:
        if alarm.name.startswith("burn-"):
            (period,) = {q["MetricStat"]["Period"] for q in alarm.properties["Metrics"] if "MetricStat" in q}
            windows[alarm.name] = (period, float(alarm.properties["Threshold"]))
    allowed = 0.1  # per cent of calls: Pro's 99.9
    assert windows == {
        "burn-1h": (3600, pytest.approx(14.4 * allowed)),
        "burn-5m": (300, pytest.approx(14.4 * allowed)),
        "burn-6h": (6 * 3600, pytest.approx(6 * allowed)),
        "burn-30m": (1800, pytest.approx(6 * allowed)),
    }


def test_the_dashboard_shows_what_there_is(resources: dict[str, Any]) -> None:
    body = dashboard(resources)
    metrics = list(shown(body))
    for metric in metrics:
        check(metric, resources)
    assert {metric.name for metric in metrics if metric.namespace == "brskills"} >= {
        name for name in NAMES if name.startswith(("due_", "company_", "provider_", "store_", "refusals_"))
    }
    places = set()
    for widget in body["widgets"]:
        assert widget["x"] + widget["width"] <= 24
        tiles = {
            (widget["x"] + x, widget["y"] + y)
            for x in range(widget["width"])
            for y in range(widget["height"])
        }
        assert not tiles & places
        places |= tiles
        assert widget["type"] == "alarm" or widget["properties"]["region"] == "${AWS::Region}"


def test_the_dashboard_names_nothing_that_may_not_be_there(resources: dict[str, Any]) -> None:
    (found,) = (r for r in resources.values() if r["Type"] == "AWS::CloudWatch::Dashboard")
    named = set(re.findall(r"\$\{(\w+)(?:\.\w+)?\}", found["Properties"]["DashboardBody"]["Fn::Sub"]))
    for name in named:
        assert resources[name].get("Condition", found["Condition"]) == found["Condition"], name
    always = {
        a.logical_id for a in alarms(resources) if a.condition == "Watches" and "AlarmActions" in a.properties
    }
    assert always <= named


def test_nothing_of_it_is_made_where_nobody_wants_it(resources: dict[str, Any]) -> None:
    kinds = ("AWS::CloudWatch::", "AWS::SNS::", "AWS::Budgets::")
    template = read()
    for name, resource in resources.items():
        if resource["Type"].startswith(kinds):
            condition = resource["Condition"]
            either = template["Conditions"][condition]
            assert condition == "Watches" or {"Condition": "Watches"} in either["Fn::And"], name
    assert {alarm.condition for alarm in alarms(resources)} == WATCHING
    assert template["Parameters"]["MonthlyBudget"]["Default"] == 0
    assert template["Parameters"]["AlarmEmail"]["Default"] == ""


def test_what_it_costs_is_told(watched: list[Alarm]) -> None:
    told = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    metrics, composite = sum(len(alarm.metrics) for alarm in watched), sum(not a.metrics for a in watched)
    monthly = metrics * ALARM + composite * COMPOSITE
    assert f"{len(watched) - composite} alarms over {metrics} metrics and {composite} over others" in told
    assert f"USD {monthly:.2f} a month" in told
    assert f"USD {DASHBOARD:.2f}" in told


def test_the_topic_takes_messages_of_this_account_alone(resources: dict[str, Any]) -> None:
    (statement,) = resources["AlarmTopicPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert statement["Principal"] == {"Service": ["cloudwatch.amazonaws.com", "budgets.amazonaws.com"]}
    assert statement["Action"] == "sns:Publish"
    assert statement["Condition"] == {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}


def test_operators_are_told_where_everything_is() -> None:
    outputs = read()["Outputs"]
    assert {"Page", "Mcp", "DashboardAddress", "AlarmTopic"} <= outputs.keys()
    assert all(outputs[name]["Condition"] == "Watches" for name in ("DashboardAddress", "AlarmTopic"))
    assert all(output["Description"] for output in outputs.values())

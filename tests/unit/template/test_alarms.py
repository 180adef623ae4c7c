"""Alarms and the dashboard: metrics that exist, a topic to notify, a runbook."""

from __future__ import annotations

import re
from typing import Any

import pytest

from brskills_server.telemetry.metrics import NAMES
from tests.services.expanded import monitoring, of_type, read, template
from tests.services.expanded import resources as resources_of_template
from tests.services.gateway import ROOT
from tests.services.monitoring import Alarm, Metric, alarms, dashboard, shown

OF_AWS = {
    "AWS/ApiGateway": {"Count", "4XXError", "5XXError", "Latency", "IntegrationLatency"},
    "AWS/Lambda": {"Duration", "Errors", "Invocations", "Throttles"},
    "AWS/DynamoDB": {"ReadThrottleEvents", "WriteThrottleEvents", "SystemErrors", "SuccessfulRequestLatency"},
    "AWS/SQS": {"ApproximateAgeOfOldestMessage", "ApproximateNumberOfMessagesVisible"},
}
"""Metrics that AWS documents."""
OPERATIONS = {"GetItem", "PutItem", "UpdateItem"}
CONDITIONS = {"", "SellsPro"}


@pytest.fixture(scope="module")
def monitored() -> list[Alarm]:
    return alarms(monitoring())


def check(metric: Metric, resources: dict[str, Any]) -> None:
    """Check that our functions record a metric, or that AWS does for a resource of the template."""
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
            assert dimensions["Stage"] == resources[stage]["Properties"]["StageName"]
        case "AWS/Lambda":
            assert resources[function_of(metric)]["Type"] == "AWS::Lambda::Function"
        case "AWS/SQS":
            queue, _, name = dimensions["QueueName"]["Fn::GetAtt"].partition(".")
            assert (resources[queue]["Type"], name) == ("AWS::SQS::Queue", "QueueName")
        case "AWS/DynamoDB":
            assert resources[dimensions.pop("TableName")["Ref"]]["Type"] == "AWS::DynamoDB::Table"
            needs_operation = metric.name in {"SystemErrors", "SuccessfulRequestLatency"}
            assert dimensions.keys() == ({"Operation"} if needs_operation else set())
            assert set(dimensions.values()) <= OPERATIONS


def function_of(metric: Metric) -> str:
    """Return the function of a metric of Lambda; the one of probes may be absent."""
    named = metric.dimensions["FunctionName"]
    if "Fn::Sub" in named:
        (function,) = (
            name
            for name, found in of_type(resources_of_template(), "AWS::Lambda::Function").items()
            if found.get("FunctionName") == named
        )
    else:
        function = (named["Fn::If"][1] if "Fn::If" in named else named)["Ref"]
    return function


def test_every_alarm_is_on_metrics_that_exist(resources: dict[str, Any], monitored: list[Alarm]) -> None:
    assert 10 < len(monitored) <= 12  # more than that nobody acts on
    for alarm in monitored:
        for metric in alarm.metrics:
            check(metric, resources)


def test_metrics_are_recorded_in_the_namespace_of_the_alarms() -> None:
    variables = template()["Globals"]["Function"]["Environment"]["Variables"]
    assert variables["POWERTOOLS_METRICS_NAMESPACE"] == {"Fn::If": ["Monitored", "brskills", ""]}
    assert variables["POWERTOOLS_SERVICE_NAME"] == {"Ref": "AWS::StackName"}


def test_every_alarm_notifies_the_topic_at_its_start_and_end(monitored: list[Alarm]) -> None:
    topic = [{"Ref": "AlarmTopic"}]
    for alarm in monitored:
        assert alarm.properties["AlarmActions"] == alarm.properties["OKActions"] == topic, alarm.name


def test_every_alarm_has_a_description_and_a_runbook(monitored: list[Alarm]) -> None:
    text = (ROOT / "docs/operate/monitoring.md").read_text(encoding="utf-8")
    runbooks = set(re.findall(r"^### (\S+)$", text, re.MULTILINE))
    assert {alarm.name for alarm in monitored} | {"budget"} == runbooks
    assert all(alarm.properties["AlarmDescription"] for alarm in monitored)


def test_cloudwatch_accepts_every_alarm(monitored: list[Alarm]) -> None:
    names = [alarm.name for alarm in monitored]
    assert len(set(names)) == len(names)
    for alarm in monitored:
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


def test_a_percentile_needs_a_hundred_calls(monitored: list[Alarm]) -> None:
    found = set()
    for alarm in monitored:
        # CloudWatch's "ignore" leaves an alarm as it is for as long as there are fewer than a thousand calls.
        assert "ExtendedStatistic" not in alarm.properties, alarm.name
        percentiles = {
            q["Id"] for q in alarm.queries if str(q.get("MetricStat", {}).get("Stat")).startswith("p")
        }
        for percentile in percentiles:
            (answer,) = (q["Expression"] for q in alarm.queries if "Expression" in q)
            assert answer == f"IF(calls >= 100, {percentile}, 0)"
            found.add(alarm.name)
    assert found == {"slow-answers"}


def test_callers_cannot_set_off_an_alarm_by_staged_errors(monitored: list[Alarm]) -> None:
    """The gateway counts a 503 that the sandbox stages as any other."""
    counting = [a for a in monitored if any(metric.name == "5XXError" for metric in a.metrics)]
    assert len(counting) == 2
    for alarm in counting:
        (taken,) = (q for q in alarm.queries if str(q.get("Expression", "")).endswith(" - FILL(byDesign, 0)"))
        (by_design,) = (q for q in alarm.queries if q["Id"] == "byDesign")
        assert by_design["MetricStat"]["Metric"]["MetricName"] == "errors_by_design"
        others = [q["Expression"] for q in alarm.queries if "Expression" in q and q is not taken]
        assert any(taken["Id"] in expression for expression in others)
        assert not any(name in expression for name in ("errors", "gateway") for expression in others)


def test_missing_data_is_an_alarm_only_for_scheduled_functions(monitored: list[Alarm]) -> None:
    missing = {alarm.name: alarm.properties["TreatMissingData"] for alarm in monitored}
    assert missing == {name: "breaching" if name == "rounds" else "notBreaching" for name in missing}


def test_the_function_with_the_fewest_runs_is_an_alarm(monitored: list[Alarm]) -> None:
    (rounds,) = (alarm for alarm in monitored if alarm.name == "rounds")
    names = [one.name for one in rounds.metrics]
    assert names == ["scheduled_runs_gateway_keys_done", "Invocations", "Invocations"]
    assert [function_of(one) for one in rounds.metrics[1:]] == ["DeliverFunction", "AnnounceFunction"]
    (fewest,) = (query["Expression"] for query in rounds.queries if "Expression" in query)
    assert fewest == "MIN(FILL(METRICS(), 0))"


def test_every_function_that_fails_is_an_alarm(service: dict[str, Any], monitored: list[Alarm]) -> None:
    seen = [function_of(one) for alarm in monitored for one in alarm.metrics if one.name == "Errors"]
    functions = [name for name, r in service.items() if r["Type"] == "AWS::Lambda::Function"]
    assert sorted(seen) == sorted(functions)


def test_the_budget_burns_as_fast_as_the_alarm_says(monitored: list[Alarm]) -> None:
    (burn,) = (alarm for alarm in monitored if alarm.name == "slow-burn")
    (period,) = {query["MetricStat"]["Period"] for query in burn.queries if "MetricStat" in query}
    allowed = 0.1  # per cent of calls: Pro's 99.9
    assert (period, float(burn.properties["Threshold"])) == (6 * 3600, pytest.approx(6 * allowed))


def test_the_dashboard_shows_metrics_that_exist_without_overlap(resources: dict[str, Any]) -> None:
    body = dashboard(monitoring())
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
        assert widget["type"] == "alarm" or widget["properties"]["region"] == {"Ref": "AWS::Region"}


def test_the_dashboard_lists_every_alarm_that_always_exists(monitored: list[Alarm]) -> None:
    listed = dashboard(monitoring())["widgets"][0]["properties"]["alarms"]
    always = {alarm.logical_id for alarm in monitored if not alarm.condition}
    assert {each["Fn::GetAtt"].removesuffix(".Arn") for each in listed} == always


def test_monitoring_can_be_switched_off(resources: dict[str, Any], monitored: list[Alarm]) -> None:
    conditions = template()["Conditions"]
    for name in ("MonitoringStack", "AlarmTopic", "AlarmTopicPolicy", "AlarmMail"):
        condition = resources[name]["Condition"]
        assert condition == "Monitored" or {"Condition": "Monitored"} in conditions[condition]["Fn::And"]
    assert {alarm.condition for alarm in monitored} == CONDITIONS
    parameters = template()["Parameters"]
    assert (parameters["MonthlyBudget"]["Default"], parameters["AlarmEmail"]["Default"]) == (0, "")


def test_the_nested_stack_gets_each_of_its_parameters() -> None:
    given = template()["Resources"]["MonitoringStack"]["Properties"]["Parameters"]
    assert given.keys() == read("monitoring.yaml")["Parameters"].keys()


def test_only_this_account_publishes_to_the_topic(resources: dict[str, Any]) -> None:
    (statement,) = resources["AlarmTopicPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert statement["Principal"] == {"Service": ["cloudwatch.amazonaws.com", "budgets.amazonaws.com"]}
    assert statement["Action"] == "sns:Publish"
    assert statement["Condition"] == {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}

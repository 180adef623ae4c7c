"""Monitoring on MiniStack: topic and subscriber, alarms, dashboard, metrics."""

import json

from tests.ministack.conftest import client, sign_up
from tests.services.expanded import monitoring
from tests.services.ministack import STACK
from tests.services.monitoring import alarms


def test_every_alarm_is_made_and_notifies_the_topic(base: str, outputs: dict[str, str]) -> None:
    made = client(base, "cloudwatch").describe_alarms(MaxRecords=100)["MetricAlarms"]
    expected = alarms(monitoring())
    assert {alarm["AlarmName"] for alarm in made} == {f"{STACK}/{alarm.name}" for alarm in expected}
    for alarm in made:
        assert alarm["AlarmActions"] == alarm["OKActions"] == [outputs["AlarmTopic"]]
        assert alarm["AlarmDescription"]


def test_the_operator_is_subscribed(base: str, outputs: dict[str, str]) -> None:
    subscribed = client(base, "sns").list_subscriptions_by_topic(TopicArn=outputs["AlarmTopic"])[
        "Subscriptions"
    ]
    assert [(one["Protocol"], one["Endpoint"]) for one in subscribed] == [("email", "operator@example.com")]


def test_the_dashboard_names_this_stacks_resources(
    base: str, outputs: dict[str, str], resources: dict[str, str]
) -> None:
    body = json.loads(
        client(base, "cloudwatch").get_dashboard(DashboardName=f"{STACK}-monitoring")["DashboardBody"]
    )
    text = json.dumps(body)
    assert "${" not in text
    assert all(
        resources[name] in text for name in ("PixFunction", "AccessTable", "CnpjLogs", "ServerErrorsAlarm")
    )
    assert outputs["DashboardAddress"].endswith(f"#dashboards/dashboard/{STACK}-monitoring")
    assert outputs["Mcp"] == outputs["Page"] + "mcp"


def test_functions_know_where_their_figures_go_and_print_them(base: str, resources: dict[str, str]) -> None:
    functions = client(base, "lambda").list_functions()["Functions"]
    assert len(functions) > 10
    for function in functions:
        variables = function["Environment"]["Variables"]
        assert variables["POWERTOOLS_METRICS_NAMESPACE"] == "brskills"
        assert variables["POWERTOOLS_SERVICE_NAME"] == STACK
    sign_up(base)
    group = resources["AccountLogs"]
    events = client(base, "logs").filter_log_events(logGroupName=group)["events"]
    lines = [json.loads(e["message"]) for e in events if e["message"].startswith("{")]
    recorded = [line for line in lines if "_aws" in line]
    assert [line["account_operations_open_done"] for line in recorded] == [[1.0]]
    assert recorded[0]["service"] == STACK

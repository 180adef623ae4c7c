"""The template on MiniStack with all that is watched: topic and subscriber, alarms, dashboard, figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import boto3
import httpx
import pytest

from tests.services.expanded import resources
from tests.services.ministack import REGION, STACK, ministack
from tests.services.monitoring import alarms
from tests.services.packages import EXAMPLE, install

WATCHED = {
    "AlarmEmail": "operator@example.com",
    "StripePricePro": "price_pro",
    "StripeApiKeyName": "/brskills/stripe",
    "StripeWebhookSecretsName": "/brskills/webhook",
    "AccessLogs": "on",
    "Tracing": "on",
}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder, packages = (tmp_path_factory.mktemp(name) for name in ("ministack", "packages"))
    install(EXAMPLE, packages)
    with ministack(folder, WATCHED, packages) as deployed:
        yield deployed


def client(base: str, service: str) -> Any:
    return boto3.client(service, endpoint_url=base.partition("/_aws/")[0], region_name=REGION)  # type: ignore[call-overload]


@pytest.fixture(scope="module")
def outputs(base: str) -> dict[str, str]:
    (stack,) = client(base, "cloudformation").describe_stacks(StackName=STACK)["Stacks"]
    return {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}


def test_every_alarm_is_made_and_tells_the_topic(base: str, outputs: dict[str, str]) -> None:
    made = client(base, "cloudwatch").describe_alarms(MaxRecords=100)["MetricAlarms"]
    expected = alarms(resources())
    assert {alarm["AlarmName"] for alarm in made} == {f"{STACK}-{alarm.name}" for alarm in expected}
    for alarm in made:
        actions = [] if "-burn-" in alarm["AlarmName"] else [outputs["AlarmTopic"]]
        assert alarm["AlarmActions"] == alarm["OKActions"] == actions
        assert alarm["AlarmDescription"]


def test_the_operator_is_subscribed(base: str, outputs: dict[str, str]) -> None:
    subscribed = client(base, "sns").list_subscriptions_by_topic(TopicArn=outputs["AlarmTopic"])[
        "Subscriptions"
    ]
    assert [(one["Protocol"], one["Endpoint"]) for one in subscribed] == [("email", "operator@example.com")]


def test_the_dashboard_names_this_stacks_resources(base: str, outputs: dict[str, str]) -> None:
    body = json.loads(client(base, "cloudwatch").get_dashboard(DashboardName=STACK)["DashboardBody"])
    resources = client(base, "cloudformation").describe_stack_resources(StackName=STACK)["StackResources"]
    ids = {resource["LogicalResourceId"]: resource["PhysicalResourceId"] for resource in resources}
    text = json.dumps(body)
    assert "${" not in text
    assert all(ids[name] in text for name in ("PixFunction", "AccessTable", "CnpjLogs", "ServerErrorsAlarm"))
    assert outputs["DashboardAddress"].endswith(f"#dashboards/dashboard/{STACK}")
    assert outputs["Mcp"] == outputs["Page"] + "mcp"


def test_functions_are_told_where_their_figures_go(base: str) -> None:
    functions = client(base, "lambda").list_functions()["Functions"]
    assert len(functions) > 10
    for function in functions:
        variables = function["Environment"]["Variables"]
        assert variables["POWERTOOLS_METRICS_NAMESPACE"] == "brskills"
        assert variables["POWERTOOLS_SERVICE_NAME"] == STACK


def test_a_function_there_prints_its_figures(base: str) -> None:
    assert httpx.post(f"{base}/api/v1/keys", timeout=60).status_code == 201
    resources = client(base, "cloudformation").describe_stack_resources(StackName=STACK)["StackResources"]
    (group,) = (r["PhysicalResourceId"] for r in resources if r["LogicalResourceId"] == "KeysLogs")
    events = client(base, "logs").filter_log_events(logGroupName=group)["events"]
    lines = [json.loads(e["message"]) for e in events if e["message"].startswith("{")]
    told = [line for line in lines if "_aws" in line]
    assert [line["account_operations_open_done"] for line in told] == [[1.0]]
    assert told[0]["service"] == STACK

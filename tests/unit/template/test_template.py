"""What the template promises, checked in its expanded form, which is what CloudFormation gets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from access import PLANS, SPENT_RATE
from tests.services.expanded import expand, read
from tests.services.gateway import ROOT


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    expanded: dict[str, Any] = expand(read())["Resources"]
    return expanded


def of_type(resources: dict[str, Any], kind: str) -> dict[str, Any]:
    return {name: r["Properties"] for name, r in resources.items() if r["Type"] == kind}


@pytest.fixture(scope="module")
def definition(resources: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = resources["Api"]["Properties"]["Body"]
    return body


def test_usage_plans_are_the_plans_of_the_code(resources: dict[str, Any]) -> None:
    built = {
        plan["UsagePlanName"]["Fn::Sub"].removeprefix("${AWS::StackName}-"): plan["Throttle"]
        for plan in of_type(resources, "AWS::ApiGateway::UsagePlan").values()
    }
    expected = {plan.id: (plan.rate, plan.burst) for plan in PLANS.values()} | {"spent": SPENT_RATE}
    assert {name: (t["RateLimit"], t["BurstLimit"]) for name, t in built.items()} == expected


def test_every_plan_has_the_gateway_key_that_the_authorizer_names(resources: dict[str, Any]) -> None:
    values = {key["Value"]["Fn::Sub"] for key in of_type(resources, "AWS::ApiGateway::ApiKey").values()}
    assert values == {f"${{AWS::StackName}}-{plan}-plan-gateway-key" for plan in [*PLANS, "spent"]}
    assert len(of_type(resources, "AWS::ApiGateway::UsagePlanKey")) == len(values)


def test_a_usage_plan_stands_on_the_stage_that_is_there(resources: dict[str, Any]) -> None:
    (stage,) = of_type(resources, "AWS::ApiGateway::Stage")
    for plan in of_type(resources, "AWS::ApiGateway::UsagePlan").values():
        assert plan["ApiStages"] == [{"ApiId": {"Ref": "Api"}, "Stage": {"Ref": stage}}]


def test_a_preflight_takes_neither_key_nor_authorizer(definition: dict[str, Any]) -> None:
    for path, methods in definition["paths"].items():
        assert not methods["options"].get("security"), path


OPEN = {"keys", "plans", "status", "openapi.json", "tools", "billing/webhook"}
"""Of the routes below /api/v1, those without a key; beside it stand only documents, the page and /mcp."""


def test_every_route_but_the_open_ones_takes_key_and_usage_plan(definition: dict[str, Any]) -> None:
    for path, methods in definition["paths"].items():
        for method, operation in methods.items():
            if method == "options":
                continue
            schemes = {name for scheme in operation.get("security", []) for name in scheme}
            is_open = not path.startswith("/api/") or path.removeprefix("/api/v1/") in OPEN
            assert schemes == (set() if is_open else {"KeyAuthorizer", "api_key"}), (method, path)


def test_open_routes_are_throttled_by_method(resources: dict[str, Any], definition: dict[str, Any]) -> None:
    (stage,) = of_type(resources, "AWS::ApiGateway::Stage").values()
    throttled = {
        (
            "/" + setting["ResourcePath"].lstrip("/").replace("~1", "/").lstrip("/"),
            setting["HttpMethod"].lower(),
        )
        for setting in stage["MethodSettings"]
        if setting["ThrottlingRateLimit"] > 0
    }
    for path, methods in definition["paths"].items():
        for method, operation in methods.items():
            if method != "options" and not operation.get("security"):
                assert (path, method) in throttled or (path, "*") in throttled, (method, path)


def test_every_function_has_a_role_of_its_own_without_wildcards(resources: dict[str, Any]) -> None:
    functions = of_type(resources, "AWS::Lambda::Function")
    roles = [json.dumps(function["Role"]) for function in functions.values()]
    assert len(set(roles)) == len(functions)
    for role in of_type(resources, "AWS::IAM::Role").values():
        assert "ManagedPolicyArns" not in role
        for policy in role["Policies"]:
            assert "*" not in json.dumps(policy["PolicyDocument"])


def test_tables_are_on_demand_recoverable_and_expire_items(resources: dict[str, Any]) -> None:
    for table in of_type(resources, "AWS::DynamoDB::Table").values():
        assert table["BillingMode"] == "PAY_PER_REQUEST"
        assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
        assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}


def test_every_function_has_logs_that_expire_and_a_sample_event(resources: dict[str, Any]) -> None:
    functions = of_type(resources, "AWS::Lambda::Function")
    assert all("LogGroup" in function["LoggingConfig"] for function in functions.values())
    assert all("RetentionInDays" in logs for logs in of_type(resources, "AWS::Logs::LogGroup").values())
    named = {name.removesuffix("Function").lower() for name in functions}
    assert named == {event.stem for event in (ROOT / "events").glob("*.json")}


def test_every_function_runs_the_stated_runtime(resources: dict[str, Any]) -> None:
    for function in of_type(resources, "AWS::Lambda::Function").values():
        assert function["Runtime"] == "python3.13"
        assert function["Architectures"] == [{"Ref": "Architecture"}]

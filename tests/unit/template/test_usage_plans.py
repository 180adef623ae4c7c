"""Usage plans and gateway keys of the template are those of the code."""

from __future__ import annotations

from typing import Any

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.api_key import digest
from brskills_server.accounts.plans import PLANS, QUOTA_EXHAUSTED_RATE
from brskills_server.accounts.throttle_groups import (
    QUOTA_EXHAUSTED,
    SHARED_THROTTLE_GROUPS,
    dedicated_key_name,
)
from brskills_server.skills.catalogue import BATCHES, SKILLS
from functions.authorizer import app as authorizer
from tests.conftest import DEMO_KEY
from tests.services.expanded import of_type
from tests.services.store import in_memory


@pytest.fixture(scope="module")
def usage_plans(resources: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Usage plans by their names without the stack's."""
    plans = of_type(resources, "AWS::ApiGateway::UsagePlan").values()
    return {plan["UsagePlanName"]["Fn::Sub"].removeprefix("${AWS::StackName}-"): plan for plan in plans}


def test_usage_plans_have_the_rates_of_the_code(usage_plans: dict[str, dict[str, Any]]) -> None:
    rates = {name: plan["Throttle"] for name, plan in usage_plans.items()}
    expected = {plan.id: {"RateLimit": plan.rate, "BurstLimit": plan.burst} for plan in PLANS.values()}
    assert rates == expected | {QUOTA_EXHAUSTED: expected["free"]}


def test_an_exhausted_quota_throttles_the_counted_routes_alone(
    usage_plans: dict[str, dict[str, Any]],
) -> None:
    rate, burst = QUOTA_EXHAUSTED_RATE
    counted = {
        f"{endpoint.path}/{endpoint.method}": {"RateLimit": rate, "BurstLimit": burst}
        for skill in (*SKILLS.values(), *BATCHES.values())
        if not skill.is_free
        for endpoint in skill.endpoints
    }
    (stage,) = usage_plans[QUOTA_EXHAUSTED]["ApiStages"]
    assert stage["Throttle"] == counted


def test_every_usage_plan_is_on_the_stage(resources, usage_plans: dict[str, dict[str, Any]]) -> None:
    (stage,) = of_type(resources, "AWS::ApiGateway::Stage")
    for plan in usage_plans.values():
        (used,) = plan["ApiStages"]
        assert (used["ApiId"], used["Stage"]) == ({"Ref": "Api"}, {"Ref": stage})


def test_every_shared_gateway_key_is_in_its_plan_alone(
    resources: dict[str, Any], usage_plans: dict[str, dict[str, Any]]
) -> None:
    keys = of_type(resources, "AWS::ApiGateway::ApiKey")
    values = {name: key["Value"]["Fn::Sub"].removeprefix("${AWS::StackName}-") for name, key in keys.items()}
    assert all(key["Enabled"] is True for key in keys.values())
    joined: dict[str, list[str]] = {name: [] for name in usage_plans}
    for use in of_type(resources, "AWS::ApiGateway::UsagePlanKey").values():
        plan = resources[use["UsagePlanId"]["Ref"]]["Properties"]["UsagePlanName"]["Fn::Sub"]
        joined[plan.removeprefix("${AWS::StackName}-")].append(values[use["KeyId"]["Ref"]])
    assert joined == SHARED_THROTTLE_GROUPS
    assert len(set(values.values())) == len(values) == sum(map(len, joined.values()))
    assert min(len("s-" + value) for value in values.values()) >= 20  # AWS' minimum, for any stack's name


def test_the_authorizer_names_only_gateway_keys_that_exist(resources, monkeypatch) -> None:
    store = in_memory()
    accounts = Accounts(store, digest(DEMO_KEY))
    monkeypatch.setattr(authorizer, "accounts", accounts)
    monkeypatch.setattr(authorizer, "gateway_key_prefix", "${AWS::StackName}")
    dedicated = set()
    issued = [DEMO_KEY]
    for n in range(1_000):
        key = accounts.open(("free", "free", "free", "pro", "enterprise")[n % 5])
        issued.append(key.api_key)
        if n % 3 == 0:  # ready, or left over from another plan
            plan = ("pro", "enterprise")[n % 2]
            store.set_dedicated_gateway_key(key.account, plan)
            dedicated.add(f"${{AWS::StackName}}-{dedicated_key_name(plan, key.account)}")
        if n % 7 == 0:
            store.set_limit(key.account, 0)
    event = {"methodArn": "arn:aws:execute-api:sa-east-1:123456789012:abc123/v1/GET/api/v1/usage"}
    named = {
        authorizer.handler({**event, "headers": {"X-API-Key": key}}, None)["usageIdentifierKey"]
        for key in issued
    }
    shared = {key["Value"]["Fn::Sub"] for key in of_type(resources, "AWS::ApiGateway::ApiKey").values()}
    assert shared < named <= shared | dedicated


def test_the_stage_serves_the_highest_plan_and_leaves_capacity_to_the_aws_account(resources) -> None:
    (stage,) = of_type(resources, "AWS::ApiGateway::Stage").values()
    with_a_key = max(setting["ThrottlingRateLimit"] for setting in stage["MethodSettings"])
    bursts = max(setting["ThrottlingBurstLimit"] for setting in stage["MethodSettings"])
    assert max(plan.rate for plan in PLANS.values()) < with_a_key < 10_000
    assert max(plan.burst for plan in PLANS.values()) < bursts < 5_000

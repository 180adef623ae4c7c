"""Who may do what in the expanded template.

``tests/integration/template`` drives each function and the register's builder through all that they do: what
they ask of DynamoDB, API Gateway and S3 is exactly what their roles grant. Here stands the rest: nothing else
is granted but what this file names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.services.expanded import expand, read
from tests.unit.template.test_template import of_type, statements

LOGGED = {"logs:CreateLogStream", "logs:PutLogEvents"}
TRACED = {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}
"""Of every function, and only where traces are asked for."""
HELD_TO_THE_CODE = {"dynamodb", "apigateway", "s3"}
BY_NAME = {
    ("BillingRole", "ssm:GetParameter"),
    ("BillingRole", "secretsmanager:GetSecretValue"),
    ("CnpjRole", "ssm:GetParameter"),
    ("McpRole", "ssm:GetParameter"),
    # what CodeDeploy does of itself
    ("DeployRole", "lambda:GetAlias"),
    ("DeployRole", "lambda:UpdateAlias"),
    ("DeployRole", "lambda:GetProvisionedConcurrencyConfig"),
    ("DeployRole", "cloudwatch:DescribeAlarms"),
    # what a start of the builder takes: its image, and to be started as these two roles
    ("RegisterStartRole", "ecr:BatchCheckLayerAvailability"),
    ("RegisterStartRole", "ecr:BatchGetImage"),
    ("RegisterStartRole", "ecr:GetDownloadUrlForLayer"),
    ("RegisterStartRole", "ecr:GetAuthorizationToken"),
    ("RegisterScheduleRole", "ecs:RunTask"),
    ("RegisterScheduleRole", "iam:PassRole"),
    # what DynamoDB logs of an import in the name of who asked for it
    *(
        ("RegisterTaskRole", f"logs:{action}")
        for action in ("CreateLogGroup", "DescribeLogGroups", "DescribeLogStreams", "PutRetentionPolicy")
    ),
}
SERVICES = {"Task": "ecs-tasks", "Start": "ecs-tasks", "Schedule": "scheduler", "Deploy": "codedeploy"}


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    expanded: dict[str, Any] = expand(read())["Resources"]
    return expanded


def granted(resources: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Role, action and resource of each statement, one action at a time."""
    for role, statement in statements(resources):
        for action in statement["Action"]:
            yield role, action, statement["Resource"]


def test_a_statement_grants_named_actions_on_named_resources(resources: dict[str, Any]) -> None:
    for role, statement in statements(resources):
        assert statement["Effect"] == "Allow", role
        assert statement.keys() <= {"Effect", "Action", "Resource", "Condition"}, role
        assert all(re.fullmatch(r"[a-z0-9-]+:[A-Za-z]+", action) for action in statement["Action"]), role


def test_what_is_not_held_to_the_code_is_named_here(resources: dict[str, Any]) -> None:
    others = {
        (role, action)
        for role, action, _ in granted(resources)
        if action.partition(":")[0] not in HELD_TO_THE_CODE and action not in LOGGED | TRACED
    }
    assert others == BY_NAME


def test_a_role_logs_into_the_group_of_its_name_alone(resources: dict[str, Any]) -> None:
    groups = {
        (role, json.dumps(where))
        for role, action, where in granted(resources)
        if action in LOGGED and "/aws-dynamodb/" not in json.dumps(where)
    }
    assert groups == {
        (role, json.dumps({"Fn::GetAtt": f"{_group(role)}.Arn"}))
        for role in of_type(resources, "AWS::IAM::Role")
        if role not in {"RegisterTaskRole", "RegisterScheduleRole", "DeployRole"}
    }


def _group(role: str) -> str:
    return "RegisterLogs" if role == "RegisterStartRole" else f"{role.removesuffix('Role')}Logs"


def test_a_role_is_one_services_alone(resources: dict[str, Any]) -> None:
    for name, role in of_type(resources, "AWS::IAM::Role").items():
        kind = name.removeprefix("Register").removesuffix("Role")
        kind = kind if kind in SERVICES else ""
        (statement,) = role["AssumeRolePolicyDocument"]["Statement"]
        expected = f"{SERVICES.get(kind, 'lambda')}.amazonaws.com"
        assert statement["Principal"] == {"Service": expected}, name
        assert statement["Action"] == "sts:AssumeRole", name
        if kind:  # a service of everybody's: only for this account
            account = {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}
            assert statement["Condition"] == account, name


def test_a_function_is_called_by_this_api_or_its_own_schedule(resources: dict[str, Any]) -> None:
    for name, permission in of_type(resources, "AWS::Lambda::Permission").items():
        assert permission["Action"] == "lambda:InvokeFunction", name
        source = json.dumps(permission["SourceArn"])
        if permission["Principal"] == "events.amazonaws.com":
            assert permission["SourceArn"]["Fn::GetAtt"] == [name.removesuffix("Permission"), "Arn"]
        else:
            assert permission["Principal"] == "apigateway.amazonaws.com", name
            assert ":${AWS::AccountId}:${__ApiId__}/" in source, name
            assert '"__ApiId__": {"Ref": "Api"}' in source, name


def test_no_table_bucket_or_function_lets_anybody_else_in(resources: dict[str, Any]) -> None:
    assert of_type(resources, "AWS::Lambda::Url") == {}
    assert not any("ResourcePolicy" in table for table in of_type(resources, "AWS::DynamoDB::Table").values())
    (policy,) = of_type(resources, "AWS::S3::BucketPolicy").values()
    assert {one["Effect"] for one in policy["PolicyDocument"]["Statement"]} == {"Deny"}
    (bucket,) = of_type(resources, "AWS::S3::Bucket").values()
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}

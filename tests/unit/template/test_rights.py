"""What roles of the template may do beside DynamoDB, API Gateway and S3.

``tests/integration/template`` checks those three services against the calls that functions and builder make.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.services.expanded import of_type, rights, statements, template

LOGGED = {"logs:CreateLogStream", "logs:PutLogEvents"}
TRACED = {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}
"""Granted to every function if tracing is on."""
IN_A_VPC = {
    *("ec2:CreateNetworkInterface", "ec2:DescribeNetworkInterfaces", "ec2:DeleteNetworkInterface"),
    *("ec2:DescribeSubnets", "ec2:AssignPrivateIpAddresses", "ec2:UnassignPrivateIpAddresses"),
}
"""What Lambda does by a function's role to have it in a VPC."""
CHECKED_AGAINST_THE_CODE = {"dynamodb", "apigateway", "s3"}
BY_NAME = {
    ("BillingRole", "ssm:GetParameter"),
    ("CnpjRole", "ssm:GetParameter"),
    ("McpRole", "ssm:GetParameter"),
    ("CnpjRole", "lambda:InvokeFunction"),
    ("McpRole", "lambda:InvokeFunction"),
    # indexes for searches: written by the builder, read by the function
    ("RegisterTaskRole", "elasticfilesystem:ClientMount"),
    ("RegisterTaskRole", "elasticfilesystem:ClientWrite"),
    ("SearchRole", "elasticfilesystem:ClientMount"),
    *(("SearchRole", action) for action in IN_A_VPC),
    # messages about webhooks: sent by who adds deliveries, read by Lambda with the rights of the function
    ("AccountRole", "sqs:SendMessage"),
    ("AnnounceRole", "sqs:SendMessage"),
    ("DeliverRole", "sqs:SendMessage"),
    ("DeliverRole", "sqs:ReceiveMessage"),
    ("DeliverRole", "sqs:DeleteMessage"),
    ("DeliverRole", "sqs:GetQueueAttributes"),
    # what CodeDeploy does itself
    ("DeployRole", "lambda:GetAlias"),
    ("DeployRole", "lambda:UpdateAlias"),
    ("DeployRole", "lambda:GetProvisionedConcurrencyConfig"),
    ("DeployRole", "cloudwatch:DescribeAlarms"),
    # to start the builder: its image, and permission to pass these two roles
    ("RegisterStartRole", "ecr:BatchCheckLayerAvailability"),
    ("RegisterStartRole", "ecr:BatchGetImage"),
    ("RegisterStartRole", "ecr:GetDownloadUrlForLayer"),
    ("RegisterStartRole", "ecr:GetAuthorizationToken"),
    ("RegisterScheduleRole", "ecs:RunTask"),
    ("RegisterScheduleRole", "iam:PassRole"),
    # DynamoDB logs an import with the rights of its caller
    *(
        ("RegisterTaskRole", f"logs:{action}")
        for action in ("CreateLogGroup", "DescribeLogGroups", "DescribeLogStreams", "PutRetentionPolicy")
    ),
}
SERVICES = {"Task": "ecs-tasks", "Start": "ecs-tasks", "Schedule": "scheduler", "Deploy": "codedeploy"}


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


OPEN_TO_ALL = {"xray:PutTraceSegments": '"*"'}
"""X-Ray supports no narrower resource."""
OPEN_ENDS = {
    # AWS chooses the ids of gateway keys and imports.
    ("GatewayKeysRole", "apigateway:DELETE"): "::/apikeys/*",
    ("RegisterTaskRole", "dynamodb:DescribeImport"): "/import/*",
    ("RegisterTaskRole", "logs:CreateLogGroup"): ":log-group:/aws-dynamodb/*",
    ("RegisterTaskRole", "s3:GetObject"): "/*",
    ("RegisterStartRole", "ecr:GetAuthorizationToken"): '"*"',
    ("SearchRole", "ec2:CreateNetworkInterface"): '"*"',
    # CloudWatch describes all alarms of a region.
    ("DeployRole", "cloudwatch:DescribeAlarms"): ":alarm:*",
}


def test_every_function_has_a_role_without_wildcards(resources: dict[str, Any]) -> None:
    functions = of_type(resources, "AWS::Lambda::Function")
    assert len({json.dumps(function["Role"]) for function in functions.values()}) == len(functions)
    shared = [
        arn
        for role in of_type(resources, "AWS::IAM::Role").values()
        for arn in role.get("ManagedPolicyArns", [])
    ]
    assert set(re.findall(r"'Ref': '(\w+)'", str(shared))) - {"AWS::NoValue"} == set(
        of_type(resources, "AWS::IAM::ManagedPolicy")
    )
    for name, statement in statements(resources):
        rights = json.dumps([part for part in statement.items() if part[0] != "Condition"])
        action = statement["Action"][0]
        open_end = OPEN_ENDS.get((name, action), OPEN_TO_ALL.get(action, ""))
        assert open_end in rights
        assert "*" not in rights.replace(open_end, ""), name


def test_traces_are_granted_only_where_tracing_is_on(resources: dict[str, Any]) -> None:
    traced = {(right.role, right.condition) for right in rights(resources) if "xray" in str(right.statement)}
    roles = of_type(template()["Resources"], "AWS::IAM::Role").keys() - {"DeployRole"}
    assert traced == {(role, "Traces") for role in roles}


def test_a_secret_is_readable_by_the_functions_that_need_it(resources: dict[str, Any]) -> None:
    readers: dict[str, set[str]] = {}
    for right in rights(resources):
        for parameter in re.findall(r"ssm:GetParameter.*'ssm:', {'Ref': '(\w+)'", str(right.statement)):
            assert right.condition == f"Has{parameter}"
            readers.setdefault(parameter, set()).add(right.role)
    assert readers == {
        "CnpjaToken": {"CnpjRole", "McpRole"},
        "CnpjwsToken": {"CnpjRole", "McpRole"},
        "StripeApiKey": {"BillingRole"},
        "StripeWebhookSecrets": {"BillingRole"},
    }


def test_other_actions_are_listed_here(resources: dict[str, Any]) -> None:
    others = {
        (role, action)
        for role, action, _ in granted(resources)
        if action.partition(":")[0] not in CHECKED_AGAINST_THE_CODE and action not in LOGGED | TRACED
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


def test_a_role_is_assumed_by_one_service(resources: dict[str, Any]) -> None:
    for name, role in of_type(resources, "AWS::IAM::Role").items():
        kind = name.removeprefix("Register").removesuffix("Role")
        kind = kind if kind in SERVICES else ""
        (statement,) = role["AssumeRolePolicyDocument"]["Statement"]
        expected = f"{SERVICES.get(kind, 'lambda')}.amazonaws.com"
        assert statement["Principal"] == {"Service": expected}, name
        assert statement["Action"] == "sts:AssumeRole", name
        if kind:  # a service that acts for any account
            account = {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}
            assert statement["Condition"] == account, name


def test_a_function_is_invoked_by_this_api_or_its_schedule(resources: dict[str, Any]) -> None:
    for name, permission in of_type(resources, "AWS::Lambda::Permission").items():
        assert permission["Action"] == "lambda:InvokeFunction", name
        source = json.dumps(permission["SourceArn"])
        if permission["Principal"] == "events.amazonaws.com":
            assert permission["SourceArn"]["Fn::GetAtt"] == [name.removesuffix("Permission"), "Arn"]
        else:
            assert permission["Principal"] == "apigateway.amazonaws.com", name
            assert ":${AWS::AccountId}:${__ApiId__}/" in source, name
            assert '"__ApiId__": {"Ref": "Api"}' in source, name


def test_no_table_bucket_or_function_is_public(resources: dict[str, Any]) -> None:
    assert of_type(resources, "AWS::Lambda::Url") == {}
    assert not any("ResourcePolicy" in table for table in of_type(resources, "AWS::DynamoDB::Table").values())
    (policy,) = of_type(resources, "AWS::S3::BucketPolicy").values()
    assert {one["Effect"] for one in policy["PolicyDocument"]["Statement"]} == {"Deny"}
    (bucket,) = of_type(resources, "AWS::S3::Bucket").values()
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}

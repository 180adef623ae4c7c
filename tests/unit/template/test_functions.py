"""Functions and tables of the template: limits, versions, and how a deployment moves callers."""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import pytest

from brskills_server.adapters.aws import Service
from brskills_server.registry.lookup.blocking_lookup import MANY_SECONDS
from tests.services import expanded
from tests.services.expanded import of_type, statements, template
from tests.services.gateway import ROOT

ON_SCHEDULE = {"AnnounceFunction", "DeliverFunction", "GatewayKeysFunction", "ProbeFunction"}


def test_functions_that_wait_for_providers_cannot_starve_the_others(resources: dict[str, Any]) -> None:
    none = {"Ref": "AWS::NoValue"}
    limit = {"Fn::If": ["ReservesConcurrency", {"Ref": "SlowFunctionsConcurrency"}, none]}
    reserved = {
        name: function["ReservedConcurrentExecutions"]
        for name, function in of_type(resources, "AWS::Lambda::Function").items()
        if "ReservedConcurrentExecutions" in function
    }
    assert reserved == {
        **dict.fromkeys(("CnpjFunction", "CustomFunction", "McpFunction", "OauthFunction"), limit),
        "PayeeFunction": {"Fn::If": ["ReservesConcurrency", 50, none]},
        "AnnounceFunction": {"Fn::If": ["ReservesConcurrency", 1, none]},
        "DeliverFunction": {"Fn::If": ["ReservesConcurrency", 40, none]},
        "GatewayKeysFunction": {"Fn::If": ["ReservesConcurrency", 1, none]},
    }
    default = template()["Parameters"]["SlowFunctionsConcurrency"]["Default"]
    assert 4 * default + 50 + 40 + 2 <= 1000 - 100  # AWS keeps 100 of an account's quota unreserved


def test_every_function_has_the_runtime_logs_that_expire_and_a_sample_event(service) -> None:
    functions = of_type(service, "AWS::Lambda::Function")
    for function in functions.values():
        assert (function["Runtime"], function["Architectures"]) == ("python3.13", [{"Ref": "Architecture"}])
        assert "LogGroup" in function["LoggingConfig"]
        assert function["TracingConfig"] == {"Mode": {"Fn::If": ["Traces", "Active", "PassThrough"]}}
    assert template()["Parameters"]["Tracing"]["Default"] == "off"
    assert all("RetentionInDays" in logs for logs in of_type(service, "AWS::Logs::LogGroup").values())
    folders = {re.sub(r"(?<!^)(?=[A-Z])", "_", name.removesuffix("Function")).lower() for name in functions}
    assert folders == {event.stem for event in (ROOT / "events").glob("*.json")}


def test_the_queue_leaves_a_place_for_the_schedule_and_comes_again(service: dict[str, Any]) -> None:
    (source,) = of_type(service, "AWS::Lambda::EventSourceMapping").values()
    function = service["DeliverFunction"]["Properties"]
    reserved = function["ReservedConcurrentExecutions"]["Fn::If"][1]
    assert source["ScalingConfig"]["MaximumConcurrency"] == {
        "Fn::If": ["ReservesConcurrency", reserved - 1, 2]
    }
    assert source["FunctionName"] == {"Ref": "DeliverFunctionAliaslive"}
    assert source["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    queue, dead = (service[name]["Properties"] for name in ("WebhookQueue", "WebhookDeadLetters"))
    assert source["EventSourceArn"] == {"Fn::GetAtt": "WebhookQueue.Arn"}
    assert queue["VisibilityTimeout"] >= 6 * function["Timeout"]  # as AWS advises
    assert queue["RedrivePolicy"] == {
        "deadLetterTargetArn": {"Fn::GetAtt": "WebhookDeadLetters.Arn"},
        "maxReceiveCount": 5,
    }
    assert dead["MessageRetentionPeriod"] == 14 * 86_400  # the longest


def test_queues_are_encrypted_and_refuse_plain_http(service: dict[str, Any]) -> None:
    queues = of_type(service, "AWS::SQS::Queue")
    assert all(queue["SqsManagedSseEnabled"] is True for queue in queues.values())
    (policy,) = of_type(service, "AWS::SQS::QueuePolicy").values()
    assert policy["Queues"] == [{"Ref": name} for name in queues]
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert (statement["Effect"], statement["Principal"]) == ("Deny", "*")
    assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    assert statement["Resource"] == [{"Fn::GetAtt": f"{name}.Arn"} for name in queues]


def test_tables_are_on_demand_and_recoverable_and_expire_items(resources: dict[str, Any]) -> None:
    for table in of_type(resources, "AWS::DynamoDB::Table").values():
        assert table["BillingMode"] == "PAY_PER_REQUEST"
        assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
        assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}
    for name in ("AccessTable", "WatchesTable"):
        table = resources[name]
        assert table["DeletionPolicy"] == table["UpdateReplacePolicy"] == "Retain"
        assert table["Properties"]["DeletionProtectionEnabled"] is True


def test_the_layer_has_every_package() -> None:
    makefile = (ROOT / "layers/shared/Makefile").read_text(encoding="utf-8")
    (listed,) = re.findall(r"^PACKAGES = (.+)$", makefile, re.MULTILINE)
    packages = {path.parent.name for path in ROOT.glob("layers/shared/*/__init__.py")}
    assert listed.split() == sorted(packages)


def test_the_layer_has_data_on_every_service_that_has_a_client() -> None:
    makefile = (ROOT / "layers/shared/Makefile").read_text(encoding="utf-8")
    (kept,) = re.findall(r"^SERVICES = (.+)$", makefile, re.MULTILINE)
    assert kept.split() == sorted(get_args(Service))


def test_callers_and_schedules_invoke_the_published_version(service: dict[str, Any]) -> None:
    live = {f"{function}Aliaslive" for function in of_type(service, "AWS::Lambda::Function")}
    aliases = of_type(service, "AWS::Lambda::Alias")
    assert aliases.keys() == live
    assert {alias["Name"] for alias in aliases.values()} == {"live"}
    body = service["Api"]["Properties"]["Body"]
    uris = [
        operation["x-amazon-apigateway-integration"]["uri"]["Fn::Sub"]
        for methods in body["paths"].values()
        for operation in methods.values()
        if operation["x-amazon-apigateway-integration"]["type"] == "aws_proxy"
    ]
    called = {name for uri in uris for name in re.findall(r"/functions/\$\{(\w+)\}/", uri)}
    rules = of_type(service, "AWS::Events::Rule").values()
    called |= {target["Arn"]["Ref"] for rule in rules for target in rule["Targets"]}
    assert called == live - {"AuthorizerFunctionAliaslive"}
    authorizer = body["securityDefinitions"]["KeyAuthorizer"]["x-amazon-apigateway-authorizer"]
    assert json.dumps(authorizer["authorizerUri"]).count("${AuthorizerFunction.Arn}:live") == 1
    assert service["Api"]["DependsOn"] == "AuthorizerFunctionAliaslive"
    allowed = [one["FunctionName"] for one in of_type(service, "AWS::Lambda::Permission").values()]
    assert all("live" in json.dumps(function) for function in allowed)


def test_a_release_alone_makes_a_version_and_alarms_roll_it_back(resources: dict[str, Any]) -> None:
    def versions(found: dict[str, Any]) -> set[str]:
        return set(of_type(found, "AWS::Lambda::Version"))

    assert versions(expanded.resources(SignupsPerDay="9")) == versions(resources)
    gradual = expanded.resources(Release="1763800001", Deployment="Canary10Percent15Minutes")
    assert not versions(gradual) & versions(resources)
    assert of_type(resources, "AWS::CodeDeploy::DeploymentGroup") == {}
    groups = of_type(gradual, "AWS::CodeDeploy::DeploymentGroup")
    moved = of_type(gradual, "AWS::Lambda::Function").keys() - ON_SCHEDULE
    assert groups.keys() == {f"{function}DeploymentGroup" for function in moved}
    for group in groups.values():
        assert group["ServiceRoleArn"] == {"Fn::GetAtt": "DeployRole.Arn"}
        assert "DEPLOYMENT_STOP_ON_ALARM" in group["AutoRollbackConfiguration"]["Events"]
        condition, monitored, _ = group["AlarmConfiguration"]["Fn::If"]
        assert condition == "Monitored"
        named = {alarm["Name"]["Fn::GetAtt"].rpartition(".")[2] for alarm in monitored["Alarms"]}
        assert named == {"InternalErrorsAlarm", "SkillsFailAlarm", "ServerErrorsAlarm"}
        outputs = expanded.read("monitoring.yaml")["Outputs"]
        assert all(outputs[name]["Value"] == {"Ref": name} for name in named)
    aliases, capacity, _ = (one for name, one in statements(gradual) if name == "DeployRole")
    functions = [function for function in gradual if function in moved]
    assert aliases["Resource"] == [{"Fn::GetAtt": f"{function}.Arn"} for function in functions]
    assert capacity["Resource"] == [{"Fn::Sub": f"${{{function}.Arn}}:live"} for function in functions]
    assert template()["Parameters"]["Deployment"]["AllowedValues"] == [*template()["Mappings"]["Deployments"]]


@pytest.mark.parametrize("function", ["CnpjFunction", "McpFunction"])
def test_a_function_that_looks_many_companies_up_has_the_time(service: dict[str, Any], function: str) -> None:
    assert MANY_SECONDS < service[function]["Properties"]["Timeout"] < 29, "API Gateway's limit"

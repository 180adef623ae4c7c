"""What the template promises, checked in its expanded form, which is what CloudFormation gets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from brskills_server.accounts.account import DEMO
from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.api_key import digest
from brskills_server.accounts.plans import PLANS, QUOTA_EXHAUSTED_RATE
from brskills_server.accounts.throttle_groups import (
    QUOTA_EXHAUSTED,
    SHARED_THROTTLE_GROUPS,
    dedicated_key_name,
)
from brskills_server.registry.health.evidence import EVIDENCE_SECONDS, QUIET_SECONDS
from brskills_server.registry.providers import MOST_PAID_PER_DAY
from brskills_server.skills.catalogue import BATCHES, SKILLS
from functions.authorizer import app as authorizer
from tests.conftest import DEMO_KEY
from tests.services.expanded import expand, read
from tests.services.gateway import ROOT
from tests.services.store import in_memory


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    expanded: dict[str, Any] = expand(read())["Resources"]
    return expanded


def of_type(resources: dict[str, Any], kind: str) -> dict[str, Any]:
    return {name: r["Properties"] for name, r in resources.items() if r["Type"] == kind}


def statements(resources: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every statement of every role by the role's name, whatever condition it stands under."""
    for name, role in of_type(resources, "AWS::IAM::Role").items():
        assert "ManagedPolicyArns" not in role
        for policy in role["Policies"]:
            for statement in policy["PolicyDocument"]["Statement"]:
                yield name, statement["Fn::If"][1] if "Fn::If" in statement else statement


@pytest.fixture(scope="module")
def definition(resources: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = resources["Api"]["Properties"]["Body"]
    return body


@pytest.fixture(scope="module")
def usage_plans(resources: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Usage plans by their names without the stack's."""
    plans = of_type(resources, "AWS::ApiGateway::UsagePlan").values()
    return {plan["UsagePlanName"]["Fn::Sub"].removeprefix("${AWS::StackName}-"): plan for plan in plans}


def test_usage_plans_are_the_plans_of_the_code(usage_plans: dict[str, dict[str, Any]]) -> None:
    rates = {name: tuple(plan["Throttle"].values()) for name, plan in usage_plans.items()}
    expected = {plan.id: (plan.rate, plan.burst) for plan in PLANS.values()}
    assert rates == expected | {QUOTA_EXHAUSTED: expected["free"]}
    assert all(list(plan["Throttle"]) == ["RateLimit", "BurstLimit"] for plan in usage_plans.values())


def test_a_used_up_month_slows_the_counted_routes_and_no_other(
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


def test_every_shared_gateway_key_is_there_and_in_its_plan_alone(
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
    assert min(len("s-" + value) for value in values.values()) >= 20  # whatever the stack's name is


def test_the_authorizer_names_for_ten_thousand_accounts_only_keys_that_are_there(
    resources: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = in_memory()
    accounts = Accounts(store, digest(DEMO_KEY))
    monkeypatch.setattr(authorizer, "accounts", accounts)
    monkeypatch.setattr(authorizer, "gateway_key_prefix", "${AWS::StackName}")
    own = set()
    issued = [DEMO_KEY]
    for n in range(10_000):
        key = accounts.open(("free", "free", "free", "pro", "enterprise")[n % 5])
        issued.append(key.api_key)
        if n % 3 == 0:  # ready or, after a change of plan, left over from another
            plan = ("pro", "enterprise")[n % 2]
            store.set_dedicated_gateway_key(key.account, plan)
            own.add(f"${{AWS::StackName}}-{dedicated_key_name(plan, key.account)}")
        if n % 7 == 0:
            store.set_limit(key.account, 0)
    event = {"methodArn": "arn:aws:execute-api:sa-east-1:123456789012:abc123/v1/GET/api/v1/usage"}
    named = {
        authorizer.handler({**event, "headers": {"X-API-Key": key}}, None)["usageIdentifierKey"]
        for key in issued
    }
    shared = {key["Value"]["Fn::Sub"] for key in of_type(resources, "AWS::ApiGateway::ApiKey").values()}
    assert shared < named <= shared | own


def test_a_usage_plan_stands_on_the_stage_that_is_there(
    resources: dict[str, Any], usage_plans: dict[str, dict[str, Any]]
) -> None:
    (stage,) = of_type(resources, "AWS::ApiGateway::Stage")
    for plan in usage_plans.values():
        (used,) = plan["ApiStages"]
        assert (used["ApiId"], used["Stage"]) == ({"Ref": "Api"}, {"Ref": stage})


def test_the_stack_is_far_below_what_cloudformation_takes(resources: dict[str, Any]) -> None:
    print(len(resources), "resources of 500")
    assert len(resources) < 500


def test_no_route_takes_all_of_the_account_or_less_than_a_plan_promises(resources: dict[str, Any]) -> None:
    (stage,) = of_type(resources, "AWS::ApiGateway::Stage").values()
    default = next(s for s in stage["MethodSettings"] if (s["HttpMethod"], s["ResourcePath"]) == ("*", "/*"))
    assert max(plan.rate for plan in PLANS.values()) < default["ThrottlingRateLimit"] < 10_000
    assert max(plan.burst for plan in PLANS.values()) < default["ThrottlingBurstLimit"] < 5_000


def test_no_more_paid_calls_can_be_asked_for_than_can_be_counted() -> None:
    assert read()["Parameters"]["PaidLookupsPerDay"]["MaxValue"] == MOST_PAID_PER_DAY


def test_paid_look_ups_may_be_for_any_plan_but_the_demo_keys() -> None:
    form = read()["Parameters"]["PaidLookupPlans"]
    assert re.fullmatch(form["AllowedPattern"], ",".join(PLANS.keys() - {DEMO}))
    assert not re.fullmatch(form["AllowedPattern"], DEMO)


def test_functions_that_wait_for_providers_cannot_starve_the_others(resources: dict[str, Any]) -> None:
    none = {"Ref": "AWS::NoValue"}
    reserved = {
        name: function.get("ReservedConcurrentExecutions")
        for name, function in of_type(resources, "AWS::Lambda::Function").items()
    }
    limit = {"Fn::If": ["ReservesConcurrency", {"Ref": "SlowFunctionsConcurrency"}, none]}
    assert {name: limited for name, limited in reserved.items() if limited} == {
        "CnpjFunction": limit,
        "CustomFunction": limit,
        "McpFunction": limit,
        "OauthFunction": limit,
        "GatewayKeysFunction": {"Fn::If": ["ReservesConcurrency", 1, none]},
    }


def test_the_fence_by_address_is_off_unless_asked_for(resources: dict[str, Any]) -> None:
    fence = {name: r for name, r in resources.items() if r["Type"].startswith("AWS::WAFv2::")}
    assert {r.get("Condition") for r in fence.values()} == {"HasWaf"}
    assert read()["Parameters"]["WafRequestsPerAddress"]["Default"] == 0
    (rule,) = fence["Waf"]["Properties"]["Rules"]
    limited = rule["Statement"]["RateBasedStatement"]
    assert (limited["AggregateKeyType"], limited["Limit"]) == ("IP", {"Ref": "WafRequestsPerAddress"})
    (stage,) = of_type(resources, "AWS::ApiGateway::Stage")
    associated = fence["WafOnStage"]["Properties"]["ResourceArn"]["Fn::Sub"]
    assert associated.endswith(f"::/restapis/${{Api}}/stages/${{{stage}}}")


def test_providers_are_probed_unless_nobody_wants_it(resources: dict[str, Any]) -> None:
    made = {
        re.sub(r"(?<=Version)[0-9a-f]+$", "", name): r["Type"]
        for name, r in resources.items()
        if r.get("Condition") == "Probes"
    }
    assert made == {
        "ProbeFunction": "AWS::Lambda::Function",
        "ProbeFunctionVersion": "AWS::Lambda::Version",
        "ProbeFunctionAliaslive": "AWS::Lambda::Alias",
        "ProbeFunctionRound": "AWS::Events::Rule",
        "ProbeFunctionRoundPermission": "AWS::Lambda::Permission",
        "ProbeLogs": "AWS::Logs::LogGroup",
        "ProbeRole": "AWS::IAM::Role",
    }
    template = read()
    assert template["Conditions"]["Probes"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "ProbeMinutes"}, 0]}]}
    assert template["Parameters"]["ProbeMinutes"]["Default"] * 60 <= EVIDENCE_SECONDS - QUIET_SECONDS


def test_a_domain_is_made_where_it_is_asked_for_and_its_root_is_the_stage(resources: dict[str, Any]) -> None:
    made = {name: r for name, r in resources.items() if r.get("Condition") == "HasDomain"}
    assert {name: r["Type"] for name, r in made.items()} == {
        "Domain": "AWS::ApiGateway::DomainName",
        "DomainRoot": "AWS::ApiGateway::BasePathMapping",
    }
    (stage,) = of_type(resources, "AWS::ApiGateway::Stage")
    assert made["DomainRoot"]["Properties"] == {  # without a base path: at the root
        "DomainName": {"Ref": "Domain"},
        "RestApiId": {"Ref": "Api"},
        "Stage": {"Ref": stage},
    }
    template = read()
    assert template["Parameters"]["DomainName"]["Default"] == ""
    outputs = template["Outputs"]
    assert {name for name, output in outputs.items() if output.get("Condition") == "HasDomain"} == {
        "DomainTarget",
        "DomainTargetZone",
    }
    for name, end in (("BaseUrl", ""), ("Page", "/")):
        of_domain, of_stage = outputs[name]["Value"]["Fn::If"][1:]
        assert of_domain["Fn::Sub"] == "https://${DomainName}" + end
        assert of_stage["Fn::Sub"].endswith(".amazonaws.com/v1" + end)


def test_that_pro_is_sold_is_known_to_all_and_takes_all_of_stripes_settings(
    resources: dict[str, Any],
) -> None:
    for name in ("SiteFunction", "StatusFunction", "BillingFunction"):
        environment = resources[name]["Properties"]["Environment"]["Variables"]
        assert environment["STRIPE_PRICE_PRO"] == {"Ref": "StripePricePro"}, name
        assert environment["CONTACT_EMAIL"] == {"Ref": "ContactEmail"}, name
        assert environment["SLA_URL"] == {"Ref": "SlaUrl"}, name
    rule = read()["Rules"]["SoldWithAllItTakes"]
    assert "StripePricePro" in str(rule["RuleCondition"])
    (needed,) = rule["Assertions"]
    assert {"StripeApiKeyName", "StripeWebhookSecretsName"} <= set(re.findall(r"\w+", str(needed["Assert"])))


@pytest.mark.parametrize(
    ("parameter", "taken", "refused"),
    [
        (
            "DomainName",
            ["", "api.example.com"],
            ["example", "https://api.example.com", "API.example.com", "-a.b"],
        ),
        (
            "PrivacyUrl",
            ["", "https://x.example/a?b#c"],
            ["javascript:x", "https://x.example/a b", 'https://x"'],
        ),
        (
            "ContactEmail",
            ["", "a.b+c@x.example"],
            ["a@x", "a b@x.example", "mailto:a@x.example", '"a"@x.example'],
        ),
        ("OpenAIAppsChallenge", ["", "aZ9-_"], ["two words", "é"]),
        (
            "RegistryName",
            ["com.example/brskills"],
            ["", "brskills", "example/brskills", "-com.example/x", "com.example/a/b"],
        ),
        *(
            (
                f"{provider}Url",
                ["", "https://cnpj.example:8443", "http://[::1]:9100/"],
                ["notaurl", "ftp://cnpj.example", "https://cnpj example", "https://u:p@cnpj.example"],
            )
            for provider in ("Opencnpj", "Brasilapi", "Minhareceita", "Cnpja", "Cnpjws", "Receitaws")
        ),
    ],
)
def test_what_cannot_be_right_is_refused_before_anything_is_made(
    parameter: str, taken: list[str], refused: list[str]
) -> None:
    pattern = read()["Parameters"][parameter]["AllowedPattern"]
    assert all(re.fullmatch(pattern, value) for value in taken)
    assert not any(re.fullmatch(pattern, value) for value in refused)


def test_no_number_below_nothing_is_taken() -> None:
    numbers = {name: what for name, what in read()["Parameters"].items() if what["Type"] == "Number"}
    del numbers["LogRetentionDays"]  # CloudWatch knows its own
    assert {name: what.get("MinValue") for name, what in numbers.items()} == dict.fromkeys(numbers, 0)


def test_a_preflight_takes_neither_key_nor_authorizer(definition: dict[str, Any]) -> None:
    for path, methods in definition["paths"].items():
        assert not methods["options"].get("security"), path


OPEN = {
    *("keys", "plans", "status", "health", "openapi.json", "tools", "billing/webhook"),
    "skills/custom/{skill}",
}
"""Of the routes below /api/v1, those without authorizer; beside it stand documents, the page and /mcp."""


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
    for name, statement in statements(resources):
        granted = json.dumps([part for part in statement.items() if part[0] != "Condition"])
        open_end = OPEN_ENDS.get((name, statement["Action"][0]), OPEN_TO_ALL.get(statement["Action"][0], ""))
        assert open_end in granted
        assert "*" not in granted.replace(open_end, ""), name


OPEN_TO_ALL = {"xray:PutTraceSegments": '"*"'}
"""X-Ray knows no narrower resource; only where traces are asked for."""

OPEN_ENDS = {
    # The ids of gateway keys and of imports are AWS's own choice: whoever deletes some keys may delete any.
    ("GatewayKeysRole", "apigateway:DELETE"): "::/apikeys/*",
    ("RegisterTaskRole", "dynamodb:DescribeImport"): "/import/*",
    ("RegisterTaskRole", "logs:CreateLogGroup"): ":log-group:/aws-dynamodb/*",
    ("RegisterTaskRole", "s3:GetObject"): "/*",
    ("RegisterStartRole", "ecr:GetAuthorizationToken"): '"*"',
    # CloudWatch looks at all of a region's, whatever names it is asked for.
    ("DeployRole", "cloudwatch:DescribeAlarms"): ":alarm:*",
}


def test_traces_and_lines_of_the_gateway_are_made_only_where_they_are_asked_for(
    resources: dict[str, Any],
) -> None:
    parameters = read()["Parameters"]
    assert [parameters[name]["Default"] for name in ("Tracing", "AccessLogs")] == ["off", "off"]
    for role in of_type(resources, "AWS::IAM::Role").values():
        for policy in role["Policies"]:
            for statement in policy["PolicyDocument"]["Statement"]:
                assert "xray" not in json.dumps(statement) or statement["Fn::If"][0] == "Traces"
    for function in of_type(resources, "AWS::Lambda::Function").values():
        assert function["TracingConfig"] == {"Mode": {"Fn::If": ["Traces", "Active", "PassThrough"]}}
    (stage,) = of_type(resources, "AWS::ApiGateway::Stage").values()
    condition, logged, nothing = stage["AccessLogSetting"]["Fn::If"]
    assert (condition, nothing) == ("LogsAccess", {"Ref": "AWS::NoValue"})
    # Neither who called, nor with which key, nor a path: that of a look-up has a company's number.
    assert set(re.findall(r"\$context\.([A-Za-z.]+)", logged["Format"])) == {
        *("requestId", "httpMethod", "resourcePath", "status"),
        *("responseLatency", "integrationLatency", "error.responseType"),
    }
    line = json.loads(re.sub(r"\$context\.[A-Za-z.]+", "x", logged["Format"]))
    assert {"request_id", "route", "status", "latency", "integration_latency"} <= line.keys()


def test_a_parameter_is_read_by_the_functions_that_need_it_alone(resources: dict[str, Any]) -> None:
    readers: dict[str, set[str]] = {}
    for name, role in of_type(resources, "AWS::IAM::Role").items():
        for policy in role["Policies"]:
            text = json.dumps([part for part in policy["PolicyDocument"]["Statement"] if "Fn::If" in part])
            for parameter in re.findall(r"ssm:GetParameter.*?:parameter\$\{(\w+)\}", text):
                readers.setdefault(parameter, set()).add(name)
    assert readers == {
        "CnpjaTokenName": {"CnpjRole", "McpRole"},
        "CnpjwsTokenName": {"CnpjRole", "McpRole"},
        "StripeApiKeyName": {"BillingRole"},
        "StripeWebhookSecretsName": {"BillingRole"},
    }
    told = {
        name
        for name, function in of_type(resources, "AWS::Lambda::Function").items()
        if "CNPJA_TOKEN" in json.dumps(function)
    }
    assert told == {"CnpjFunction", "McpFunction"}


def test_tables_are_on_demand_recoverable_and_expire_items(resources: dict[str, Any]) -> None:
    for table in of_type(resources, "AWS::DynamoDB::Table").values():
        assert table["BillingMode"] == "PAY_PER_REQUEST"
        assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
        assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}


def test_the_accounts_are_not_deleted_by_a_slip(resources: dict[str, Any]) -> None:
    table = resources["AccessTable"]
    assert table["DeletionPolicy"] == table["UpdateReplacePolicy"] == "Retain"
    assert table["Properties"]["DeletionProtectionEnabled"] is True


def test_every_function_has_logs_that_expire_and_a_sample_event(resources: dict[str, Any]) -> None:
    functions = of_type(resources, "AWS::Lambda::Function")
    assert all("LogGroup" in function["LoggingConfig"] for function in functions.values())
    assert all("RetentionInDays" in logs for logs in of_type(resources, "AWS::Logs::LogGroup").values())
    named = {re.sub(r"(?<!^)(?=[A-Z])", "_", name.removesuffix("Function")).lower() for name in functions}
    assert named == {event.stem for event in (ROOT / "events").glob("*.json")}


def test_every_function_runs_the_stated_runtime(resources: dict[str, Any]) -> None:
    for function in of_type(resources, "AWS::Lambda::Function").values():
        assert function["Runtime"] == "python3.13"
        assert function["Architectures"] == [{"Ref": "Architecture"}]


def test_the_layer_has_every_room() -> None:
    makefile = (ROOT / "layers/shared/Makefile").read_text(encoding="utf-8")
    (listed,) = re.findall(r"^PACKAGES = (.+)$", makefile, re.MULTILINE)
    rooms = {path.parent.name for path in ROOT.glob("layers/shared/*/__init__.py")}
    assert listed.split() == sorted(rooms)


def test_callers_and_schedules_meet_the_published_version(resources: dict[str, Any]) -> None:
    functions = of_type(resources, "AWS::Lambda::Function")
    aliases = of_type(resources, "AWS::Lambda::Alias")
    assert {alias["Name"] for alias in aliases.values()} == {"live"}
    assert {alias["FunctionName"]["Ref"] for alias in aliases.values()} == functions.keys()
    live = {f"{function}Aliaslive" for function in functions}
    assert aliases.keys() == live
    body = resources["Api"]["Properties"]["Body"]
    uris = [
        operation["x-amazon-apigateway-integration"]["uri"]["Fn::Sub"]
        for methods in body["paths"].values()
        for operation in methods.values()
        if operation["x-amazon-apigateway-integration"]["type"] == "aws_proxy"
    ]
    called = {name for uri in uris for name in re.findall(r"/functions/\$\{(\w+)\}/", uri)}
    called |= {
        target["Arn"]["Ref"]
        for rule in of_type(resources, "AWS::Events::Rule").values()
        for target in rule["Targets"]
    }
    assert called == live - {"AuthorizerFunctionAliaslive"}
    authorizer = body["securityDefinitions"]["KeyAuthorizer"]
    uri = authorizer["x-amazon-apigateway-authorizer"]["authorizerUri"]
    assert json.dumps(uri).count("${AuthorizerFunction.Arn}:live") == 1
    assert resources["Api"]["DependsOn"] == "AuthorizerFunctionAliaslive"
    allowed = [one["FunctionName"] for one in of_type(resources, "AWS::Lambda::Permission").values()]
    assert all("live" in json.dumps(function) for function in allowed)


def test_each_release_is_a_version_and_nothing_else_makes_one() -> None:
    def versions(**values: str) -> set[str]:
        return set(of_type(expand(read(**values))["Resources"], "AWS::Lambda::Version"))

    assert versions(Release="1763800000") == versions(Release="1763800000", SignupsPerDay="9")
    assert not versions(Release="1763800000") & versions(Release="1763800001")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "Release=$$(date +%s)" in makefile


def test_callers_functions_are_moved_by_steps_and_back_by_alarms_where_it_is_asked_for(
    resources: dict[str, Any],
) -> None:
    assert of_type(resources, "AWS::CodeDeploy::DeploymentGroup") == {}
    gradual = expand(read(Deployment="Canary10Percent15Minutes"))["Resources"]
    groups = of_type(gradual, "AWS::CodeDeploy::DeploymentGroup")
    by_the_clock = {"GatewayKeysFunction", "ProbeFunction"}
    moved = of_type(gradual, "AWS::Lambda::Function").keys() - by_the_clock
    assert groups.keys() == {f"{function}DeploymentGroup" for function in moved}
    for group in groups.values():
        assert group["ServiceRoleArn"] == {"Fn::GetAtt": "DeployRole.Arn"}
        assert "DEPLOYMENT_STOP_ON_ALARM" in group["AutoRollbackConfiguration"]["Events"]
        condition, watched, _ = group["AlarmConfiguration"]["Fn::If"]
        assert condition == "Watches"
        assert {alarm["Name"]["Ref"] for alarm in watched["Alarms"]} == {
            *("InternalErrorsAlarm", "BurnMinutesAlarm", "SkillsFailAlarm", "ServerErrorsAlarm"),
        }
    aliases, capacity, _ = (one for name, one in statements(gradual) if name == "DeployRole")
    functions = [function for function in gradual if function in moved]
    assert aliases["Resource"] == [{"Fn::GetAtt": f"{function}.Arn"} for function in functions]
    assert capacity["Resource"] == [{"Fn::Sub": f"${{{function}.Arn}}:live"} for function in functions]
    choices = read()["Parameters"]["Deployment"]["AllowedValues"]
    assert choices == [*read()["Mappings"]["Deployments"]]

"""Parameters of the template: what they accept, and what is made only where they ask for it."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from brskills_server.registry.health.evidence import EVIDENCE_SECONDS, QUIET_SECONDS
from brskills_server.registry.providers import MOST_PAID_PER_DAY
from tests.for_each import for_each
from tests.services.expanded import of_type, template
from tests.services.gateway import ROOT

PARAMETERS = template()["Parameters"]


def test_parameters_are_within_limits_of_the_code() -> None:
    assert PARAMETERS["PaidLookupsPerDay"]["MaxValue"] == MOST_PAID_PER_DAY
    assert PARAMETERS["ProbeMinutes"]["Default"] * 60 <= EVIDENCE_SECONDS - QUIET_SECONDS


@for_each(
    ("parameter", "accepted", "rejected"),
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
            (name, ["", "ssm:/brskills/stripe"], ["sk_live_x", "ssm:", "ssm:name", "/brskills/stripe"])
            for name in ("CnpjaToken", "CnpjwsToken", "StripeApiKey", "StripeWebhookSecrets")
        ),
    ],
)
def test_invalid_values_are_rejected(parameter: str, accepted: list[str], rejected: list[str]) -> None:
    pattern = PARAMETERS[parameter]["AllowedPattern"]
    assert all(re.fullmatch(pattern, value) for value in accepted)
    assert not any(re.fullmatch(pattern, value) for value in rejected)


def test_no_number_is_negative() -> None:
    numbers = {name: one for name, one in PARAMETERS.items() if one["Type"] == "Number"}
    del numbers["LogRetentionDays"]  # CloudWatch has its list
    assert {name: one.get("MinValue") for name, one in numbers.items()} == dict.fromkeys(numbers, 0)


@pytest.mark.parametrize(
    ("condition", "parameter", "prefix"),
    [("HasWaf", "WafRequestsPerAddress", "Waf"), ("HasDomain", "DomainName", "Domain")],
)
def test_optional_resources_are_off_by_default(
    condition: str, parameter: str, prefix: str, resources: dict[str, Any]
) -> None:
    made = {
        name: resource.get("Condition") for name, resource in resources.items() if name.startswith(prefix)
    }
    assert set(made.values()) == {condition}
    assert not PARAMETERS[parameter]["Default"]


def test_the_rate_limit_by_address_is_on_the_stage(resources: dict[str, Any]) -> None:
    (rule,) = resources["Waf"]["Properties"]["Rules"]
    limited = rule["Statement"]["RateBasedStatement"]
    assert (limited["AggregateKeyType"], limited["Limit"]) == ("IP", {"Ref": "WafRequestsPerAddress"})
    (stage,) = of_type(resources, "AWS::ApiGateway::Stage")
    associated = resources["WafOnStage"]["Properties"]["ResourceArn"]["Fn::Sub"]
    assert associated.endswith(f"::/restapis/${{Api}}/stages/${{{stage}}}")


def test_the_root_of_a_domain_is_the_stage(resources: dict[str, Any]) -> None:
    (stage,) = of_type(resources, "AWS::ApiGateway::Stage")
    assert resources["DomainRoot"]["Properties"] == {  # without a base path: at the root
        "DomainName": {"Ref": "Domain"},
        "RestApiId": {"Ref": "Api"},
        "Stage": {"Ref": stage},
    }
    of_domain, of_stage = template()["Outputs"]["BaseUrl"]["Value"]["Fn::If"][1:]
    assert of_domain["Fn::Sub"] == "https://${DomainName}"
    assert of_stage["Fn::Sub"].endswith(".amazonaws.com/v1")


def test_selling_pro_takes_all_of_stripes_settings(resources: dict[str, Any]) -> None:
    for name in ("SiteFunction", "BillingFunction"):
        environment = resources[name]["Properties"]["Environment"]["Variables"]
        for variable in ("StripePricePro", "ContactEmail", "SlaUrl"):
            key = re.sub(r"(?<!^)(?=[A-Z])", "_", variable).upper()
            assert environment[key] == {"Ref": variable}, name
    rule = template()["Rules"]["SoldWithAllItTakes"]
    assert "StripePricePro" in str(rule["RuleCondition"])
    (needed,) = rule["Assertions"]
    assert {"StripeApiKey", "StripeWebhookSecrets"} <= set(re.findall(r"\w+", str(needed["Assert"])))


@pytest.mark.parametrize("name", ["template.yaml", "monitoring.yaml", "register.yaml"])
def test_cloudformation_refuses_no_anchor(name: str) -> None:
    events = list(yaml.parse((ROOT / name).read_text(encoding="utf-8")))
    assert [event.start_mark.line + 1 for event in events if getattr(event, "anchor", None)] == []

"""The template on MiniStack with a domain of its own: what stands at its root, and what others are told.

MiniStack keeps domains and their mappings but takes no calls at them. So the function that has the documents
is called with the event that API Gateway makes of a call at a domain: its path is without the stage.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from tests.services.ministack import BUCKET, REGION, STACK, ministack
from tests.services.packages import EXAMPLE, install

DOMAIN = "api.brskills.example"
CERTIFICATE = f"arn:aws:acm:{REGION}:000000000000:certificate/00000000-0000-0000-0000-000000000000"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder, packages = (tmp_path_factory.mktemp(name) for name in ("ministack", "packages"))
    install(EXAMPLE, packages)
    with ministack(folder, {"DomainName": DOMAIN, "CertificateArn": CERTIFICATE}, packages) as deployed:
        yield deployed


def client(base: str, service: str) -> Any:
    return boto3.client(service, endpoint_url=base.partition("/_aws/")[0], region_name=REGION)  # type: ignore[call-overload]


def test_the_root_of_the_domain_is_the_stage(base: str) -> None:
    gateway = client(base, "apigateway")
    made = gateway.get_domain_name(domainName=DOMAIN)
    assert made["regionalCertificateArn"] == CERTIFICATE
    assert made["endpointConfiguration"]["types"] == ["REGIONAL"]
    (mapping,) = gateway.get_base_path_mappings(domainName=DOMAIN)["items"]
    assert (mapping["basePath"], mapping["stage"]) == ("(none)", "v1")
    assert mapping["restApiId"] in base


def test_operators_are_told_where_it_is_and_what_dns_is_to_say(base: str) -> None:
    (stack,) = client(base, "cloudformation").describe_stacks(StackName=STACK)["Stacks"]
    told = {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}
    assert (told["BaseUrl"], told["Page"]) == (f"https://{DOMAIN}", f"https://{DOMAIN}/")
    made = client(base, "apigateway").get_domain_name(domainName=DOMAIN)
    assert told["DomainTarget"] == made["regionalDomainName"]
    assert told["DomainTargetZone"] == made["regionalHostedZoneId"]


def test_a_domain_without_a_certificate_is_refused_before_anything_is_made(base: str) -> None:
    endpoint = base.partition("/_aws/")[0]
    formation = client(base, "cloudformation")
    with pytest.raises(ClientError, match="DomainName needs CertificateArn"):
        formation.create_stack(
            StackName="other",
            TemplateURL=f"{endpoint}/{BUCKET}/template.json",
            Parameters=[{"ParameterKey": "DomainName", "ParameterValue": DOMAIN}],
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
        )


@pytest.mark.parametrize("document", ["oauth-authorization-server", "openid-configuration"])
def test_at_the_domain_the_issuer_is_its_root(base: str, document: str) -> None:
    path = f"/.well-known/{document}"
    event = {
        "httpMethod": "GET",
        "resource": path,
        "path": path,
        "headers": {"Host": DOMAIN, "X-Forwarded-Proto": "https"},
        "requestContext": {"requestId": "r-1", "domainName": DOMAIN, "path": path, "stage": "v1"},
    }
    resources = client(base, "cloudformation").describe_stack_resources(StackName=STACK)["StackResources"]
    (function,) = (r for r in resources if r["LogicalResourceId"] == "OauthFunction")
    answered = client(base, "lambda").invoke(
        FunctionName=function["PhysicalResourceId"], Payload=json.dumps(event)
    )
    server = json.loads(json.load(answered["Payload"])["body"])
    assert server["issuer"] == f"https://{DOMAIN}"
    assert server["authorization_endpoint"] == f"https://{DOMAIN}/oauth/authorize"

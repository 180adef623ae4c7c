"""The custom domain on MiniStack: its mapping, the outputs, and the issuer.

MiniStack keeps domains and mappings but serves no calls at them, so the function is invoked with the event of
such a call: its path is without the stage.
"""

import json

import pytest
from botocore.exceptions import ClientError

from tests.ministack.conftest import CERTIFICATE, DOMAIN, client
from tests.services.ministack import BUCKET


def test_the_root_of_the_domain_is_the_stage(base: str) -> None:
    gateway = client(base, "apigateway")
    made = gateway.get_domain_name(domainName=DOMAIN)
    assert made["regionalCertificateArn"] == CERTIFICATE
    assert made["endpointConfiguration"]["types"] == ["REGIONAL"]
    (mapping,) = gateway.get_base_path_mappings(domainName=DOMAIN)["items"]
    assert (mapping["basePath"], mapping["stage"]) == ("(none)", "v1")
    assert mapping["restApiId"] in base


def test_outputs_have_the_addresses_and_what_dns_needs(base: str, outputs: dict[str, str]) -> None:
    assert (outputs["BaseUrl"], outputs["Page"]) == (f"https://{DOMAIN}", f"https://{DOMAIN}/")
    made = client(base, "apigateway").get_domain_name(domainName=DOMAIN)
    assert outputs["DomainTarget"] == made["regionalDomainName"]
    assert outputs["DomainTargetZone"] == made["regionalHostedZoneId"]


def test_a_domain_without_a_certificate_is_refused(base: str) -> None:
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
def test_at_the_domain_the_issuer_is_its_root(base: str, resources: dict[str, str], document: str) -> None:
    path = f"/.well-known/{document}"
    event = {
        "httpMethod": "GET",
        "resource": path,
        "path": path,
        "headers": {"Host": DOMAIN, "X-Forwarded-Proto": "https"},
        "requestContext": {"requestId": "r-1", "domainName": DOMAIN, "path": path, "stage": "v1"},
    }
    answered = client(base, "lambda").invoke(
        FunctionName=resources["OauthFunction"], Payload=json.dumps(event)
    )
    server = json.loads(json.load(answered["Payload"])["body"])
    assert server["issuer"] == f"https://{DOMAIN}"
    assert server["authorization_endpoint"] == f"https://{DOMAIN}/oauth/authorize"

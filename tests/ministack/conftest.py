"""One stack on MiniStack with every optional part of the template."""

from collections.abc import Iterator
from typing import Any

import boto3
import httpx
import pytest

from tests.services.ministack import REGION, STACK, ministack, physical_ids
from tests.services.packages import EXAMPLE, install
from tests.simulator import Simulator

DOMAIN = "api.brskills.example"
CERTIFICATE = f"arn:aws:acm:{REGION}:000000000000:certificate/00000000-0000-0000-0000-000000000000"
PARAMETERS = {
    "DomainName": DOMAIN,
    "CertificateArn": CERTIFICATE,
    "SignupsPerDay": "50",
    "AlarmEmail": "operator@example.com",
    "StripePricePro": "price_pro",
    "StripeApiKey": "ssm:/brskills/stripe",
    "StripeWebhookSecrets": "ssm:/brskills/webhook",
    "AccessLogs": "on",
    "Tracing": "on",
    "RegistryCopy": "store",
    "RegistryProviders": "receita,opencnpj",
}


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder, packages = (tmp_path_factory.mktemp(name) for name in ("ministack", "packages"))
    install(EXAMPLE, packages)
    with Simulator() as providers:
        settings = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        settings["WEBHOOK_ALLOW_LOOPBACK"] = "1"
        with ministack(folder, PARAMETERS, packages, settings) as deployed:
            yield deployed


def client(base: str, service: str) -> Any:
    """Return a client of boto3 for the stack's MiniStack."""
    return boto3.client(service, endpoint_url=base.partition("/_aws/")[0], region_name=REGION)  # type: ignore[call-overload]


@pytest.fixture(scope="session")
def outputs(base: str) -> dict[str, str]:
    (stack,) = client(base, "cloudformation").describe_stacks(StackName=STACK)["Stacks"]
    return {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}


@pytest.fixture(scope="session")
def resources(base: str) -> dict[str, str]:
    """Physical names by logical name, of the stack and of the one nested in it."""
    formation = client(base, "cloudformation")
    found = physical_ids(formation, STACK)
    return found | physical_ids(formation, found["MonitoringStack"])


def sign_up(base: str) -> dict[str, Any]:
    answer = httpx.post(f"{base}/api/v1/keys", timeout=60)
    assert answer.status_code == 201
    made: dict[str, Any] = answer.json()
    return made

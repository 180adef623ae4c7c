"""Stripe is configured wholly or not at all, and its secrets are read when they are needed."""

import boto3
import pytest
from moto import mock_aws

from access import BillingUnavailable
from adapters.stripe import secrets
from adapters.stripe.secrets import KEPT_SECONDS, Secret
from adapters.stripe.settings import StripeSettings
from tests.conftest import Clock

WHOLE = {
    "STRIPE_API_KEY_NAME": "/shop/key",
    "STRIPE_WEBHOOK_SECRETS_NAME": "/shop/secrets",
    "STRIPE_PRICE_PRO": "price_new, price_old,",
}


PROJECT = "https://exemplo.com.br"


def settings_from(environment: dict[str, str]) -> StripeSettings | None:
    return StripeSettings.from_environment(environment, PROJECT)


def test_nothing_set_is_no_billing() -> None:
    blank = dict.fromkeys([*WHOLE, "STRIPE_API_KEY", "STRIPE_WEBHOOK_SECRETS"], " ")
    for environment in ({}, blank, {"STRIPE_API_BASE": "http://127.0.0.1:1", "STRIPE_RETURN_URL": "x"}):
        assert settings_from(environment) is None


@pytest.mark.parametrize("missing", WHOLE)
def test_half_a_configuration_stops_the_process_and_names_the_rest(missing: str) -> None:
    half = {name: value for name, value in WHOLE.items() if name != missing}
    with pytest.raises(ValueError, match=missing):
        settings_from(half)


def test_a_secret_may_stand_in_the_environment_itself() -> None:
    plain = {"STRIPE_API_KEY": "sk", "STRIPE_WEBHOOK_SECRETS": "one,two", "STRIPE_PRICE_PRO": "price"}
    settings = settings_from(plain)
    assert (settings.api_key, settings.webhook_secrets, settings.prices) == ("sk", "one,two", ("price",))
    assert "sk" not in repr(settings).replace("brskills", "")


def test_people_come_back_to_the_project_unless_told_otherwise() -> None:
    assert settings_from(WHOLE).return_url == PROJECT
    page = {**WHOLE, "STRIPE_RETURN_URL": "https://exemplo.com.br/conta"}
    assert settings_from(page).return_url == "https://exemplo.com.br/conta"
    assert settings_from(WHOLE).prices == ("price_new", "price_old")


@pytest.fixture
def parameters(monkeypatch):
    with mock_aws():
        secrets._parameters.cache_clear()
        yield boto3.client("ssm")
        secrets._parameters.cache_clear()


def put(parameters, value: str) -> None:
    parameters.put_parameter(Name="/shop/key", Value=value, Type="SecureString", Overwrite=True)


def test_a_changed_secret_is_known_some_minutes_later(parameters) -> None:
    clock = Clock(0)
    secret = Secret("", "/shop/key", clock)
    put(parameters, "first\n")
    assert secret() == "first"
    put(parameters, "second")
    clock.now = KEPT_SECONDS - 1
    assert secret() == "first"
    clock.now = KEPT_SECONDS
    assert secret() == "second"


def test_the_secrets_manager_is_read_through_the_parameter_store(parameters) -> None:
    boto3.client("secretsmanager").create_secret(Name="shop-key", SecretString="sk_kept_there")
    assert Secret("", "/aws/reference/secretsmanager/shop-key")() == "sk_kept_there"


def test_an_unknown_name_is_no_billing_and_is_asked_for_again(parameters) -> None:
    secret = Secret("", "/shop/key")
    with pytest.raises(BillingUnavailable, match="/shop/key: ParameterNotFound"):
        secret()
    put(parameters, "now it is there")
    assert secret() == "now it is there"


def test_a_parameter_store_out_of_reach_is_no_billing(monkeypatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_SSM", "http://127.0.0.1:1")
    secrets._parameters.cache_clear()
    with pytest.raises(BillingUnavailable, match="EndpointConnectionError"):
        Secret("", "/shop/key")()
    secrets._parameters.cache_clear()


def test_a_plain_secret_asks_nobody(monkeypatch) -> None:
    monkeypatch.setattr(secrets, "_parameters", None)
    assert Secret("plain", "/shop/key")() == "plain"

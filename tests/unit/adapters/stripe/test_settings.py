"""Stripe is configured wholly or not at all."""

import pytest

from brskills_server.adapters.stripe.settings import StripeSettings

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

"""Stripe is configured wholly or not at all."""

import pytest

from brskills_server.runtime.settings import Settings
from tests.for_each import for_each

WHOLE = {
    "STRIPE_API_KEY": "ssm:/shop/key",
    "STRIPE_WEBHOOK_SECRETS": "one,two",
    "STRIPE_PRICE_PRO": "price_new, price_old,",
}


def stripe_of(environment: dict[str, str]):
    return Settings.from_environment(environment).stripe


def test_nothing_set_is_no_billing() -> None:
    blank = dict.fromkeys(WHOLE, " ")
    for environment in ({}, blank, {"STRIPE_API_BASE": "http://127.0.0.1:1"}):
        assert stripe_of(environment) is None


@for_each("missing", WHOLE)
def test_a_partial_configuration_is_invalid_and_names_the_rest(missing: str) -> None:
    with pytest.raises(ValueError, match=missing):
        stripe_of({name: value for name, value in WHOLE.items() if name != missing})


def test_a_whole_configuration_is_read_and_not_shown() -> None:
    settings = stripe_of(WHOLE)
    assert (settings.api_key, settings.webhook_secrets) == ("ssm:/shop/key", "one,two")
    assert settings.prices == ("price_new", "price_old")
    assert "one" not in repr(settings).replace("object", "")

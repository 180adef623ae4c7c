"""Secrets are read when they are needed, and again some minutes later."""

import time
from inspect import signature

import pytest
from botocore.exceptions import ClientError

from brskills_server.adapters import parameter_store
from brskills_server.adapters.parameter_store import CACHE_SECONDS, Secret
from tests.conftest import Clock


class Unavailable(Exception):
    """The exception of a secret's user."""


@pytest.fixture
def parameters(monkeypatch) -> dict[str, str]:
    """Return the parameters of a store, by name."""
    kept: dict[str, str] = {}

    def get_parameter(Name: str, *, WithDecryption: bool) -> dict[str, dict[str, str]]:
        assert WithDecryption
        if Name not in kept:
            raise ClientError({"Error": {"Code": "ParameterNotFound"}}, "GetParameter")
        return {"Parameter": {"Value": kept[Name]}}

    monkeypatch.setattr(parameter_store, "_get_parameter", lambda: get_parameter)
    return kept


@pytest.mark.parametrize("moved", [CACHE_SECONDS, -1])
def test_a_changed_secret_is_known_some_minutes_later(parameters, moved) -> None:
    """The clock may be set back."""
    clock = Clock(10_000)
    secret = Secret("ssm:/shop/key", Unavailable, clock)
    parameters["/shop/key"] = "first\n"
    assert secret() == "first"
    parameters["/shop/key"] = "second"
    clock.now += CACHE_SECONDS - 1
    assert secret() == "first"
    clock.now = 10_000 + moved
    assert secret() == "second"


def test_the_clock_advances_while_a_process_is_frozen() -> None:
    assert signature(Secret).parameters["clock"].default is time.time  # a monotonic one need not


def test_an_unknown_name_is_an_error_and_not_cached(parameters) -> None:
    secret = Secret("ssm:/shop/key", Unavailable)
    with pytest.raises(Unavailable, match="/shop/key: ParameterNotFound"):
        secret()
    parameters["/shop/key"] = "now it is there"
    assert secret() == "now it is there"


def test_a_secret_of_the_secrets_manager_is_named_in_the_parameter_store(parameters) -> None:
    parameters["/aws/reference/secretsmanager/shop-key"] = "sk_kept_there"
    assert Secret("ssm:/aws/reference/secretsmanager/shop-key", Unavailable)() == "sk_kept_there"


def test_a_parameter_store_out_of_reach_is_a_fault(monkeypatch) -> None:
    monkeypatch.setattr(parameter_store, "_get_parameter", parameter_store._get_parameter.__wrapped__)
    monkeypatch.setenv("AWS_ENDPOINT_URL_SSM", "http://127.0.0.1:1")
    with pytest.raises(Unavailable, match="EndpointConnectionError"):
        Secret("ssm:/shop/key", Unavailable)()


def test_a_plain_secret_sends_no_request_and_is_not_printed(monkeypatch) -> None:
    monkeypatch.setattr(parameter_store, "_get_parameter", None)
    secret = Secret("plain", Unavailable)
    assert secret() == "plain"
    assert "plain" not in f"{secret!r} {secret}"

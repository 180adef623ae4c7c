"""Secrets are read when they are needed, and again some minutes later."""

import time
from inspect import signature

import boto3
import pytest
from moto import mock_aws

from brskills_server.adapters import parameter_store
from brskills_server.adapters.parameter_store import CACHE_SECONDS, Secret
from tests.conftest import Clock


class Unavailable(Exception):
    """The exception of a secret's user."""


@pytest.fixture
def parameters(monkeypatch):
    with mock_aws():
        parameter_store._get_parameter.cache_clear()
        yield boto3.client("ssm")
        parameter_store._get_parameter.cache_clear()


def put(parameters, value: str) -> None:
    parameters.put_parameter(Name="/shop/key", Value=value, Type="SecureString", Overwrite=True)


def test_a_changed_secret_is_known_some_minutes_later(parameters) -> None:
    clock = Clock(0)
    secret = Secret("ssm:/shop/key", Unavailable, clock)
    put(parameters, "first\n")
    assert secret() == "first"
    put(parameters, "second")
    clock.now = CACHE_SECONDS - 1
    assert secret() == "first"
    clock.now = CACHE_SECONDS
    assert secret() == "second"


def test_the_clock_advances_while_a_process_is_frozen() -> None:
    assert signature(Secret).parameters["clock"].default is time.time  # a monotonic one need not


def test_a_clock_that_is_put_back_keeps_no_secret(parameters) -> None:
    clock = Clock(10_000)
    secret = Secret("ssm:/shop/key", Unavailable, clock)
    put(parameters, "first")
    assert secret() == "first"
    put(parameters, "second")
    clock.now = 0
    assert secret() == "second"


def test_the_secrets_manager_is_read_through_the_parameter_store(parameters) -> None:
    boto3.client("secretsmanager").create_secret(Name="shop-key", SecretString="sk_kept_there")
    assert Secret("ssm:/aws/reference/secretsmanager/shop-key", Unavailable)() == "sk_kept_there"


def test_an_unknown_name_is_an_error_and_not_cached(parameters) -> None:
    secret = Secret("ssm:/shop/key", Unavailable)
    with pytest.raises(Unavailable, match="/shop/key: ParameterNotFound"):
        secret()
    put(parameters, "now it is there")
    assert secret() == "now it is there"


def test_a_parameter_store_out_of_reach_is_a_fault(monkeypatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_SSM", "http://127.0.0.1:1")
    parameter_store._get_parameter.cache_clear()
    with pytest.raises(Unavailable, match="EndpointConnectionError"):
        Secret("ssm:/shop/key", Unavailable)()
    parameter_store._get_parameter.cache_clear()


def test_a_plain_secret_sends_no_request(monkeypatch) -> None:
    monkeypatch.setattr(parameter_store, "_get_parameter", None)
    assert Secret("plain", Unavailable)() == "plain"


def test_a_secret_is_not_printed() -> None:
    secret = Secret("plain", Unavailable)
    assert "plain" not in f"{secret!r} {secret}"

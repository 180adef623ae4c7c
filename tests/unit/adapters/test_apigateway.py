"""Dedicated gateway keys in moto's API Gateway, and its errors."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError
from moto import mock_aws

from brskills_server.accounts.account import Account
from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.dedicated_gateway_keys import DedicatedGatewayKeys
from brskills_server.accounts.errors import GatewayUnavailable
from brskills_server.accounts.throttle_groups import throttle_group_of
from brskills_server.adapters.apigateway import ApiGatewayKeys, open_gateway_keys
from brskills_server.adapters.stores import AccessStore
from tests.conftest import Clock


@pytest.fixture(scope="module")
def api_gateway() -> Iterator[Any]:
    with mock_aws():
        yield boto3.client("apigateway", region_name="sa-east-1")


@pytest.fixture
def client(api_gateway: Any) -> Iterator[Any]:
    yield api_gateway
    for key in api_gateway.get_api_keys()["items"]:
        api_gateway.delete_api_key(apiKey=key["id"])


@pytest.fixture
def usage_plans(client: Any) -> dict[str, str]:
    return {plan: client.create_usage_plan(name=plan)["id"] for plan in ("pro", "enterprise")}


@pytest.fixture
def keys(client: Any, usage_plans: dict[str, str]) -> ApiGatewayKeys:
    return ApiGatewayKeys(client, "stack", usage_plans)


def in_plan(client: Any, usage_plan: str) -> list[str]:
    return [key["value"] for key in client.get_usage_plan_keys(usagePlanId=usage_plan)["items"]]


def test_a_key_is_named_after_stack_plan_and_account_and_is_deleted(
    keys: ApiGatewayKeys, client: Any, usage_plans: dict[str, str]
) -> None:
    keys.create("pro", "acc_0123456789abcdef")
    assert in_plan(client, usage_plans["pro"]) == ["stack-pro-acc_0123456789abcdef"]
    assert in_plan(client, usage_plans["enterprise"]) == []
    (key,) = keys.list()
    (stored,) = client.get_api_keys(includeValues=True)["items"]
    assert stored["name"] == stored["value"] == "stack-pro-acc_0123456789abcdef"
    assert (key.id, key.plan, key.account, key.works) == (stored["id"], "pro", "acc_0123456789abcdef", True)
    assert key.created_at == stored["createdDate"].timestamp()
    with pytest.raises(GatewayUnavailable, match=r"^ConflictException$"):
        keys.create("pro", "acc_0123456789abcdef")
    for _ in range(2):
        keys.delete(key.id)
        assert keys.list() == []


def test_keys_of_other_stacks_and_shared_keys_are_ignored(keys: ApiGatewayKeys, client: Any) -> None:
    for name in (
        "stack-pro-00-gateway-key",
        "stack-free-acc_0123456789abcdef",
        "stack-pro-pro-acc_0123456789abcdef",  # of a stack named stack-pro
        "stack-pro-free-00-gateway-key",
        "stacks-pro-acc_0123456789abcdef",
        "pro-acc_0123456789abcdef",
        "stack",
    ):
        client.create_api_key(name=name, value=f"{name}-{'x' * 20}")
    client.create_api_key(value="x" * 20)  # without a name
    assert keys.list() == []


def test_a_key_outside_its_plan_or_disabled_does_not_work(
    keys: ApiGatewayKeys, client: Any, usage_plans: dict[str, str]
) -> None:
    for n in range(3):
        keys.create("pro", f"acc_{n}23456789abcdef")
    first, second, _ = keys.list()
    client.delete_usage_plan_key(usagePlanId=usage_plans["pro"], keyId=first.id)
    client.update_api_key(
        apiKey=second.id, patchOperations=[{"op": "replace", "path": "/enabled", "value": "false"}]
    )
    assert [key.works for key in keys.list()] == [False, False, True]


def test_every_page_is_read(keys: ApiGatewayKeys, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(5):
        keys.create("pro", f"acc_{n}23456789abcdef")
    real = client._make_api_call

    def paged(name: str, request: dict[str, Any]) -> dict[str, Any]:
        """Two at a time, as API Gateway would give 500: moto gives all at once."""
        answer: dict[str, Any] = real(name, request)
        start = int(request.get("position", 0))
        more = {"position": str(start + 2)} if start + 2 < len(answer["items"]) else {}
        return {**answer, "items": answer["items"][start : start + 2], **more}

    monkeypatch.setattr(client, "_make_api_call", paged)
    assert [key.works for key in keys.list()] == [True] * 5


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (ClientError({"Error": {"Code": "TooManyRequestsException", "Message": "acc_1"}}, "x"), "TooMany"),
        (EndpointConnectionError(endpoint_url="https://acc_1"), "EndpointConnectionError"),
    ],
)
@pytest.mark.parametrize(
    ("operation", "call"),
    [
        ("GetApiKeys", ApiGatewayKeys.list),
        ("CreateApiKey", lambda keys: keys.create("pro", "acc_0123456789abcdef")),
        ("CreateUsagePlanKey", lambda keys: keys.create("pro", "acc_0123456789abcdef")),
        ("DeleteApiKey", lambda keys: keys.delete("k")),
    ],
)
def test_an_error_names_its_code_alone(
    keys: ApiGatewayKeys,
    client: Any,
    monkeypatch: pytest.MonkeyPatch,
    fault: Exception,
    reason: str,
    operation: str,
    call: Callable[[ApiGatewayKeys], object],
) -> None:
    def fail(name: str, *request: object) -> dict[str, Any]:
        if name == operation:
            raise fault
        return real(name, *request)

    real = client._make_api_call
    monkeypatch.setattr(client, "_make_api_call", fail)
    with pytest.raises(GatewayUnavailable, match=reason) as failure:
        call(keys)
    assert "acc_" not in str(failure.value)


def test_a_dedicated_key_from_purchase_to_cancellation(
    keys: ApiGatewayKeys, accounts: Accounts, store: AccessStore, client: Any, usage_plans: dict[str, str]
) -> None:
    account = accounts.open("pro").account
    clock = Clock(time.time())  # moto dates keys by the machine's clock
    dedicated = DedicatedGatewayKeys(keys, store, clock)

    def after(seconds: int) -> Account:
        clock.now += seconds
        dedicated.run()
        return accounts.get(account)

    assert throttle_group_of(after(0), clock.now) != f"pro-{account}"
    value = f"stack-{throttle_group_of(after(1000), clock.now)}"
    assert in_plan(client, usage_plans["pro"]) == [value] == [f"stack-pro-{account}"]
    accounts.set_plan(account, "free")
    after(300)
    after(300)
    assert client.get_api_keys()["items"] == []


def test_opening_from_the_environment() -> None:
    environment = {"GATEWAY_KEY_PREFIX": "s", "PRO_USAGE_PLAN": "p", "ENTERPRISE_USAGE_PLAN": "e"}
    assert isinstance(open_gateway_keys(environment), ApiGatewayKeys)
    for missing in environment:
        with pytest.raises(KeyError, match=missing):
            open_gateway_keys({name: value for name, value in environment.items() if name != missing})

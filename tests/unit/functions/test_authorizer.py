"""The authorizer's answers to API Gateway."""

from collections.abc import Iterator
from typing import Any

import pytest

from brskills_server.accounts import api_key
from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.throttle_groups import SHARED_THROTTLE_GROUPS
from tests.conftest import DEMO_KEY

ARN = "arn:aws:execute-api:sa-east-1:123456789012:abc123/v1/POST/api/v1/skills/pix"


@pytest.fixture
def authorize(accounts: Accounts, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    from functions.authorizer import app

    monkeypatch.setattr(app, "accounts", accounts)
    monkeypatch.setattr(app.time, "time", lambda: 1_795_000_000.0)

    def call(headers: dict[str, str] | None) -> dict[str, Any]:
        result: dict[str, Any] = app.handler({"type": "REQUEST", "methodArn": ARN, "headers": headers}, None)
        return result

    return call


def effect(answer: dict[str, Any]) -> str:
    (statement,) = answer["policyDocument"]["Statement"]
    assert statement["Resource"] == "arn:aws:execute-api:sa-east-1:123456789012:abc123/v1/*"
    assert statement["Action"] == "execute-api:Invoke"
    return str(statement["Effect"])


def throttle_group(answer: dict[str, Any]) -> str:
    value: str = answer["usageIdentifierKey"]
    assert value.startswith("brskills-local-")
    return value.removeprefix("brskills-local-")


@pytest.mark.parametrize("headers", [None, {}, {"X-API-Key": ""}, {"Authorization": "x"}])
def test_a_missing_key_is_unauthorized_by_its_exact_word(authorize, headers) -> None:
    with pytest.raises(Exception, match=r"^Unauthorized$"):
        authorize(headers)


def test_an_unknown_key_is_denied(authorize) -> None:
    assert effect(authorize({"x-api-key": api_key.generate()})) == "Deny"
    assert effect(authorize({"X-API-Key": "nonsense"})) == "Deny"


@pytest.mark.parametrize("blank", ["  ", "\xa0", "\x0b"])
def test_a_key_of_spaces_is_denied_as_a_fault_of_its_caller(authorize, blank) -> None:
    assert effect(authorize({"X-API-Key": blank})) == "Deny"  # an error would count as the function's own


@pytest.mark.parametrize("plan", ["free", "pro", "enterprise"])
def test_a_key_leads_to_its_account_and_to_a_gateway_key_of_its_plan(authorize, accounts, plan) -> None:
    issued = accounts.open(plan)
    answer = authorize({"X-Api-Key": issued.api_key})
    assert effect(answer) == "Allow"
    assert answer["context"] == {"account": issued.account, "key": api_key.digest(issued.api_key)}
    assert throttle_group(answer) in SHARED_THROTTLE_GROUPS[plan]


def test_a_paying_account_has_its_own_gateway_key_once_that_is_ready(authorize, accounts, store) -> None:
    issued = accounts.open("pro")
    store.set_dedicated_gateway_key(issued.account, "pro")
    assert throttle_group(authorize({"X-API-Key": issued.api_key})) == f"pro-{issued.account}"


def test_the_demo_key_has_a_plan_of_its_own(authorize) -> None:
    assert throttle_group(authorize({"X-API-Key": DEMO_KEY})) == "demo-00-gateway-key"


def test_a_spent_account_is_slowed_down(authorize, accounts, ledger) -> None:
    issued = accounts.open("free")
    caller, _ = accounts.identify(issued.api_key)
    for _ in range(100):
        ledger.reserve(caller)
    assert throttle_group(authorize({"X-API-Key": issued.api_key})) in SHARED_THROTTLE_GROUPS["spent"]


def test_no_part_of_a_key_is_in_the_answer(authorize, accounts) -> None:
    issued = accounts.open("free")
    assert issued.api_key[5:37] not in str(authorize({"X-API-Key": issued.api_key}))

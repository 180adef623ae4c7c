"""Without Stripe: a clear refusal here, and everything else as ever."""

import json

import pytest

from brskills_server.accounts.accounts import Accounts
from functions.billing import app


@pytest.fixture(autouse=True)
def in_memory(store, monkeypatch) -> None:
    monkeypatch.setattr(app.services.accounts, "_store", store)
    monkeypatch.setattr(app.services.ledger, "store", store)


def call(path: str, authorizer: dict[str, str]) -> dict:
    event = {
        "httpMethod": "POST",
        "resource": f"/api/v1/billing/{path}",
        "headers": {"Accept-Language": "en"},
        "requestContext": {"requestId": "r-1", "authorizer": authorizer},
    }
    return app.handler(event, None)


@pytest.mark.parametrize("path", ["checkout", "portal", "webhook"])
def test_nothing_is_sold(path, capsys) -> None:
    accounts: Accounts = app.services.accounts
    caller, _ = accounts.identify(accounts.open("free").api_key)
    answer = call(path, {"account": caller.account, "key": caller.key})
    content = json.loads(answer["body"])
    assert (answer["statusCode"], content["code"]) == (503, "billing_unavailable")
    assert "not configured" in content["detail"]
    assert "Retry-After" not in answer["headers"]  # waiting changes nothing


@pytest.mark.parametrize("path", ["checkout", "portal"])
def test_a_key_that_is_not_active_is_refused_first(path) -> None:
    answer = call(path, {"account": "acc_nobody", "key": "0" * 64})
    assert json.loads(answer["body"])["code"] == "invalid_api_key"

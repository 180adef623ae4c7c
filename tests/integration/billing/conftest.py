from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from brskills_server.accounts import calendar as month
from brskills_server.adapters.dynamodb.access import DynamoAccess
from brskills_server.adapters.dynamodb.values import assign, change
from tests.conftest import DEMO_KEY
from tests.fakes.stripe_api import API_KEY, PRICE, SECRET, FakeStripe, signed
from tests.services.gateway import gateway
from tests.services.tables import new_client, new_table

CODE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Padaria", "cidade": "Recife", "valor": "10.00"}


class Service:
    """The API with a fake Stripe."""

    def __init__(self, base: str, stripe: FakeStripe, store: DynamoAccess, log: Path) -> None:
        self.http = httpx.Client(base_url=f"{base}/api/v1", timeout=30)
        self.stripe = stripe
        self.store = store
        self.log = log

    def post(self, path: str, key: str | None = None, **how: Any) -> httpx.Response:
        return self.http.post(path, headers={"X-API-Key": key} if key else {}, **how)

    def sign_up(self) -> tuple[str, str]:
        """A key and its account."""
        answer = self.post("/keys").json()
        return answer["api_key"], answer["id"]

    def usage(self, key: str) -> dict[str, Any]:
        return self.http.get("/usage", headers={"X-API-Key": key}).json()

    def deliver(self, event: dict[str, Any], **how: Any) -> httpx.Response:
        body, header = signed(event, **how)
        return self.http.post("/billing/webhook", content=body, headers={"Stripe-Signature": header})

    def subscribed(self) -> tuple[str, str, dict[str, Any]]:
        """A key, its account and the subscription that made it Pro."""
        key, account = self.sign_up()
        subscription, page = self.stripe.pay(self.post("/billing/checkout", key).json()["url"])
        assert self.deliver(self.stripe.event("checkout.session.completed", page)).status_code == 200
        return key, account, subscription

    def has_called(self, account: str, times: int) -> None:
        """Let an account have called so often this month."""
        counter = f"calls#{month.month_name(time.time())}"
        self.store._table.update(f"ACCOUNT#{account}", change(*assign({counter: times})))


@pytest.fixture(scope="session")
def service(dynamodb_endpoint: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    client = new_client(dynamodb_endpoint)
    names = {name: new_table(client, name) for name in ("Access", "Watches", "Companies")}
    log = tmp_path_factory.mktemp("gateway") / "log"
    with (
        FakeStripe() as stripe,
        gateway(
            log,
            AWS_ENDPOINT_URL_DYNAMODB=dynamodb_endpoint,
            AWS_ACCESS_KEY_ID="test",
            AWS_SECRET_ACCESS_KEY="test",
            ACCESS_TABLE=names["Access"],
            WATCHES_TABLE=names["Watches"],
            COMPANIES_TABLE=names["Companies"],
            DEMO_API_KEY=DEMO_KEY,
            SIGNUPS_PER_DAY="1000",
            POWERTOOLS_LOG_LEVEL="INFO",
            STRIPE_API_KEY=API_KEY,
            STRIPE_WEBHOOK_SECRETS=f"whsec_next,{SECRET}",
            STRIPE_PRICE_PRO=PRICE,
            STRIPE_API_BASE=stripe.base,
        ) as base,
    ):
        running = Service(base, stripe, DynamoAccess(client, names["Access"], names["Watches"]), log)
        yield running
        running.http.close()
        client.close()


@pytest.fixture
def code() -> dict[str, str]:
    return CODE

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from brskills_server.accounts.calendar import month_name
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.ports import AccountCalls
from tests.conftest import DEMO_KEY
from tests.fakes.stripe_api import API_KEY, PRICE, SECRET, FakeStripe, signed
from tests.integration.adapters.sql.databases import open_at
from tests.services.gateway import gateway

CODE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Padaria", "cidade": "Recife", "valor": "10.00"}


class Service:
    """The API with a fake Stripe."""

    def __init__(self, base: str, stripe: FakeStripe, store: AccessStore, log: Path) -> None:
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
        found, month = self.store.read_account(account), month_name(time.time())
        assert found
        more = times - found.calls.get(month, 0)
        self.store.reserve_calls(AccountCalls(account, *found.keys, month, month, int(time.time()), more))


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("billing")
    log, store = folder / "log", f"sqlite:///{folder}/brskills.db"
    with (
        FakeStripe() as stripe,
        gateway(
            log,
            STORE=store,
            DEMO_API_KEY=DEMO_KEY,
            SIGNUPS_PER_DAY="1000",
            POWERTOOLS_LOG_LEVEL="INFO",
            STRIPE_API_KEY=API_KEY,
            STRIPE_WEBHOOK_SECRETS=f"whsec_next,{SECRET}",
            STRIPE_PRICE_PRO=PRICE,
            STRIPE_API_BASE=stripe.base,
        ) as base,
    ):
        running = Service(base, stripe, open_at(store).access, log)
        yield running
        running.http.close()


@pytest.fixture
def code() -> dict[str, str]:
    return CODE

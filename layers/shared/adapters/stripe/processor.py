"""Stripe's API: three calls, each asked once and bounded in time.

Nothing is repeated here: Stripe sends an event again until it is taken, and people press the button
again, for whom the idempotency key finds the page that was made already.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import stripe

from access import BillingEvent, BillingUnavailable, Subscription, UnknownCustomer
from adapters.stripe.secrets import Secret
from adapters.stripe.webhook import read_event, verify

if TYPE_CHECKING:
    from adapters.stripe.settings import StripeSettings

__all__ = ["StripeProcessor"]

CONNECT_SECONDS, ANSWER_SECONDS = 2.0, 8.0
SAME_PAGE_SECONDS = 600
"""For how long a repeated request to subscribe leads to one page; Stripe repeats an error as long."""


class StripeProcessor:
    """``access.PaymentProcessor``. ``timeout``: seconds to connect, and to wait for an answer."""

    def __init__(
        self,
        settings: StripeSettings,
        timeout: tuple[float, float] = (CONNECT_SECONDS, ANSWER_SECONDS),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._settings = settings
        self._api_key = Secret(settings.api_key, settings.api_key_name)
        self._webhook_secrets = Secret(settings.webhook_secrets, settings.webhook_secrets_name)
        self._http = stripe.RequestsClient(timeout=timeout)
        self._clock = clock

    def checkout(self, account: str, customer: str | None, version: int) -> str:
        """The address of a page to subscribe at; ``version`` tells a new request from a repeated one."""
        page = {
            "mode": "subscription",
            "line_items": [{"price": self._settings.prices[0], "quantity": 1}],
            "client_reference_id": account,
            "subscription_data": {"metadata": {"account": account}},
            "success_url": self._settings.return_url,
            "cancel_url": self._settings.return_url,
        }
        try:
            return self._open_checkout(page | ({"customer": customer} if customer else {}), version)
        except UnknownCustomer:
            return self._open_checkout(page, version)

    def portal(self, customer: str) -> str:
        """The address of a page to manage subscriptions at; raises ``UnknownCustomer``."""
        params: Any = {"customer": customer, "return_url": self._settings.return_url}
        return _address(self._ask(lambda client: client.v1.billing_portal.sessions.create(params)))

    def subscription(self, name: str) -> Subscription:
        """A subscription as it is now."""
        found = self._ask(lambda client: client.v1.subscriptions.retrieve(name)).to_dict()
        prices = {item["price"]["id"] for item in found["items"]["data"]}
        return Subscription(
            id=found["id"],
            account=(found["metadata"] or {}).get("account", ""),
            customer=found["customer"],
            status=found["status"],
            plan="pro" if prices & set(self._settings.prices) else None,
        )

    def read_event(self, body: bytes, signature: str) -> BillingEvent | None:
        """What a signed event is about (see ``webhook``); raises ``InvalidSignature``."""
        verify(body, signature, self._webhook_secrets())
        return read_event(body)

    def _open_checkout(self, page: dict[str, Any], version: int) -> str:
        request = json.dumps([page, version, int(self._clock()) // SAME_PAGE_SECONDS], sort_keys=True)
        once: Any = {"idempotency_key": hashlib.sha256(request.encode()).hexdigest()}
        params: Any = page
        return _address(self._ask(lambda client: client.v1.checkout.sessions.create(params, once)))

    def _ask(self, call: Callable[[stripe.StripeClient], Any]) -> Any:
        base: Any = {"api": self._settings.api_base} if self._settings.api_base else {}
        client = stripe.StripeClient(
            self._api_key(), base_addresses=base, max_network_retries=0, http_client=self._http
        )
        try:
            return call(client)
        except stripe.InvalidRequestError as error:
            if error.code == "resource_missing" and error.param == "customer":
                raise UnknownCustomer from error
            raise _unavailable(error) from error
        except stripe.StripeError as error:
            raise _unavailable(error) from error


def _address(page: Any) -> str:
    if not page.url:
        raise BillingUnavailable("a page without an address")
    return str(page.url)


def _unavailable(error: stripe.StripeError) -> BillingUnavailable:
    # Its message may quote what we sent, and part of the API key.
    return BillingUnavailable(f"{type(error).__name__} {error.http_status} {error.code}")

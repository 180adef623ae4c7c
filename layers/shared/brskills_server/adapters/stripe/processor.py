"""Stripe's API: checkout and portal pages, subscriptions and events. Each call has a time-out and no retry.

Stripe sends an unconfirmed event again; people press the button again, and the idempotency key then finds
the page created before.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import stripe

from brskills_server.accounts.billing import BillingEvent, Subscription
from brskills_server.accounts.errors import BillingUnavailable, NotAnEvent, UnknownCustomer
from brskills_server.adapters.parameter_store import Secret
from brskills_server.adapters.stripe.payments import paid_back
from brskills_server.adapters.stripe.settings import StripeSettings
from brskills_server.adapters.stripe.webhook import of_invoice, read_event, verify

CONNECT_SECONDS, ANSWER_SECONDS = 2.0, 3.0
"""The function has 15 s; an event takes two calls, or four for a returned payment."""

SAME_PAGE_SECONDS = 600
"""How long a repeated request to subscribe gets the same page; Stripe repeats an error as long."""


class _Missing(BillingUnavailable):
    """Stripe has no such object."""


class StripeProcessor:
    """``PaymentProcessor``. ``timeout``: seconds to connect, and to wait for a response."""

    def __init__(
        self,
        settings: StripeSettings,
        timeout: tuple[float, float] = (CONNECT_SECONDS, ANSWER_SECONDS),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._settings = settings
        self._api_key = Secret(settings.api_key, BillingUnavailable)
        self._webhook_secrets = Secret(settings.webhook_secrets, BillingUnavailable)
        self._http = stripe.RequestsClient(timeout=timeout)
        self._clock = clock

    def checkout(self, account: str, customer: str | None, version: int, page: str) -> str:
        form = {
            "mode": "subscription",
            "line_items": [{"price": self._settings.prices[0], "quantity": 1}],
            "client_reference_id": account,
            "subscription_data": {"metadata": {"account": account}},
            "success_url": page,
            "cancel_url": page,
        }
        try:
            return self._open_checkout(form | ({"customer": customer} if customer else {}), version)
        except UnknownCustomer:
            return self._open_checkout(form, version)

    def portal(self, customer: str, page: str) -> str:
        params: Any = {"customer": customer, "return_url": page}
        return _address(self._ask(lambda client: client.v1.billing_portal.sessions.create(params)))

    def subscription(self, name: str) -> Subscription:
        params: Any = {"expand": ["latest_invoice"]}
        with _require_documented_shape():
            found = self._read_named(lambda client: client.v1.subscriptions.retrieve(name, params))
            prices = {item["price"]["id"] for item in found["items"]["data"]}
            subscription = Subscription(
                id=found["id"],
                account=(found["metadata"] or {}).get("account", ""),
                customer=found["customer"],
                status=found["status"],
                plan="pro" if prices & set(self._settings.prices) else None,
            )
            return replace(subscription, paid_back=subscription.pays and paid_back(self._read, found))

    def subscription_of(self, payment: str) -> tuple[str, str] | None:
        params: Any = {
            "payment": {"type": "payment_intent", "payment_intent": payment},
            "expand": ["data.invoice"],
        }
        with _require_documented_shape():
            found = self._read_named(lambda client: client.v1.invoice_payments.list(params))
            subjects = [of_invoice(each["invoice"]) for each in found["data"]]
        return next(((name, account or "") for name, account in subjects if name), None)

    def read_event(self, body: bytes, signature: str) -> BillingEvent | None:
        verify(body, signature, self._webhook_secrets())
        return read_event(body)

    def _open_checkout(self, page: dict[str, Any], version: int) -> str:
        request = json.dumps([page, version, int(self._clock()) // SAME_PAGE_SECONDS], sort_keys=True)
        once: Any = {"idempotency_key": hashlib.sha256(request.encode()).hexdigest()}
        params: Any = page
        return _address(self._ask(lambda client: client.v1.checkout.sessions.create(params, once)))

    def _read_named(self, call: Callable[[stripe.StripeClient], Any]) -> dict[str, Any]:
        """Read what an event names. Raise ``NotAnEvent`` if Stripe has no such object."""
        try:
            return self._read(call)
        except _Missing:
            raise NotAnEvent from None

    def _read(self, call: Callable[[stripe.StripeClient], Any]) -> dict[str, Any]:
        found: dict[str, Any] = self._ask(call).to_dict()
        return found

    def _ask(self, call: Callable[[stripe.StripeClient], Any]) -> Any:
        base: Any = {"api": self._settings.api_base} if self._settings.api_base else {}
        client = stripe.StripeClient(
            self._api_key(), base_addresses=base, max_network_retries=0, http_client=self._http
        )
        try:
            return call(client)
        except stripe.InvalidRequestError as error:
            if error.code != "resource_missing":
                raise _unavailable(error) from error
            raise (UnknownCustomer if error.param == "customer" else _Missing(_reason(error))) from error
        except stripe.StripeError as error:
            raise _unavailable(error) from error


@contextmanager
def _require_documented_shape() -> Iterator[None]:
    """Raise ``BillingUnavailable`` for a response of an undocumented shape."""
    try:
        yield
    except (AttributeError, KeyError, TypeError) as error:
        raise BillingUnavailable(f"an unexpected answer: {type(error).__name__}") from error


def _address(page: Any) -> str:
    if not page.url:
        raise BillingUnavailable("a page without an address")
    return str(page.url)


def _unavailable(error: stripe.StripeError) -> BillingUnavailable:
    return BillingUnavailable(_reason(error))


def _reason(error: stripe.StripeError) -> str:
    # Its message may quote the request and part of the API key.
    return f"{type(error).__name__} {error.http_status} {error.code}"

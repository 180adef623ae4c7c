"""An event of Stripe's: who sent it, and which subscription it is about. Nothing else of it is used.

What an event carries is as old as the event; https://docs.stripe.com/webhooks promises neither order
nor that it comes once.
"""

import json
from collections.abc import Callable
from typing import Any

from stripe import SignatureVerificationError, WebhookSignature

from access import BillingEvent, InvalidSignature

__all__ = ["TOLERANCE_SECONDS", "read_event", "verify"]

TOLERANCE_SECONDS = 300
"""How old a signature may be."""


def verify(body: bytes, header: str, secrets: str) -> None:
    """Raise ``InvalidSignature`` unless one of the comma-separated secrets signed the body lately."""
    try:
        payload = body.decode()
    except UnicodeDecodeError:
        raise InvalidSignature from None
    if not header.isascii():  # the comparison behind it takes ASCII alone
        raise InvalidSignature
    if not any(_signed(payload, header, secret.strip()) for secret in secrets.split(",")):
        raise InvalidSignature


def read_event(body: bytes) -> BillingEvent | None:
    """What an event is about; ``None`` where that is not a subscription, or its kind is not needed."""
    event = json.loads(body)
    if event["type"] not in _KINDS:
        return None
    subscription, account = _KINDS[event["type"]](event["data"]["object"])
    return BillingEvent(event["id"], event["type"], subscription, account or "") if subscription else None


def _signed(payload: str, header: str, secret: str) -> bool:
    try:
        WebhookSignature.verify_header(payload, header, secret, TOLERANCE_SECONDS)
    except SignatureVerificationError:
        return False
    return True


_Subject = tuple[str | None, str | None]


def _of_session(session: dict[str, Any]) -> _Subject:
    return session.get("subscription"), session.get("client_reference_id")


def _of_subscription(subscription: dict[str, Any]) -> _Subject:
    return subscription["id"], (subscription.get("metadata") or {}).get("account")


def _of_invoice(invoice: dict[str, Any]) -> _Subject:
    details = (invoice.get("parent") or {}).get("subscription_details") or {}
    return details.get("subscription"), (details.get("metadata") or {}).get("account")


_KINDS: dict[str, Callable[[dict[str, Any]], _Subject]] = {"checkout.session.completed": _of_session}
for _change in ("created", "updated", "deleted", "paused", "resumed"):
    _KINDS[f"customer.subscription.{_change}"] = _of_subscription
for _change in ("paid", "payment_failed", "payment_action_required"):
    _KINDS[f"invoice.{_change}"] = _of_invoice

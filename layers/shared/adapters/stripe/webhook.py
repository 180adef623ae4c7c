"""An event of Stripe's: who sent it, and which subscription or payment it is about. No more of it is used.

What an event carries is as old as the event; https://docs.stripe.com/webhooks promises neither order
nor that it comes once.
"""

import json
from collections.abc import Callable
from typing import Any

from stripe import SignatureVerificationError, WebhookSignature

from access import BillingEvent, InvalidSignature

__all__ = ["TOLERANCE_SECONDS", "of_invoice", "read_event", "verify"]

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
    """What an event is about; ``None`` where that is neither, or its kind is not needed."""
    event = json.loads(body)
    kind = event["type"]
    if kind in _OF_PAYMENTS:
        payment = event["data"]["object"].get("payment_intent")
        return BillingEvent(event["id"], kind, payment=payment) if payment else None
    if kind not in _KINDS:
        return None
    subscription, account = _KINDS[kind](event["data"]["object"])
    return BillingEvent(event["id"], kind, subscription, account or "") if subscription else None


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


def of_invoice(invoice: dict[str, Any]) -> _Subject:
    """The subscription that an invoice is for, and the account it names; each ``None`` if it does not."""
    details = (invoice.get("parent") or {}).get("subscription_details") or {}
    return details.get("subscription"), (details.get("metadata") or {}).get("account")


_KINDS: dict[str, Callable[[dict[str, Any]], _Subject]] = {"checkout.session.completed": _of_session}
for _change in ("created", "updated", "deleted", "paused", "resumed"):
    _KINDS[f"customer.subscription.{_change}"] = _of_subscription
for _change in ("paid", "payment_failed", "payment_action_required"):
    _KINDS[f"invoice.{_change}"] = of_invoice

# A refund is told of with its charge when it is made, and by itself when it fails later.
_OF_PAYMENTS = {"charge.refunded", "refund.updated", "refund.failed"} | {
    f"charge.dispute.{_change}"
    for _change in ("created", "updated", "closed", "funds_withdrawn", "funds_reinstated")
}

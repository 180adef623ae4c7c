"""Stripe's events: verification, and the subscription or payment that one is about. Nothing else is used.

An event's content is as old as the event; https://docs.stripe.com/webhooks promises neither order nor single
delivery.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from stripe import SignatureVerificationError, WebhookSignature

from brskills_server.accounts.billing import BillingEvent
from brskills_server.accounts.errors import InvalidSignature, NotAnEvent

TOLERANCE_SECONDS = 300
"""The oldest accepted signature."""

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,255}")


def verify(body: bytes, header: str, secrets: str) -> None:
    """Raise ``InvalidSignature`` unless one of the comma-separated secrets signed the body recently."""
    try:
        payload = body.decode()
    except UnicodeDecodeError:
        raise InvalidSignature from None
    if not header.isascii():  # the comparison takes only ASCII
        raise InvalidSignature
    if not any(_signed(payload, header, secret.strip()) for secret in secrets.split(",")):
        raise InvalidSignature


def read_event(body: bytes) -> BillingEvent | None:
    """Return the event, ``None`` if it is irrelevant. Raise ``NotAnEvent`` for an undocumented form."""
    try:
        return _read(json.loads(body))
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise NotAnEvent from None


def _read(event: Any) -> BillingEvent | None:
    name, kind = _name(event["id"]), _name(event["type"])
    if kind in _OF_PAYMENTS:
        payment = event["data"]["object"].get("payment_intent")
        return BillingEvent(name, kind, payment=_name(payment)) if payment else None
    if kind not in _KINDS:
        return None
    subscription, account = _KINDS[kind](event["data"]["object"])
    return BillingEvent(name, kind, _name(subscription), _account(account)) if subscription else None


def _name(value: Any) -> str:
    """Return an id or a kind: both are keys of a store and parts of an address."""
    if not _NAME.fullmatch(value):
        raise ValueError("not a name")
    return str(value)


def _account(value: Any) -> str:
    """Return the account that an event names, or empty for an impossible value, written by others."""
    return value if isinstance(value, str) and _NAME.fullmatch(value) else ""


def _signed(payload: str, header: str, secret: str) -> bool:
    try:
        WebhookSignature.verify_header(payload, header, secret, TOLERANCE_SECONDS)
    except SignatureVerificationError:
        return False
    return True


_Subject = tuple[Any, Any]


def _of_session(session: dict[str, Any]) -> _Subject:
    return session.get("subscription"), session.get("client_reference_id")


def _of_subscription(subscription: dict[str, Any]) -> _Subject:
    return subscription["id"], (subscription.get("metadata") or {}).get("account")


def of_invoice(invoice: dict[str, Any]) -> _Subject:
    """Return the subscription that an invoice is for and the account it names, or ``None`` for each."""
    details = (invoice.get("parent") or {}).get("subscription_details") or {}
    return details.get("subscription"), (details.get("metadata") or {}).get("account")


_KINDS: dict[str, Callable[[dict[str, Any]], _Subject]] = {"checkout.session.completed": _of_session}
for _change in ("created", "updated", "deleted", "paused", "resumed"):
    _KINDS[f"customer.subscription.{_change}"] = _of_subscription
for _change in ("paid", "payment_failed", "payment_action_required"):
    _KINDS[f"invoice.{_change}"] = of_invoice

# A refund arrives as an event of its charge when it is made, and of itself when it fails later.
_OF_PAYMENTS = {"charge.refunded", "refund.updated", "refund.failed"} | {
    f"charge.dispute.{_change}"
    for _change in ("created", "updated", "closed", "funds_withdrawn", "funds_reinstated")
}

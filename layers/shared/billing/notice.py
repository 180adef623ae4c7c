"""An event of Stripe's: who sent it, and of which subscription it tells. Nothing else in it is believed.

What an event carries is as old as the event; https://docs.stripe.com/webhooks promises neither order
nor that it comes once.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stripe import SignatureVerificationError, WebhookSignature

from billing.errors import InvalidSignature

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["TOLERANCE_SECONDS", "Notice", "read_notice", "verify"]

TOLERANCE_SECONDS = 300
"""How old a signature may be."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something happened to a subscription; ``account`` is whose the event says it is, or empty."""

    id: str
    kind: str
    subscription: str
    account: str


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


def read_notice(body: bytes) -> Notice | None:
    """What an event tells, or ``None`` where it is about no subscription or of no kind we need."""
    event = json.loads(body)
    if event["type"] not in _KINDS:
        return None
    subscription, account = _KINDS[event["type"]](event["data"]["object"])
    return Notice(event["id"], event["type"], subscription, account or "") if subscription else None


def _signed(payload: str, header: str, secret: str) -> bool:
    try:
        WebhookSignature.verify_header(payload, header, secret, TOLERANCE_SECONDS)
    except SignatureVerificationError:
        return False
    return True


_About = tuple[str | None, str | None]


def _of_session(session: dict[str, Any]) -> _About:
    return session.get("subscription"), session.get("client_reference_id")


def _of_subscription(subscription: dict[str, Any]) -> _About:
    return subscription["id"], (subscription.get("metadata") or {}).get("account")


def _of_invoice(invoice: dict[str, Any]) -> _About:
    details = (invoice.get("parent") or {}).get("subscription_details") or {}
    return details.get("subscription"), (details.get("metadata") or {}).get("account")


_KINDS: dict[str, Callable[[dict[str, Any]], _About]] = {
    "checkout.session.completed": _of_session,
    **dict.fromkeys(
        (
            f"customer.subscription.{change}"
            for change in ("created", "updated", "deleted", "paused", "resumed")
        ),
        _of_subscription,
    ),
    **dict.fromkeys(
        (f"invoice.{change}" for change in ("paid", "payment_failed", "payment_action_required")), _of_invoice
    ),
}

"""Detection of a subscription's last payment that was refunded in full or is disputed.

A request may expand four levels (https://docs.stripe.com/expand) from subscription to charge; refunds and
disputes need further requests.
"""

from collections.abc import Callable
from typing import Any

import stripe

Read = Callable[[Callable[[stripe.StripeClient], Any]], dict[str, Any]]

_NOT_REFUNDED = {"failed", "canceled"}
"""Statuses of a refund whose money stayed (https://docs.stripe.com/refunds#failed-refunds)."""

_TAKEN = {"needs_response", "under_review", "lost", "appeal_needs_response", "appeal_under_review"}
"""Statuses of a dispute with the money withdrawn. An inquiry (``warning_…``) moves none; after ``won`` it is
returned (https://docs.stripe.com/api/disputes/object#dispute_object-status)."""


def paid_back(read: Read, subscription: dict[str, Any]) -> bool:
    """Return whether every payment of the last paid invoice was returned in full.

    ``subscription``: Stripe's, with ``latest_invoice`` expanded. One call, one for each refunded or disputed
    payment, and one more if the latest invoice is not paid.
    """
    invoice = _last_paid(read, subscription)
    if invoice is None:
        return False
    params: Any = {
        "invoice": invoice,
        "status": "paid",
        "expand": ["data.payment.payment_intent.latest_charge"],
    }
    payments = read(lambda client: client.v1.invoice_payments.list(params))["data"]
    return len(payments) > 0 and all(_went_back(read, payment["payment"]) for payment in payments)


def _last_paid(read: Read, subscription: dict[str, Any]) -> str | None:
    # A new invoice is a draft for an hour, then open while the charge is retried: until it is paid, the one
    # before counts. An invoice of zero (a trial, a changed subscription) pays for nothing.
    latest = subscription["latest_invoice"]
    if latest is None:
        return None
    invoices = [latest]
    if latest["status"] != "paid" or latest["total"] <= 0:
        params: Any = {"subscription": subscription["id"], "status": "paid"}  # the newest come first
        invoices = read(lambda client: client.v1.invoices.list(params))["data"]
    return next((invoice["id"] for invoice in invoices if invoice["total"] > 0), None)


def _went_back(read: Read, payment: dict[str, Any]) -> bool:
    if payment["type"] != "payment_intent":
        return False  # paid outside of Stripe
    charge = payment["payment_intent"]["latest_charge"]
    if charge["refunded"] and _refunded(read, charge) >= charge["amount_captured"]:
        return True
    return charge["disputed"] and _disputed(read, charge)


def _refunded(read: Read, charge: dict[str, Any]) -> int:
    # Whether a charge stays marked as refunded after its refund failed is not documented: count.
    params: Any = {"charge": charge["id"], "limit": 100}
    refunds = read(lambda client: client.v1.refunds.list(params))["data"]
    return sum(refund["amount"] for refund in refunds if refund["status"] not in _NOT_REFUNDED)


def _disputed(read: Read, charge: dict[str, Any]) -> bool:
    params: Any = {"charge": charge["id"]}
    disputes = read(lambda client: client.v1.disputes.list(params))["data"]
    return any(dispute["status"] in _TAKEN for dispute in disputes)

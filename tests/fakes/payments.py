"""Invoices, payments, charges, refunds and disputes as Stripe's API shows them (version 2026-10-28).

What names what: https://docs.stripe.com/api/invoice-payment/object. A refund counts on its charge from
the moment it is made; whether the charge still says so once the refund failed is not documented, so that
is the caller's choice here. ``disputed`` stays, however a dispute ends.
"""

import json
from collections.abc import Callable
from typing import Any, ClassVar

MONTHLY = 4_900  # cents

Object = dict[str, Any]


class Payments:
    """Everything that happened to money; ``objects`` by id, as they are now, the oldest first."""

    LISTS: ClassVar[dict[str, dict[str, Callable[[Object], Any]]]] = {
        "/v1/invoices": {
            "subscription": lambda it: it["parent"] and it["parent"]["subscription_details"]["subscription"],
            "status": lambda it: it["status"],
        },
        "/v1/invoice_payments": {
            "invoice": lambda it: it["invoice"],
            "status": lambda it: it["status"],
            "payment[type]": lambda it: it["payment"]["type"],
            "payment[payment_intent]": lambda it: it["payment"].get("payment_intent"),
        },
        "/v1/refunds": {"charge": lambda it: it["charge"]},
        "/v1/disputes": {"charge": lambda it: it["charge"]},
    }
    """The lists that can be asked for, and what each may be narrowed by."""

    def __init__(self, new: Callable[[str], str]) -> None:
        self.objects: dict[str, Object] = {}
        self._new = new

    # ---- what happens ----

    def bill(self, subscription: Object, paid: bool = True, total: int = MONTHLY) -> Object:
        """A new invoice of a subscription, which becomes its latest: paid, or open."""
        details = {"subscription": subscription["id"], "metadata": subscription["metadata"]}
        invoice = self._keep(
            "in",
            "invoice",
            status="open",
            total=total,
            amount_paid=0,
            parent={"type": "subscription_details", "subscription_details": details},
        )
        subscription["latest_invoice"] = invoice["id"]
        if paid:
            self.settle(invoice)
        return invoice

    def settle(self, invoice: Object, parts: int = 1) -> None:
        """An invoice is paid, in one part or several; over nothing it takes no payment."""
        for _ in range(parts if invoice["total"] else 0):
            self.pay(invoice, invoice["total"] // parts)
        invoice |= {"status": "paid", "amount_paid": invoice["total"]}

    def pay(self, invoice: Object | None, amount: int = MONTHLY) -> Object:
        """The charge of a payment: for an invoice, or for something else."""
        intent = self._keep("pi", "payment_intent", status="succeeded")
        charge = self._keep(
            "ch",
            "charge",
            payment_intent=intent["id"],
            amount=amount,
            amount_captured=amount,
            amount_refunded=0,
            refunded=False,
            disputed=False,
        )
        intent["latest_charge"] = charge["id"]
        if invoice is not None:
            payment = {"type": "payment_intent", "payment_intent": intent["id"]}
            self._keep("inpay", "invoice_payment", invoice=invoice["id"], status="paid", payment=payment)
        return charge

    def attempt(self, invoice: Object) -> None:
        """A payment of an invoice that came to nothing."""
        intent = self._keep("pi", "payment_intent", status="canceled", latest_charge=None)
        payment = {"type": "payment_intent", "payment_intent": intent["id"]}
        self._keep("inpay", "invoice_payment", invoice=invoice["id"], status="canceled", payment=payment)

    def pay_outside(self, invoice: Object) -> None:
        """An invoice is paid by a means that Stripe only has a record of."""
        payment = {"type": "payment_record", "payment_record": self._new("pr")}
        self._keep("inpay", "invoice_payment", invoice=invoice["id"], status="paid", payment=payment)
        invoice |= {"status": "paid", "amount_paid": invoice["total"]}

    def charges(self, invoice: str) -> list[Object]:
        """The charges that paid an invoice."""
        payments = [it for it in self._all("invoice_payment") if it["invoice"] == invoice]
        intents = {payment["payment"].get("payment_intent") for payment in payments}
        return [charge for charge in self._all("charge") if charge["payment_intent"] in intents]

    def refund(self, charge: Object, amount: int | None = None) -> Object:
        """Money goes back to the payer: all that is left of a charge, or an amount."""
        amount = charge["amount"] - charge["amount_refunded"] if amount is None else amount
        self._count_refunded(charge, amount)
        about = {"charge": charge["id"], "payment_intent": charge["payment_intent"]}
        return self._keep("re", "refund", **about, amount=amount, status="succeeded")

    def fail(self, refund: Object, status: str = "failed", charge_follows: bool = True) -> None:
        """The payer's bank gave a refund back, or it was canceled before it was sent."""
        refund["status"] = status
        if charge_follows:
            self._count_refunded(self.objects[refund["charge"]], -refund["amount"])

    def dispute(self, charge: Object, status: str = "needs_response") -> Object:
        """The payer turned to the bank."""
        charge["disputed"] = True
        about = {"charge": charge["id"], "payment_intent": charge["payment_intent"]}
        return self._keep("du", "dispute", **about, amount=charge["amount"], status=status)

    def disputes(self, charge: Object) -> list[Object]:
        """The disputes about a charge."""
        return [dispute for dispute in self._all("dispute") if dispute["charge"] == charge["id"]]

    # ---- what the API shows of it ----

    def listed(self, path: str, form: dict[str, str]) -> Object:
        """A list, the newest first; ``ValueError`` for what Stripe would refuse."""
        narrowed = self.LISTS[path]
        asked = {name: value for name, value in form.items() if not name.startswith("expand[")}
        limit = int(asked.pop("limit", "10"))
        if unknown := asked.keys() - narrowed.keys():
            raise ValueError(f"Received unknown parameters: {unknown}")
        kind = path.removeprefix("/v1/").removesuffix("s")
        found = [
            it
            for it in reversed(self._all(kind))
            if all(narrowed[name](it) == value for name, value in asked.items())
        ]
        page = {"object": "list", "url": path, "has_more": len(found) > limit, "data": found[:limit]}
        return self.shown(page, form)

    def shown(self, about: Object, form: dict[str, str]) -> Object:
        """A copy of something with what was asked for put in place of ids, four levels deep at most."""
        copy: Object = json.loads(json.dumps(about))
        for name, path in form.items():
            if name.startswith("expand["):
                levels = path.split(".")
                if len(levels) > 4:
                    raise ValueError("You cannot expand more than 4 levels of a property.")
                self._expand(copy, levels)
        return copy

    def _expand(self, about: Any, levels: list[str]) -> None:
        if isinstance(about, list):
            for each in about:
                self._expand(each, levels)
        elif about is not None and levels:
            level, *deeper = levels
            if level not in about and about.get("type") is None:
                raise ValueError(f"This property cannot be expanded ({level}).")
            inner = about.get(level)
            if isinstance(inner, str):
                inner = about[level] = json.loads(json.dumps(self.objects[inner]))
            self._expand(inner, deeper)

    def _all(self, kind: str) -> list[Object]:
        return [it for it in self.objects.values() if it["object"] == kind]

    def _count_refunded(self, charge: Object, amount: int) -> None:
        refunded = charge["amount_refunded"] + amount
        charge |= {"amount_refunded": refunded, "refunded": refunded >= charge["amount"]}

    def _keep(self, prefix: str, kind: str, **fields: Any) -> Object:
        made = {"id": self._new(prefix), "object": kind, **fields}
        self.objects[made["id"]] = made
        return made

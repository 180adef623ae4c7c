"""A shop to try billing with by hand, where no Stripe is: ``python -m tests.fakes.shop PORT WEBHOOK``.

Beside the API it does what people do there, and sends the events to the webhook:

    curl -X POST <the address of a page>                      pays there
    curl -X POST   http://127.0.0.1:PORT/v1/subscriptions/ID -d status=past_due
    curl -X POST   http://127.0.0.1:PORT/v1/subscriptions/ID -d invoice=paid
    curl -X POST   http://127.0.0.1:PORT/v1/subscriptions/ID -d refund=4900
    curl -X POST   http://127.0.0.1:PORT/v1/subscriptions/ID -d dispute=needs_response
    curl -X DELETE http://127.0.0.1:PORT/v1/subscriptions/ID  cancels

A refund is of so many cents of the latest invoice; a dispute is opened, or the one that is there changes.
"""

import sys
import threading
from typing import Any
from urllib.parse import parse_qs

import httpx

from tests.fakes.stripe_api import FakeStripe, Reply, signed


class Shop(FakeStripe):
    """A fake whose pages can be paid, and that delivers the events of it in the wrong order."""

    def __init__(self, port: int, webhook: str) -> None:
        super().__init__(port)
        self._webhook = webhook

    def answer(self, method: str, path: str, headers: Any, body: bytes) -> Reply:
        """What people do in the shop; anything else is for the API."""
        name = path.rsplit("/", 1)[1]
        if method == "POST" and path.startswith("/c/"):
            subscription, page = self.pay(path)
            about = [("invoice.paid", self.invoice(subscription)), ("checkout.session.completed", page)]
            return 200, self._deliver(
                subscription, [("customer.subscription.created", subscription), *about][::-1]
            )
        if name in self.subscriptions and method != "GET":
            subscription = self.subscriptions[name]
            form = parse_qs(body.decode()) if method == "POST" else {"status": ["canceled"]}
            ((what, (value,)),) = form.items()
            return 200, self._deliver(subscription, self._happen(subscription, what, value))
        return super().answer(method, path, headers, body)

    def _happen(
        self, subscription: dict[str, Any], what: str, value: str
    ) -> list[tuple[str, dict[str, Any]]]:
        """The events of it, the last one first."""
        if what == "status":
            subscription["status"] = value
            kind = "deleted" if value == "canceled" else "updated"
            return [(f"customer.subscription.{kind}", subscription)]
        if what == "invoice":
            invoice = self.payments.bill(subscription, paid=value == "paid")
            return [("invoice.paid" if value == "paid" else "invoice.payment_failed", invoice)]
        (charge,) = self.payments.charges(subscription["latest_invoice"])
        if what == "refund":
            refund = self.payments.refund(charge, int(value))
            return [("refund.updated", refund), ("charge.refunded", charge)]
        kinds = {"won": ["funds_reinstated", "closed"], "lost": ["closed"]}.get(value, ["updated"])
        if charge["disputed"]:
            (dispute,) = self.payments.disputes(charge)
            dispute["status"] = value
        else:
            dispute = self.payments.dispute(charge, value)
            kinds = ["created"] if value.startswith("warning") else ["funds_withdrawn", "created"]
        return [(f"charge.dispute.{kind}", dispute) for kind in kinds]

    def _deliver(
        self, subscription: dict[str, Any], events: list[tuple[str, dict[str, Any]]]
    ) -> dict[str, Any]:
        sent = {}
        for kind, about in events:
            body, header = signed(self.event(kind, about))
            answer = httpx.post(self._webhook, content=body, headers={"Stripe-Signature": header})
            sent[kind] = f"{answer.status_code} {answer.text}"
        return {"subscription": subscription["id"], "status": subscription["status"], "events": sent}


if __name__ == "__main__":
    with Shop(int(sys.argv[1]), sys.argv[2]) as shop:
        print(f"a shop at {shop.base}; Ctrl-C closes it")
        threading.Event().wait()

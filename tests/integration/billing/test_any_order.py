"""Events in any order, repeated or lost, lead to the state at Stripe."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.subscriptions import Subscriptions
from brskills_server.adapters.stripe.processor import StripeProcessor
from brskills_server.runtime.settings import Settings
from tests.fakes.payments import MONTHLY
from tests.fakes.stripe_api import API_KEY, PRICE, SECRET, FakeStripe, signed
from tests.services.store import in_memory


@pytest.fixture(scope="module")
def stripe() -> Iterator[FakeStripe]:
    with FakeStripe() as fake:
        yield fake


class Life:
    """A subscription at the fake Stripe, and the plan that its last payment grants."""

    def __init__(self, stripe: FakeStripe, account: str) -> None:
        self.stripe = stripe
        self.subscription = stripe.subscribe(account)
        self.status = "active"
        self.refunded = 0
        self.refunds: list[dict] = []
        self.disputes: list[dict] = []
        self.events = [stripe.event("customer.subscription.created", self.subscription)]
        (self.charge,) = stripe.payments.charges(self.subscription["latest_invoice"])

    @property
    def plan(self) -> str:
        taken = any(
            dispute["status"] in {"needs_response", "under_review", "lost"} for dispute in self.disputes
        )
        granted = self.status in {"active", "past_due"} and self.refunded < MONTHLY and not taken
        return "pro" if granted else "free"

    def _send(self, kind: str, about: dict) -> None:
        self.events.append(self.stripe.event(kind, about))

    def new_month(self, paid: bool) -> None:
        invoice = self.stripe.payments.bill(self.subscription, paid=paid)
        if paid:
            (self.charge,) = self.stripe.payments.charges(invoice["id"])
            self.refunded, self.refunds, self.disputes = 0, [], []
        self._send("invoice.paid" if paid else "invoice.payment_failed", invoice)

    def changes(self, status: str) -> None:
        self.status = self.subscription["status"] = status
        self._send("customer.subscription.updated", self.subscription)

    def refund(self, amount: int) -> None:
        amount = min(amount, MONTHLY - self.refunded)
        if amount:
            self.refunds.append(self.stripe.payments.refund(self.charge, amount))
            self.refunded += amount
            self._send("charge.refunded", self.charge)

    def refund_fails(self) -> None:
        if self.refunds:
            refund = self.refunds.pop()
            self.refunded -= refund["amount"]
            self.stripe.payments.fail(refund)
            self._send("refund.failed", refund)

    def dispute(self, status: str) -> None:
        self.disputes.append(self.stripe.payments.dispute(self.charge, status))
        self._send("charge.dispute.created", self.disputes[-1])

    def dispute_goes_on(self, status: str) -> None:
        if self.disputes:
            self.disputes[-1]["status"] = status
            self._send("charge.dispute.updated", self.disputes[-1])


STEPS: dict[str, Callable[[Life], None]] = {
    "the next month is paid": lambda life: life.new_month(paid=True),
    "the next month is not": lambda life: life.new_month(paid=False),
    "late": lambda life: life.changes("past_due"),
    "paused": lambda life: life.changes("paused"),
    "active": lambda life: life.changes("active"),
    "all of it is refunded": lambda life: life.refund(MONTHLY),
    "half of it is refunded": lambda life: life.refund(MONTHLY // 2),
    "a refund fails": lambda life: life.refund_fails(),
    "an inquiry": lambda life: life.dispute("warning_needs_response"),
    "a dispute": lambda life: life.dispute("needs_response"),
    "evidence is sent": lambda life: life.dispute_goes_on("under_review"),
    "the dispute is won": lambda life: life.dispute_goes_on("won"),
    "the dispute is lost": lambda life: life.dispute_goes_on("lost"),
}


@settings(max_examples=settings.default.max_examples // 3)
@given(st.data())
def test_any_order_and_repetition_ends_in_the_state_at_stripe(
    stripe: FakeStripe, data: st.DataObject
) -> None:
    environment = {
        "STRIPE_API_KEY": API_KEY,
        "STRIPE_WEBHOOK_SECRETS": SECRET,
        "STRIPE_PRICE_PRO": PRICE,
        "STRIPE_API_BASE": stripe.base,
    }
    configured = Settings.from_environment(environment).stripe
    assert configured is not None
    processor, store = StripeProcessor(configured), in_memory()
    accounts, subscriptions = Accounts(store, ""), Subscriptions(store)
    account = accounts.open("free").account

    def deliver(event: dict) -> None:
        parsed = processor.read_event(*signed(event))
        assert parsed is not None
        subscriptions.record(parsed, processor)

    stripe.payments.objects.clear()
    life = Life(stripe, account)
    for step in data.draw(st.lists(st.sampled_from(sorted(STEPS)), min_size=1, max_size=8), "what happens"):
        STEPS[step](life)
        for event in data.draw(st.lists(st.sampled_from(life.events), max_size=2), "delivered meanwhile"):
            deliver(event)
    rest = life.events + data.draw(st.lists(st.sampled_from(life.events), max_size=4), "delivered twice")
    for event in data.draw(st.permutations(rest), "delivered in the end"):
        deliver(event)
    found = accounts.get(account)
    assert found.plan == life.plan
    assert found.billing.version == len(life.events)

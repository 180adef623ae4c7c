"""Subscriptions at a payment processor, and the port to that processor."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

PAYING = {"active", "trialing", "past_due"}
"""Statuses that grant the plan; ``past_due`` is the grace while the processor repeats a charge."""

ENDED = {"canceled", "incomplete_expired"}
"""Final statuses: such a subscription is not kept."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A subscription as the processor has it now.

    ``account``: may be empty; ``status``: one of Stripe's
    (https://docs.stripe.com/api/subscriptions/object); ``plan``: what its price buys, ``None`` for an unknown
    price; ``paid_back``: its last payment was refunded in full or is disputed.
    """

    id: str
    account: str
    customer: str
    status: str
    plan: str | None
    paid_back: bool = False

    @property
    def pays(self) -> bool:
        """Whether it grants its plan."""
        return self.plan is not None and self.status in PAYING and not self.paid_back

    @property
    def prevents_another(self) -> bool:
        """Whether it pays, or could again once the owner acts, so that a second one would be too many."""
        return self.status != "incomplete"  # its first payment never came, and the processor will end it


@dataclass(frozen=True, slots=True)
class Billing:
    """The stored payment data of an account; ``version`` counts the changes."""

    subscriptions: Mapping[str, Subscription] = field(default_factory=dict)
    customer: str | None = None
    version: int = 0


class BillingEvent(NamedTuple):
    """An event about a subscription or a payment; the other is empty, and so may be ``account``."""

    id: str
    kind: str
    subscription: str = ""
    account: str = ""
    payment: str = ""


class PaymentProcessor(Protocol):
    """A payment processor. Every method may raise ``BillingUnavailable``."""

    def checkout(self, account: str, customer: str | None, version: int, page: str) -> str:
        """Return the URL of a page to subscribe at, which leads back to ``page``.

        ``version`` distinguishes new from repeated requests.
        """

    def portal(self, customer: str, page: str) -> str:
        """Return the URL of a page to manage subscriptions at, as `checkout`. Raise ``UnknownCustomer``."""

    def subscription(self, name: str) -> Subscription:
        """Return a subscription as it is now. Raise ``NotAnEvent`` if it does not exist."""

    def subscription_of(self, payment: str) -> tuple[str, str] | None:
        """Return a payment's subscription and the account of its invoice, or "". Raise ``NotAnEvent``."""

    def read_event(self, body: bytes, signature: str) -> BillingEvent | None:
        """Return a signed event, ``None`` if irrelevant. Raise ``InvalidSignature`` or ``NotAnEvent``."""

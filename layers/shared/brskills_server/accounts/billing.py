"""What an account pays with: subscriptions at a payment processor, and the port to that processor."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

__all__ = ["ENDED", "PAYING", "Billing", "BillingEvent", "PaymentProcessor", "Subscription"]

PAYING = {"active", "trialing", "past_due"}
"""Statuses that grant the plan; ``past_due`` is the grace while the processor repeats a charge."""

ENDED = {"canceled", "incomplete_expired"}
"""Final statuses: such a subscription is not kept."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A subscription as the processor has it now.

    ``account``: whose it is, empty where it does not say; ``status``: one of Stripe's
    (https://docs.stripe.com/api/subscriptions/object); ``plan``: what its price buys, ``None`` for an
    unknown price; ``paid_back``: what it was last paid with was refunded in full or is disputed.
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
    def stands(self) -> bool:
        """Whether a second one would be one too many: it pays, or could again once the owner acts."""
        return self.status != "incomplete"  # its first payment never came, and it ends by itself


@dataclass(frozen=True, slots=True)
class Billing:
    """What an account keeps of its payments; ``version`` counts the changes."""

    subscriptions: Mapping[str, Subscription] = field(default_factory=dict)
    customer: str | None = None
    version: int = 0


class BillingEvent(NamedTuple):
    """Something happened to a subscription, or to a payment: one of the two is empty.

    ``account`` is whose the event says the subscription is, or empty.
    """

    id: str
    kind: str
    subscription: str = ""
    account: str = ""
    payment: str = ""


class PaymentProcessor(Protocol):
    """Every method may raise ``BillingUnavailable``."""

    def checkout(self, account: str, customer: str | None, version: int) -> str:
        """The address of a page to subscribe at; ``version`` tells a new request from a repeated one."""

    def portal(self, customer: str) -> str:
        """The address of a page to manage subscriptions at; raises ``UnknownCustomer``."""

    def subscription(self, name: str) -> Subscription:
        """A subscription as it is now; raises ``NotAnEvent`` where there is none of this name."""

    def subscription_of(self, payment: str) -> tuple[str, str] | None:
        """The subscription that a payment was for, and whose the invoice says it is (or empty).

        Raises ``NotAnEvent`` where there is no such payment.
        """

    def read_event(self, body: bytes, signature: str) -> BillingEvent | None:
        """What a signed event is about, ``None`` if about nothing here.

        Raises ``InvalidSignature`` or ``NotAnEvent``.
        """

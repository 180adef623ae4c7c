"""The plan of an account by its subscriptions at the payment processor.

An event only says that something changed. The subscription is read after the account, and written only if the
account is unchanged, so the latest state remains, in any order and however often the events arrive.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal

from brskills_server.accounts.account import Account
from brskills_server.accounts.billing import ENDED, Billing, BillingEvent, PaymentProcessor, Subscription
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.accounts.plans import PLANS
from brskills_server.accounts.ports import SubscriptionStore

MANUAL = "enterprise"
"""The plan that is agreed by hand and that no event changes."""

_KEPT_SECONDS = 40 * 86_400  # the processor repeats an event for some days
_TRIES = 5

RecordResult = Literal[
    "recorded", "recorded_double", "recorded_paid_back", "duplicate", "ignored", "unknown_account"
]
"""``recorded_double``: the account now pays for more than one subscription. ``recorded_paid_back``: the
subscription grants nothing because its payment was returned. ``ignored``: a payment for no subscription."""


class Subscriptions:
    """Recorder of billing events; may raise ``StoreUnavailable``."""

    def __init__(self, store: SubscriptionStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def record(self, event: BillingEvent, processor: PaymentProcessor) -> RecordResult:
        """Set an account's plan by a subscription as it is now, once for an event.

        The subscription's own account decides, not the event's. Nothing is stored of an event that is ignored
        or whose account is unknown.
        """
        name, account = event.subscription, event.account
        for _ in range(_TRIES):
            if self._store.has_event(event.id):
                return "duplicate"
            if not name:
                found = processor.subscription_of(event.payment)
                if found is None:
                    return "ignored"
                name, account = found
            before = self._store.read_account(account)
            subscription = processor.subscription(name)
            if subscription.account != account:
                account = subscription.account  # must be read before the subscription
                continue
            if before is None:
                return "unknown_account"
            after = _with_subscription(before, subscription)
            if self._store.record_event(event.id, int(self._clock()) + _KEPT_SECONDS, before, after):
                return _result(after, subscription)
            # Another delivery or the operator was faster: try again.
        raise StoreUnavailable("too many deliveries at once")


def _with_subscription(account: Account, subscription: Subscription) -> Account:
    kept = {name: other for name, other in account.billing.subscriptions.items() if name != subscription.id}
    if subscription.status not in ENDED:
        kept[subscription.id] = subscription
    # The portal is of a subscription's customer; without any subscription, of the last customer.
    customer = next((other.customer for other in kept.values()), subscription.customer)
    plan = _plan(account.plan, kept.values())
    return replace(
        account,
        plan=plan,
        # An account's own limit lasts as long as its plan.
        monthly_limit=account.monthly_limit if plan == account.plan else PLANS[plan].monthly_limit,
        billing=Billing(kept, customer, account.billing.version + 1),
    )


def _result(account: Account, subscription: Subscription) -> RecordResult:
    if subscription.paid_back:
        return "recorded_paid_back"
    paying = sum(kept.pays for kept in account.billing.subscriptions.values())
    return "recorded" if paying < 2 else "recorded_double"


def _plan(current: str, subscriptions: Iterable[Subscription]) -> str:
    if current == MANUAL:
        return MANUAL
    return next((str(kept.plan) for kept in subscriptions if kept.pays), "free")

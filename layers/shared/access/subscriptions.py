"""Subscriptions at the payment processor, and the plan that an account has by them.

An event only tells that something changed: the subscription is read afresh, and its state, the plan
that follows and the event's id are written in one transaction, on condition that the account still is
as it was *before* that reading. So whoever writes has read after everybody who wrote before, and what
remains is the latest state, in whatever order and however often the events come in.

    ACCOUNT#<id>   … subscriptions {id: {status, plan, customer}}, customer, billing_version
    EVENT#<id>     expires_at
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from access.accounts import plan_change
from access.ledger import account_pk
from storage import StoreUnavailable, Unmet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from storage import Item, Table

__all__ = ["Billing", "Outcome", "Subscription", "Subscriptions", "billing_of"]

PAYING = {"active", "trialing", "past_due"}
"""Statuses that grant the plan; ``past_due`` is the grace while the processor repeats a charge."""

ENDED = {"canceled", "incomplete_expired"}
"""Statuses that nothing follows: such a subscription is forgotten."""

MANUAL = "enterprise"
"""The plan that is agreed by hand, and that no event takes away."""

_KEPT_SECONDS = 40 * 86_400  # the processor repeats an event for some days
_TRIES = 5

Outcome = Literal["recorded", "recorded_double", "duplicate", "unknown_account"]
"""``recorded_double``: recorded, and the account pays for more than one subscription now."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A subscription as the processor has it now.

    ``account``: whose it is, empty where it does not say; ``status``: one of Stripe's; ``plan``: what
    its price buys, ``None`` for a price of which we do not know.
    """

    id: str
    account: str
    customer: str
    status: str
    plan: str | None

    @property
    def pays(self) -> bool:
        """Whether it grants its plan."""
        return self.plan is not None and self.status in PAYING

    @property
    def stands(self) -> bool:
        """Whether a second one would be one too many: it pays, or could again once the owner acts."""
        return self.status != "incomplete"  # its first payment never came, and it ends by itself


@dataclass(frozen=True, slots=True)
class Billing:
    """What an account's item says of its payments; ``version`` counts the changes."""

    plan: str
    subscriptions: dict[str, Subscription]
    customer: str | None
    version: int


class Subscriptions:
    """Takes events in; every method may raise ``storage.StoreUnavailable``."""

    def __init__(self, table: Table, clock: Callable[[], float] = time.time) -> None:
        self._table = table
        self._clock = clock

    def record(self, event: str, account: str, fetch: Callable[[], Subscription]) -> Outcome:
        """Let an account have the plan of a subscription as ``fetch`` reads it, once for an event.

        ``account`` is where the event said it belongs; the subscription itself has the last word.
        Nothing is kept of an event whose account is unknown.
        """
        for _ in range(_TRIES):
            if self._table.get(f"EVENT#{event}") is not None:
                return "duplicate"
            item = self._table.get(account_pk(account))
            subscription = fetch()
            if subscription.account != account:
                account = subscription.account  # its item has to be read before the subscription is
                continue
            if item is None:
                return "unknown_account"
            try:
                paying = self._write(event, account, billing_of(item, account), subscription)
            except Unmet:  # another delivery was faster, or the operator: begin again
                continue
            return "recorded" if paying < 2 else "recorded_double"
        raise StoreUnavailable("too many deliveries at once")

    def _write(self, event: str, account: str, before: Billing, subscription: Subscription) -> int:
        kept = _kept(before, subscription)
        plan, values = plan_change(_plan(before.plan, kept.values()))
        unchanged = "billing_version = :seen" if before.version else "attribute_not_exists(billing_version)"
        update = {
            "Key": {"pk": {"S": account_pk(account)}},
            "UpdateExpression": "SET subscriptions = :all, customer = :who, billing_version = :next, " + plan,
            "ConditionExpression": "#plan = :plan_seen AND " + unchanged,
            "ExpressionAttributeNames": {"#plan": "plan"},
            "ExpressionAttributeValues": {
                ":all": {"M": {name: _as_item(other) for name, other in kept.items()}},
                # The portal of a living subscription's customer; without one, of the last customer.
                ":who": {"S": next((other.customer for other in kept.values()), subscription.customer)},
                ":next": {"N": str(before.version + 1)},
                ":plan_seen": {"S": before.plan},
            }
            | ({":seen": {"N": str(before.version)}} if before.version else {})
            | values,
        }
        done = {"pk": {"S": f"EVENT#{event}"}, "expires_at": {"N": str(int(self._clock()) + _KEPT_SECONDS)}}
        self._table.transact(
            {"Update": update}, {"Put": {"Item": done, "ConditionExpression": "attribute_not_exists(pk)"}}
        )
        return sum(other.pays for other in kept.values())


def billing_of(item: Item, account: str) -> Billing:
    """The payments in an account's item."""
    return Billing(
        plan=item["plan"]["S"],
        subscriptions={
            name: _from_item(name, account, kept["M"])
            for name, kept in item.get("subscriptions", {"M": {}})["M"].items()
        },
        customer=item["customer"]["S"] if "customer" in item else None,
        version=int(item["billing_version"]["N"]) if "billing_version" in item else 0,
    )


def _kept(before: Billing, subscription: Subscription) -> dict[str, Subscription]:
    others = {name: other for name, other in before.subscriptions.items() if name != subscription.id}
    return others if subscription.status in ENDED else {**others, subscription.id: subscription}


def _plan(current: str, subscriptions: Iterable[Subscription]) -> str:
    if current == MANUAL:
        return MANUAL
    return next((str(kept.plan) for kept in subscriptions if kept.pays), "free")


def _as_item(subscription: Subscription) -> dict[str, Any]:
    fields = {"status": {"S": subscription.status}, "customer": {"S": subscription.customer}}
    return {"M": fields if subscription.plan is None else {**fields, "plan": {"S": subscription.plan}}}


def _from_item(name: str, account: str, fields: dict[str, Any]) -> Subscription:
    plan = fields["plan"]["S"] if "plan" in fields else None
    return Subscription(name, account, fields["customer"]["S"], fields["status"]["S"], plan)

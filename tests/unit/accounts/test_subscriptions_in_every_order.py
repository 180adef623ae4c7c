"""Concurrent deliveries of events in every interleaving of their steps."""

from collections.abc import Callable

import pytest

from brskills_server.accounts.billing import BillingEvent
from brskills_server.accounts.subscriptions import Subscriptions
from tests.unit.accounts.conftest import about
from tests.unit.turns import Step, Stepping, interleavings, together

PRO = {"active", "trialing", "past_due"}


def test_two_lives_on_one_account_in_every_interleaving(store, clock, accounts, shop) -> None:
    statuses = ["active", "past_due", "canceled"]
    subscriptions = Subscriptions(store, clock)
    for order in interleavings(["sub_1"] * 3, ["sub_2"] * 3):
        account = accounts.open("free").account
        seen: dict[str, str] = {}
        for number, name in enumerate(order):
            seen[name] = statuses[order[: number + 1].count(name) - 1]
            shop.put(account, seen[name], name)
            subscriptions.record(about(f"evt_{account}_{number}", account, name), shop)
            expected = "pro" if PRO & set(seen.values()) else "free"
            assert accounts.get(account).plan == expected, order


STEPS = 4
"""Of a delivery: look for the event, read the account, read the subscription, write."""


@pytest.fixture
def deliver(store, clock, shop):
    """Return an actor that delivers an event; each operation is a step."""

    def delivering(event: BillingEvent) -> Callable[[Step], str]:
        return lambda step: Subscriptions(Stepping(store, step), clock).record(event, Stepping(shop, step))

    return delivering


def test_the_end_arrives_while_the_beginning_is_recorded(deliver, accounts, shop) -> None:
    for order in interleavings(["began"] * STEPS, ["end", *["ended"] * STEPS]):
        account = accounts.open("free").account
        shop.put(account, "active")
        actors = {
            "began": deliver(about(f"evt_1_{account}", account)),
            "end": lambda step, name=account: step(lambda: shop.put(name, "canceled")),
            "ended": deliver(about(f"evt_2_{account}", account)),
        }
        together(order, actors)
        found = accounts.get(account)
        assert (found.plan, found.billing.subscriptions) == ("free", {}), order


def test_a_refund_arrives_while_the_payment_is_recorded(deliver, accounts, shop) -> None:
    # The refund's event names a payment: one step more, to find the subscription.
    for order in interleavings(["paid"] * STEPS, ["refund", *["refunded"] * (STEPS + 1)]):
        account = accounts.open("free").account
        shop.put(account, "active")
        shop.payments["pi_1"] = ("sub_1", account)
        actors = {
            "paid": deliver(about(f"evt_1_{account}", account)),
            "refund": lambda step, name=account: step(lambda: shop.put(name, "active", paid_back=True)),
            "refunded": deliver(BillingEvent(f"evt_2_{account}", "charge.refunded", payment="pi_1")),
        }
        together(order, actors)
        found = accounts.get(account)
        assert (found.plan, found.billing.subscriptions["sub_1"].paid_back) == ("free", True), order


def test_one_event_delivered_twice_at_once_is_recorded_once(deliver, accounts, shop) -> None:
    for order in interleavings(["first"] * STEPS, ["second"] * STEPS):
        account = accounts.open("free").account
        shop.put(account, "active")
        event = about(f"evt_1_{account}", account)
        outcomes = together(order, {"first": deliver(event), "second": deliver(event)})
        assert sorted(outcomes) == ["duplicate", "recorded"], order
        assert accounts.get(account).billing.version == 1


def test_one_subscription_ends_while_another_begins(store, clock, deliver, accounts, shop) -> None:
    for order in interleavings(["old"] * STEPS, ["new"] * STEPS):
        account = accounts.open("free").account
        shop.put(account, "active", "old")
        Subscriptions(store, clock).record(about(f"evt_0_{account}", account, "old"), shop)
        shop.put(account, "canceled", "old")
        shop.put(account, "active", "new")
        events = {name: about(f"evt_{name}_{account}", account, name) for name in ("old", "new")}
        together(order, {name: deliver(event) for name, event in events.items()})
        found = accounts.get(account)
        assert (found.plan, list(found.billing.subscriptions)) == ("pro", ["new"]), order


def test_the_operator_sets_enterprise_at_any_moment(deliver, accounts, shop) -> None:
    for order in interleavings(["ended"] * STEPS, ["operator"]):
        account = accounts.open("pro").account
        shop.put(account, "canceled")
        actors = {
            "ended": deliver(about(f"evt_1_{account}", account)),
            "operator": lambda step, name=account: step(lambda: accounts.set_plan(name, "enterprise")),
        }
        together(order, actors)
        assert accounts.get(account).plan == "enterprise", order

"""Events in every order, and deliveries at once in every interleaving of their steps."""

from __future__ import annotations

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


# Two deliveries at once: each looks for the event, reads the account, reads the subscription, writes.
STEPS = 4


def test_the_end_told_while_the_beginning_is_still_being_taken_in(store, clock, accounts, shop) -> None:
    for order in interleavings(["began"] * STEPS, ["it ends", *["ended"] * STEPS]):
        account = accounts.open("free").account
        shop.put(account, "active")
        together(
            order,
            {
                "began": lambda step, name=account: deliver(
                    store, clock, step, about(f"evt_1_{name}", name), shop
                ),
                "it ends": lambda step, name=account: step(lambda: shop.put(name, "canceled")),
                "ended": lambda step, name=account: deliver(
                    store, clock, step, about(f"evt_2_{name}", name), shop
                ),
            },
        )
        found = accounts.get(account)
        assert (found.plan, found.billing.subscriptions) == ("free", {}), order


def test_a_refund_told_while_the_payment_is_still_being_taken_in(store, clock, accounts, shop) -> None:
    # The refund's event names a payment: one step more, to find the subscription.
    for order in interleavings(["paid"] * STEPS, ["it goes back", *["refunded"] * (STEPS + 1)]):
        account = accounts.open("free").account
        shop.put(account, "active")
        shop.payments["pi_1"] = ("sub_1", account)
        refunded = BillingEvent(f"evt_2_{account}", "charge.refunded", payment="pi_1")
        together(
            order,
            {
                "paid": lambda step, name=account: deliver(
                    store, clock, step, about(f"evt_1_{name}", name), shop
                ),
                "it goes back": lambda step, name=account: step(
                    lambda: shop.put(name, "active", paid_back=True)
                ),
                "refunded": lambda step, event=refunded: deliver(store, clock, step, event, shop),
            },
        )
        found = accounts.get(account)
        assert (found.plan, found.billing.subscriptions["sub_1"].paid_back) == ("free", True), order


def test_one_event_delivered_twice_at_once(store, clock, accounts, shop) -> None:
    for order in interleavings(["first"] * STEPS, ["second"] * STEPS):
        account = accounts.open("free").account
        shop.put(account, "active")
        outcomes = together(
            order,
            {
                who: lambda step, name=account: deliver(
                    store, clock, step, about(f"evt_1_{name}", name), shop
                )
                for who in ("first", "second")
            },
        )
        assert sorted(outcomes) == ["duplicate", "recorded"], order
        assert accounts.get(account).billing.version == 1


def test_one_subscription_ends_while_another_begins(store, clock, accounts, shop) -> None:
    subscriptions = Subscriptions(store, clock)
    for order in interleavings(["old"] * STEPS, ["new"] * STEPS):
        account = accounts.open("free").account
        shop.put(account, "active", "old")
        subscriptions.record(about(f"evt_0_{account}", account, "old"), shop)
        shop.put(account, "canceled", "old")
        shop.put(account, "active", "new")
        together(
            order,
            {
                who: lambda step, who=who, name=account: deliver(
                    store, clock, step, about(f"evt_{who}_{name}", name, who), shop
                )
                for who in ("old", "new")
            },
        )
        found = accounts.get(account)
        assert (found.plan, list(found.billing.subscriptions)) == ("pro", ["new"]), order


def test_the_operator_makes_it_enterprise_at_any_moment(store, clock, accounts, shop) -> None:
    for order in interleavings(["ended"] * STEPS, ["operator"]):
        account = accounts.open("pro").account
        shop.put(account, "canceled")
        together(
            order,
            {
                "ended": lambda step, name=account: deliver(
                    store, clock, step, about(f"evt_1_{name}", name), shop
                ),
                "operator": lambda step, name=account: step(lambda: accounts.set_plan(name, "enterprise")),
            },
        )
        assert accounts.get(account).plan == "enterprise", order


# ---- how it is done ----


def deliver(store, clock, step: Step, event: BillingEvent, shop) -> str:
    return Subscriptions(Stepping(store, step), clock).record(event, Stepping(shop, step))

"""Events in every order, and deliveries at once in every interleaving of their steps."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from access import BillingEvent, Subscriptions
from tests.unit.access.conftest import about

PRO = {"active", "trialing", "past_due"}
LIVES = {
    "ends": ["incomplete", "active", "active", "past_due", "active", "canceled"],
    "lapses": ["trialing", "active", "past_due", "past_due", "unpaid", "canceled"],
    "rests and comes back": ["active", "paused", "active", "past_due", "active", "active"],
}


@pytest.mark.parametrize("life", LIVES)
def test_a_life_in_every_order_of_its_events(store, clock, accounts, shop, life) -> None:
    """Each event comes as early as it can: at the first moment when what it tells of has happened."""
    statuses = LIVES[life]
    subscriptions = Subscriptions(store, clock)
    for order in itertools.permutations(range(len(statuses))):
        account = accounts.open("free").account
        latest = 0
        for event in order:
            latest = max(latest, event)
            shop.put(account, statuses[latest])
            subscriptions.record(about(f"evt_{account}_{event}", account), shop)
            assert (accounts.get(account).plan == "pro") == (statuses[latest] in PRO), order
            assert subscriptions.record(about(f"evt_{account}_{event}", account), shop) == "duplicate"


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

Step = Callable[[Callable[[], Any]], Any]


class Stepping:
    """A store or a processor, each of whose operations waits for its turn."""

    def __init__(self, behind, step: Step) -> None:
        self._behind = behind
        self._step = step

    def __getattr__(self, operation: str):
        return lambda *of: self._step(lambda: getattr(self._behind, operation)(*of))


def deliver(store, clock, step: Step, event: BillingEvent, shop) -> str:
    return Subscriptions(Stepping(store, step), clock).record(event, Stepping(shop, step))


class Turns:
    """Who may take the next step. After the given order, whoever is left goes on, one by one."""

    def __init__(self, order: Iterable[str], actors: Iterable[str]) -> None:
        self._order = list(order)
        self._left = list(actors)
        self._changed = threading.Condition()

    def step(self, who: str, action: Callable[[], Any]) -> Any:
        with self._changed:
            assert self._changed.wait_for(lambda: self._next() == who, timeout=30)
            if self._order:
                self._order.pop(0)
            try:
                return action()
            finally:
                self._changed.notify_all()

    def leave(self, who: str) -> None:
        with self._changed:
            self._left.remove(who)
            self._order = [other for other in self._order if other != who]
            self._changed.notify_all()

    def _next(self) -> str:
        return self._order[0] if self._order else self._left[0]


def together(order: Iterable[str], actors: dict[str, Callable[[Step], Any]]) -> list[Any]:
    """What the actors return, each in a thread of its own, their steps taken in this order."""
    turns = Turns(order, actors)
    results: list[Any] = []

    def run(who: str) -> None:
        try:
            results.append(actors[who](lambda action: turns.step(who, action)))
        except BaseException as error:  # shown by the assertion on what they return
            results.append(error)
        finally:
            turns.leave(who)

    threads = [threading.Thread(target=run, args=(who,)) for who in actors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not [result for result in results if isinstance(result, BaseException)], results
    return results


def interleavings(first: list[str], second: list[str]) -> Iterator[list[str]]:
    """Every way to mix two sequences, each staying in its own order."""
    for places in itertools.combinations(range(len(first) + len(second)), len(first)):
        mine, others = iter(first), iter(second)
        yield [next(mine) if n in places else next(others) for n in range(len(first) + len(second))]

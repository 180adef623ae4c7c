"""Rounds that reconcile gateway keys with accounts, with faults at each step."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.accounts.account import Account
from brskills_server.accounts.dedicated_gateway_keys import (
    MOST_A_ROUND,
    READY_SECONDS,
    DedicatedGatewayKeys,
    GatewayKey,
    Round,
)
from brskills_server.accounts.errors import GatewayUnavailable, StoreUnavailable
from brskills_server.accounts.plans import PLANS
from brskills_server.accounts.throttle_groups import dedicated_key_name, throttle_group_of
from tests.conftest import Clock
from tests.services.store import in_memory

INTERVAL = 300
CACHED = 60  # how long API Gateway keeps an authorizer's answer
ENOUGH = 8
"""Rounds: clear, delete, make, three of waiting, mark, and one that finds nothing to do."""

Fault = Callable[[], str]
"""The fault of the next call: none (""), "before" it is applied, or "after"."""


def no_fault() -> str:
    return ""


class World:
    """A gateway and a store that check the invariants after each change."""

    def __init__(self, accounts: int = 0) -> None:
        self.clock = Clock()
        self.fault: Fault = no_fault
        self.keys: dict[str, GatewayKey] = {}
        self.put_at: dict[str, float] = {}
        self.named_at: dict[str, float] = {}
        self.accounts = in_memory()
        self.stale: list[Account] | None = None
        for n in range(accounts):
            self.accounts.open_account(Account(f"acc_{n}", "free", 100, {}))
        self.job = DedicatedGatewayKeys(self, self, self.clock)  # type: ignore[arg-type]

    def call(self, kind: type[Exception], change: Callable[[], object]) -> None:
        self.clock.now += 0.1
        fault = self.fault()
        if fault == "before":
            raise kind
        change()
        self.check()
        if fault == "after":
            raise kind

    def check(self) -> None:
        for account in self.accounts.list_accounts():
            if account.dedicated_gateway_key:
                name = dedicated_key_name(account.dedicated_gateway_key, account.id)
                assert self.keys[name].works, "marked with a key that is not in its plan"
                assert self.clock() - self.put_at[name] >= READY_SECONDS, "marked with a key too new"
            self.named_at[throttle_group_of(account, self.clock())] = self.clock()

    # ---- the gateway ----

    def list(self) -> list[GatewayKey]:
        self.call(GatewayUnavailable, lambda: None)
        return [*self.keys.values()]

    def create(self, plan: str, account: str) -> None:
        name = dedicated_key_name(plan, account)
        assert name not in self.keys, "a value is unique"

        def put() -> None:
            self.keys[name] = replace(self.keys[name], works=True)
            self.put_at[name] = self.clock()

        made = GatewayKey(name, plan, account, self.clock(), works=False)
        self.call(GatewayUnavailable, lambda: self.keys.update({name: made}))
        self.call(GatewayUnavailable, put)

    def delete(self, key: str) -> None:
        account = self.accounts.read_account(self.keys[key].account)
        assert account is None or account.dedicated_gateway_key != self.keys[key].plan, "deleted while marked"
        assert self.clock() - self.named_at.get(key, 0) > CACHED, "deleted while an answer names it"
        self.call(GatewayUnavailable, lambda: self.keys.pop(key))

    # ---- the store ----

    def list_accounts(self) -> Iterator[Account]:
        self.call(StoreUnavailable, lambda: None)
        return iter(self.stale or [*self.accounts.list_accounts()])

    def read_account(self, account: str) -> Account | None:
        self.call(StoreUnavailable, lambda: None)
        return self.accounts.read_account(account)

    def set_dedicated_gateway_key(self, account: str, plan: str) -> bool:
        self.call(StoreUnavailable, lambda: self.accounts.set_dedicated_gateway_key(account, plan))
        return True

    # ---- what happens ----

    def set_plan(self, account: str, plan: str) -> None:
        self.accounts.set_plan(account, plan, PLANS[plan].monthly_limit)
        self.check()

    def round(self) -> Round:
        self.clock.now += INTERVAL
        return self.job.run()

    def rounds(self, count: int) -> None:
        for _ in range(count):
            self.round()

    @property
    def marks(self) -> set[str]:
        return {
            dedicated_key_name(one.dedicated_gateway_key, one.id)
            for one in self.accounts.list_accounts()
            if one.dedicated_gateway_key
        }


@given(st.data())
def test_after_any_faults_keys_and_accounts_agree(data) -> None:
    world = World(accounts=3)
    changes = st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from(["free", "pro", "enterprise"])), max_size=2
    )
    faults = st.sampled_from(["", "", "", "", "before", "after"])
    before: list[Account] = []
    for _ in range(data.draw(st.integers(1, 25))):
        for number, plan in data.draw(changes):
            world.clock.now += data.draw(st.sampled_from([0.5, 90]))
            world.set_plan(f"acc_{number}", plan)
        now = [*world.accounts.list_accounts()]
        world.stale = before if data.draw(st.booleans()) else None
        world.fault = lambda: data.draw(faults)
        world.clock.now += data.draw(st.sampled_from([1, INTERVAL]))  # a schedule may fire twice
        with suppress(GatewayUnavailable, StoreUnavailable):
            world.job.run()
        before = now
    world.fault, world.stale = no_fault, None
    world.rounds(ENOUGH)
    paying = {
        dedicated_key_name(one.plan, one.id)
        for one in world.accounts.list_accounts()
        if PLANS[one.plan].is_paid
    }
    assert world.keys.keys() == paying == world.marks
    assert world.round() == Round()


@pytest.fixture
def paying() -> World:
    """One account that pays, with its key in use."""
    world = World(accounts=1)
    world.set_plan("acc_0", "pro")
    world.rounds(5)
    return world


def test_a_key_is_made_at_once_and_used_a_quarter_of_an_hour_later() -> None:
    world = World(accounts=2)
    world.set_plan("acc_1", "pro")
    assert world.round() == Round(made=1)
    assert [world.round() for _ in range(3)] == [Round(), Round(), Round(marked=1)]
    assert world.keys.keys() == world.marks == {"pro-acc_1"}


def test_a_plan_that_ends_first_ends_the_mark_and_a_round_later_the_key(paying) -> None:
    paying.set_plan("acc_0", "free")
    assert paying.round() == Round(cleared=1)
    assert paying.keys
    assert paying.round() == Round(deleted=1)
    assert not paying.keys


def test_a_key_removed_from_its_plan_is_made_again(paying) -> None:
    paying.check = lambda: None  # the invariants are broken from outside
    paying.keys["pro-acc_0"] = replace(paying.keys["pro-acc_0"], works=False)
    assert [paying.round() for _ in range(3)] == [Round(cleared=1), Round(deleted=1), Round(made=1)]
    del paying.keys["pro-acc_0"]
    assert paying.round() == Round(made=1)


def test_the_key_of_an_account_that_is_gone_is_deleted(paying) -> None:
    paying.accounts.delete_account("acc_0")
    assert paying.round() == Round(deleted=1)


def test_a_failure_stops_no_other_account() -> None:
    world = World(accounts=3)
    for number in range(3):
        world.set_plan(f"acc_{number}", "pro")
    faults = iter(["", "", "", "", "before", *[""] * 9])  # two listings, one key made, the second refused
    world.fault = lambda: next(faults)
    assert world.round() == Round(made=2, failed=1, waiting=1)
    assert world.round() == Round(made=1)


@pytest.mark.parametrize("failing", [1, 2])
def test_a_failed_listing_changes_nothing(paying, failing) -> None:
    faults = iter(["", "before"][2 - failing :])
    paying.fault = lambda: next(faults)
    with pytest.raises((GatewayUnavailable, StoreUnavailable)):
        paying.round()
    assert paying.keys.keys() == paying.marks


def test_keys_a_round_and_keys_of_the_gateway_are_limited(monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.accounts.dedicated_gateway_keys.MOST_KEYS", 70)
    world = World(accounts=80)
    for number in range(80):
        world.set_plan(f"acc_{number}", "pro")
    assert world.round() == Round(made=MOST_A_ROUND, waiting=30)
    assert world.round() == Round(made=20, waiting=10)
    assert world.round() == Round(waiting=10)
    assert all(throttle_group_of(account, world.clock()) for account in world.accounts.list_accounts())

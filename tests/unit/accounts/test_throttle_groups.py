"""Which accounts share a gateway key."""

import secrets
from collections import Counter
from dataclasses import replace

import pytest

from brskills_server.accounts.account import Account
from brskills_server.accounts.plans import PLANS
from brskills_server.accounts.throttle_groups import (
    QUOTA_EXHAUSTED,
    SHARED_THROTTLE_GROUPS,
    dedicated_key_name,
    throttle_group_of,
)
from tests.for_each import for_each

NOW = 1_795_000_000.0


def account(plan: str, name: str = "acc_1", calls: int = 0, own: str = "") -> Account:
    return Account(name, plan, PLANS[plan].monthly_limit, {}, {"2026-11": calls}, dedicated_gateway_key=own)


@pytest.mark.parametrize("plan", ["free", "pro", "enterprise"])
def test_an_account_stays_on_one_shared_key_of_its_plan(plan: str) -> None:
    groups = {throttle_group_of(account(plan), NOW + day * 86_400) for day in range(400)}
    assert len(groups) == 1
    assert groups < set(SHARED_THROTTLE_GROUPS[plan])


@pytest.mark.parametrize("plan", ["pro", "enterprise"])
def test_a_paying_account_has_its_own_key_once_that_is_ready_for_its_plan(plan: str) -> None:
    assert (
        throttle_group_of(account(plan, own=plan), NOW)
        == dedicated_key_name(plan, "acc_1")
        == f"{plan}-acc_1"
    )


@for_each(("plan", "own"), [("free", "pro"), ("pro", "enterprise"), ("enterprise", "pro")])
def test_a_key_made_for_another_plan_is_not_used(plan: str, own: str) -> None:
    assert throttle_group_of(account(plan, own=own), NOW) in SHARED_THROTTLE_GROUPS[plan]


@for_each(("plan", "own"), [("free", ""), ("pro", ""), ("pro", "pro")])
def test_a_used_up_month_is_slow_until_it_ends_or_the_plan_changes(plan: str, own: str) -> None:
    used_up = account(plan, calls=PLANS[plan].monthly_limit or 0, own=own)
    assert throttle_group_of(used_up, NOW) in SHARED_THROTTLE_GROUPS[QUOTA_EXHAUSTED]
    assert throttle_group_of(used_up, NOW + 31 * 86_400) not in SHARED_THROTTLE_GROUPS[QUOTA_EXHAUSTED]
    upgraded = replace(used_up, plan="enterprise", monthly_limit=None)
    assert throttle_group_of(upgraded, NOW) in SHARED_THROTTLE_GROUPS["enterprise"]


def test_the_demo_key_has_one() -> None:
    assert [throttle_group_of(None, NOW)] == SHARED_THROTTLE_GROUPS["demo"]


@pytest.mark.parametrize("calls", [0, 100])
def test_one_account_shares_with_few_of_ten_thousand(calls: int) -> None:
    """Free accounts at full speed touch at most one in sixteen others, used-up ones one in six."""
    names = [f"acc_{secrets.token_hex(8)}" for _ in range(10_000)]
    groups = Counter(throttle_group_of(account("free", name, calls), NOW) for name in names)
    largest = max(groups.values()) / len(names)
    assert largest <= (1 / 6 if calls else 1 / 16)

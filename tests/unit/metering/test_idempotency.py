"""A key identifies a caller's request for a day."""

from __future__ import annotations

import pytest

from brskills_server.accounts.errors import InvalidKey
from brskills_server.accounts.plans import PLANS
from brskills_server.metering.errors import IdempotencyKeyReused, QuotaExceeded
from brskills_server.metering.idempotency_record import ATTEMPT_SECONDS, RECORD_SECONDS
from brskills_server.metering.ports import AddressCalls
from tests.unit.metering.idempotent_attempts import MONTH, Attempt, World, at_once, demo_world

OTHER = Attempt(request=b"something else")


@pytest.fixture
def world(store, clock, accounts) -> World:
    caller, _ = accounts.identify(accounts.open("free").api_key)
    return World(store, clock, caller, limit=PLANS["free"].monthly_limit)


def test_a_repeated_request_is_counted_once(world) -> None:
    assert [world.run(Attempt(2)) for _ in range(5)] == [2] * 5
    world.check()
    assert world.counted == 2


def test_another_request_under_the_key_is_refused_while_a_call_is_counted(world) -> None:
    world.run(Attempt())
    assert world.run(OTHER) is IdempotencyKeyReused
    assert world.counted == 1


@pytest.mark.parametrize("first", [Attempt(3, failed=3), Attempt(absent=1), Attempt(3, absent=1, failed=2)])
def test_a_released_request_leaves_no_record(world, first) -> None:
    world.run(first)
    assert (world.kept, world.counted) == (None, 0)
    assert world.run(OTHER) == 1


def test_a_full_month_leaves_no_record(store, clock) -> None:
    world = demo_world(store, clock, "address", limit=2)
    assert world.run(Attempt(3)) is QuotaExceeded
    assert world.kept is None
    assert world.run(Attempt(3, partial=True)) == 2
    assert world.run(Attempt(3, partial=True)) == 2
    assert world.counted == 2


def test_a_key_that_has_ended_is_not_answered_again(world, accounts) -> None:
    world.run(Attempt())
    accounts.revoke(world.caller)
    assert world.run(Attempt()) is InvalidKey
    assert world.counted == 1


def test_after_a_day_the_key_is_new(world, clock) -> None:
    world.run(Attempt(2))
    clock.now += RECORD_SECONDS - 1
    assert (world.run(Attempt(2)), world.run(OTHER)) == (2, IdempotencyKeyReused)
    clock.now += 1
    assert (world.kept, world.counted) == (None, 2)
    world.elsewhere, world.given = 2, []
    assert (world.run(OTHER), world.counted) == (1, 2 + 1)


def test_callers_and_addresses_with_the_same_key_are_apart(store, clock, world) -> None:
    others = [demo_world(store, clock, address) for address in ("a", "b")]
    for apart, attempt in zip([world, *others], [Attempt(), OTHER, Attempt(3)], strict=True):
        assert apart.run(attempt) == attempt.calls
        assert apart.counted == attempt.calls


def test_a_rotated_key_of_the_account_repeats_the_request(store, clock, accounts, world) -> None:
    world.run(Attempt())
    rotated, _ = accounts.identify(accounts.rotate(world.caller, overlap=0).api_key)
    assert World(store, clock, rotated, world.limit).run(Attempt()) == 1
    assert world.counted == 1


def test_calls_of_a_worker_that_may_be_running_are_kept(world, clock) -> None:
    world.run(Attempt(3, fault="death after", at=1))
    assert (world.run(Attempt(3, failed=2)), world.counted) == (1, 3)
    clock.now += ATTEMPT_SECONDS
    assert (world.run(Attempt(3, failed=1)), world.counted) == (2, 2)


def test_calls_of_a_crashed_worker_in_the_former_month_are_kept(store, clock) -> None:
    clock.now = 1_796_094_000.0 - 1  # the last second of November in São Paulo
    world = demo_world(store, clock, "address")
    world.run(Attempt(3, fault="death after", at=1))
    clock.now += ATTEMPT_SECONDS
    store.reserve_demo_calls(AddressCalls("address", "2026-12", 9, int(clock.now) + 9, 5))
    assert world.run(Attempt(3, failed=1)) == 2
    assert dict(store.demo_calls("address")) == {"2026-11": 3, "2026-12": 5}


def test_where_the_month_filled_up_meanwhile_an_answer_is_withheld_and_costs_nothing(store, clock) -> None:
    """The first releases two of three calls, another request takes one, and too few remain for the second."""
    world = demo_world(store, clock, "address", limit=3)
    order = ["first"] * 2 + ["second"] * 2 + ["first"] * 2 + ["others"] + ["second"] * 9
    first, second = Attempt(2, failed=2), Attempt(3)

    def count() -> None:
        store.reserve_demo_calls(AddressCalls("address", MONTH, 3, int(clock.now) + 9))
        world.elsewhere = 1

    attempts = {"first": first, "second": second}
    outcomes = at_once(world, order, attempts, others=lambda step: step(count))
    assert sorted(map(str, outcomes)) == sorted(map(str, [0, None, QuotaExceeded]))
    assert (world.kept, world.counted) == (None, 1)

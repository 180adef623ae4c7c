"""One request by two concurrent workers in every interleaving of their operations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from brskills_server.accounts.account import DEMO
from brskills_server.accounts.plans import PLANS
from brskills_server.metering.errors import IdempotencyKeyReused
from brskills_server.metering.idempotency_record import ATTEMPT_SECONDS
from tests.unit.metering.idempotent_attempts import FAULTS, Attempt, World, at_once, demo_world
from tests.unit.turns import interleavings

OTHER = b"something else"
PAIRS = {
    "both answer": (Attempt(), Attempt()),
    "both fail": (Attempt(failed=1), Attempt(failed=1)),
    "one fails": (Attempt(failed=1), Attempt()),
    "both find nothing": (Attempt(absent=1), Attempt(absent=1)),
    "one finds nothing": (Attempt(absent=1), Attempt()),
    "one answers more": (Attempt(3, failed=1), Attempt(3)),
    "one finds less": (Attempt(3, absent=2), Attempt(3, failed=1)),
    "one fails wholly": (Attempt(3, failed=3), Attempt(3, failed=1)),
    "one is thought dead": (Attempt(3), Attempt(3, failed=1, late=True)),
    "one is thought dead and finds less": (Attempt(3, absent=2), Attempt(3, absent=1, late=True)),
    "one is thought dead and fails": (Attempt(3, failed=3), Attempt(3, late=True)),
}


def orders(one: Attempt, two: Attempt) -> Iterator[list[str]]:
    """Return every order of five operations each; if both attempts are alike, of those that "one" begins."""
    for order in interleavings(["one"] * 5, ["two"] * 5):
        if one != two or order[0] == "one":
            yield order


@pytest.fixture
def worlds(store, clock) -> Iterator[World]:
    """Return worlds with separate callers."""
    return (demo_world(store, clock, f"address {n}") for n in count())


@pytest.mark.parametrize("pair", PAIRS)
def test_the_fullest_answer_is_counted(worlds, pair) -> None:
    one, two = PAIRS[pair]
    for order in orders(one, two):
        world = next(worlds)
        outcomes = at_once(world, order, {"one": one, "two": two})
        assert sorted(outcomes) == sorted(world.given), order  # both were answered
        assert world.counted == world.fullest, order


@pytest.mark.parametrize("calls", [2, 3])
def test_an_absence_that_either_released_is_free_for_both(worlds, monkeypatch, calls) -> None:
    """The last free absences of a month; the second attempt is thought to be alone."""
    monkeypatch.setitem(PLANS, DEMO, PLANS[DEMO]._replace(free_absences=2))
    one, two = Attempt(calls, absent=2), Attempt(calls, absent=2, late=True)
    for order in interleavings(["one"] * 5, ["two"] * 5):
        world = next(worlds)
        outcomes = at_once(world, ["one", "one", "two", "two", *order], {"one": one, "two": two})
        assert outcomes == [calls - 2] * 2, order
        assert world.counted == calls - 2, order


@pytest.mark.parametrize("pair", ["both answer", "one fails", "both fail"])
def test_the_last_call_of_the_month_is_enough_for_both(store, clock, pair) -> None:
    one, two = PAIRS[pair]
    for n, order in enumerate(orders(one, two)):
        world = demo_world(store, clock, f"address {n}", limit=1)
        outcomes = at_once(world, order, {"one": one, "two": two})
        assert sorted(outcomes) == sorted(world.given), order
        assert world.counted == world.fullest, order


@pytest.mark.parametrize("failed", [0, 1])
def test_of_two_requests_under_one_key_one_alone_is_answered(worlds, failed) -> None:
    for order in interleavings(["one"] * 4, ["two"] * 4):
        world = next(worlds)
        one, two = Attempt(2, failed=2 * failed), Attempt(2, request=OTHER)
        outcomes = at_once(world, order, {"one": one, "two": two})
        assert sum(outcome == 2 for outcome in outcomes) <= 1, order
        assert IdempotencyKeyReused in outcomes or 0 in outcomes, order
        assert world.counted == world.fullest, order


def test_an_answer_does_not_rest_on_the_calls_of_another_request(worlds) -> None:
    """The first releases calls that the second has seen, and a third request takes the key."""
    for order in interleavings(["one", "one", "two", "two", "one", "one", "two"], ["three"] * 3):
        world = next(worlds)
        attempts = {"one": Attempt(failed=1), "two": Attempt(), "three": Attempt(request=OTHER)}
        outcomes = at_once(world, order, attempts)
        assert outcomes.count(1) == 1, order  # of the second or of the third
        assert world.counted == 1, order


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("failed", [0, 1, 3])
def test_what_continues_a_dead_attempt_owns_its_calls_at_once(worlds, fault, failed) -> None:
    for at in range(6):
        world = next(worlds)
        world.run(Attempt(3, fault=fault, at=at))
        answered = world.kept.answered if world.kept else 0
        assert world.run(Attempt(3, failed=failed, late=True)) == 3 - failed, at
        assert world.counted == max(answered, 3 - failed), at


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("pair", ["both answer", "one fails", "one finds less", "one answers more"])
def test_the_next_attempt_counts_the_fullest_answer_after_any_fault(worlds, clock, pair, fault) -> None:
    one, two = PAIRS[pair]
    for at in range(6):
        for order in interleavings(["one"] * 3, ["two"] * 2):
            world = next(worlds)
            failing = Attempt(one.calls, one.absent, one.failed, fault=fault, at=at)
            at_once(world, order, {"one": failing, "two": two})
            assert world.counted <= max(world.fullest, one.calls), order
            clock.now += ATTEMPT_SECONDS
            answered = world.kept.answered if world.kept else 0
            for last in (Attempt(one.calls, failed=one.calls), Attempt(one.calls, failed=one.calls - 1)):
                assert world.run(last) == one.calls - last.failed, (order, at)
                answered = max(answered, one.calls - last.failed)
                assert world.counted == answered, (order, at)
                world.check()

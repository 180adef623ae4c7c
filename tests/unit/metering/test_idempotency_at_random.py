"""Up to three attempts at one claimed request, with faults anywhere, in any order, in any month."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as some

from brskills_server.accounts.account import DEMO, Account, Caller
from brskills_server.accounts.plans import PLANS
from brskills_server.metering.idempotency_record import ATTEMPT_SECONDS
from tests.conftest import Clock
from tests.services.store import in_memory
from tests.unit.metering.idempotent_attempts import FAULTS, Attempt, World, at_once, demo_world

NAMES = ("one", "two", "three")
STORE, NUMBERS = in_memory(), count()

numbers = some.integers(0, 3)
attempts = some.builds(Attempt, absent=numbers, failed=numbers)
faulty = some.builds(
    Attempt, absent=numbers, failed=numbers, fault=some.sampled_from(FAULTS), at=some.integers(0, 8)
)
orders = some.lists(some.sampled_from((*NAMES, "later")), max_size=16)


@some.composite
def worlds(draw: Any) -> World:
    """A caller of either kind; what their month has room for is at times too little."""
    name, limit, clock = f"a{next(NUMBERS)}", draw(some.integers(1, 5)), Clock()
    if draw(some.booleans()):
        return demo_world(STORE, clock, name, limit)
    plan = draw(some.sampled_from(sorted(set(PLANS) - {DEMO})))
    assert STORE.open_account(Account(name, plan, limit, {name: 0}))
    return World(STORE, clock, Caller(name, name), limit)


def run(world: World, calls: int, partial: bool, order: list[str], made: list[Attempt]) -> list[Any]:
    """The attempts at once, all for the same request; a minute passes at any moment."""
    named = {
        name: replace(attempt, calls=calls, partial=partial)
        for name, attempt in zip(NAMES, made, strict=False)
    }
    order = [name for name in order if name in named or name == "later"]
    return at_once(world, order, named, later=lambda step: step(lambda: pass_a_minute(world)))


def pass_a_minute(world: World) -> None:
    world.clock.now += ATTEMPT_SECONDS


@settings(max_examples=300)
@given(worlds(), some.integers(1, 3), some.booleans(), orders, some.lists(attempts, min_size=2, max_size=3))
def test_without_a_fault_the_fullest_answer_is_counted(world, calls, partial, order, made) -> None:
    run(world, calls, partial, order, made)
    assert world.counted == world.fullest
    assert (world.kept is None) == (world.fullest == 0)


@settings(max_examples=300)
@given(
    worlds(),
    some.integers(1, 3),
    some.booleans(),
    orders,
    some.lists(faulty, min_size=1, max_size=3),
    attempts,
)
def test_after_whatever_faults_an_attempt_puts_it_right(world, calls, partial, order, made, last) -> None:
    run(world, calls, partial, order, made)
    assert world.counted <= max(world.fullest, calls)
    answered = world.kept.answered if world.kept else 0
    pass_a_minute(world)
    outcome = world.run(replace(last, calls=calls, partial=partial))
    if isinstance(outcome, int):
        assert world.counted == max(answered, outcome)
    else:
        assert world.counted <= world.limit < calls  # the month has no room for all of it

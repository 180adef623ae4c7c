"""Ratios of steps that took turns, with their spread."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.bench.figure import Figure, Spread
from lab.bench.timing import by_turns, compared, ratio

TIMES = st.lists(st.floats(0.1, 10), min_size=2, max_size=99)


@given(TIMES, st.floats(0.1, 10))
def test_a_step_of_constant_times_the_floor_has_no_spread(floor: list[float], times: float) -> None:
    found = ratio([one * times for one in floor], floor)
    assert found == pytest.approx((times, times, times))


def test_each_round_is_compared_with_the_floor_of_the_same_round() -> None:
    assert ratio([2, 6, 200], [1, 2, 50]) == Spread(2, 3, 4)


def test_the_spread_is_that_of_blocks_and_not_of_single_rounds() -> None:
    chance = random.Random(1)
    low, middle, high = ratio([chance.uniform(1, 3) for _ in range(1000)], [1.0] * 1000)
    assert 1.8 < low < middle < high < 2.2


def test_a_floor_has_a_value_alone() -> None:
    figures = compared({"floor": [1, 2, 3], "step": [2, 4, 6]}, "floor", "µs")
    assert figures == {"floor": Figure(2, "µs"), "step": Figure(4, "µs", Spread.exact(2))}
    assert [one.times for one in figures.values()] == ["1.00", "2.00"]


def test_steps_take_turns_and_the_first_tenth_is_left_out() -> None:
    seconds = iter(range(1000))
    called: list[str] = []
    steps = {name: lambda name=name: called.append(name) for name in "ab"}
    times = by_turns(steps, 20, lambda: next(seconds))
    assert called == ["a", "b"] * 20
    assert [len(one) for one in times.values()] == [18, 18]

"""When a failed delivery is made again."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from brskills_server.webhooks.retries import next_attempt
from tests.for_each import for_each

NOW = 1_795_000_000.25
HOUR = 3600
WAITS = [5, 300, 1800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]


def middle(least: float, most: float) -> float:
    return (least + most) / 2


def test_the_waits_are_those_of_the_standard_and_the_tenth_attempt_is_the_last() -> None:
    moments = [next_attempt(number, 100.0, middle, 500, 0) for number in range(1, 12)]
    assert moments == [100 + wait for wait in WAITS] + [None, None]


@given(st.integers(1, 9), st.integers())
def test_each_is_within_a_fifth_and_a_second(number: int, seed: int) -> None:
    found = next_attempt(number, NOW, random.Random(seed).uniform, None, 0)
    assert found is not None
    assert 0.8 * WAITS[number - 1] <= found - NOW <= 1.2 * WAITS[number - 1] + 1


@for_each(
    ("number", "status", "asked", "wait"),
    [
        (1, 503, 60, 60),
        (1, 429, 60, 60),
        (1, 503, 4, 5),
        (1, 503, 10**9, HOUR),
        (1, 500, 60, 5),
        (1, None, 60, 5),
        (4, 503, HOUR, 2 * HOUR),
        (10, 503, 60, None),
    ],
)
def test_a_receiver_may_ask_for_a_longer_wait(
    number: int, status: int | None, asked: int, wait: int | None
) -> None:
    assert next_attempt(number, 0, middle, status, asked) == wait

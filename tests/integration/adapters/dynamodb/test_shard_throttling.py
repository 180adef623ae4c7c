"""10,000 counted calls a second of one account: too many for an item, and each counted once in shards."""

from __future__ import annotations

import pytest

from tests.bench.shards import LOADS, RATE, Load, measured

SECONDS = 0.4


def counted(load: Load) -> tuple[int, int]:
    """Return how many calls were counted and how many refused; both are all."""
    trial = measured(load, SECONDS)
    found = trial.stores[0].read_usage("acc_1")
    assert found is not None
    assert sum(found.calls.values()) == trial.answered
    return trial.answered, trial.unavailable


def test_one_item_takes_a_thousand_a_second() -> None:
    answered, unavailable = counted(LOADS[0])
    assert answered + unavailable == RATE * SECONDS
    assert SECONDS * 1_000 <= answered <= (SECONDS + 0.4) * 1_000  # the last ones wait


@pytest.mark.parametrize("load", [LOADS[1], Load("keyed", 20_000, keyed=1)], ids=["plain", "keyed"])
def test_shards_take_ten_thousand(load: Load) -> None:
    assert counted(load) == (RATE * SECONDS, 0)

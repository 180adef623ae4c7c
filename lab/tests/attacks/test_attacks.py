"""Quick attacks whose limits are counts, and the checks of an outcome."""

import pytest

from lab.attacks.__main__ import run
from lab.attacks.others import unharmed
from lab.attacks.outcome import Check, Figures, Outcome
from tests.services.gateway import ROOT

IDLE = Figures(100, 1.0, 1.0, 0.01, 0.02)


def test_the_limits_of_quick_attacks_hold() -> None:
    outcomes = [*run(["forwarded", "networks"], ROOT, 1.0)]
    assert len(outcomes) == 3
    assert [outcome.line() for outcome in outcomes if not outcome.held] == []


@pytest.mark.parametrize(
    ("check", "held"),
    [
        (Check("x", 3, most=3), True),
        (Check("x", 4, most=3), False),
        (Check("x", 3, least=3), True),
        (Check("x", 2, least=3), False),
    ],
)
def test_a_limit_holds_at_its_bound_and_not_beyond(check: Check, held: bool) -> None:
    assert check.held == held
    assert Outcome("x", "y", checks=[check]).held == held
    assert not Outcome("x", "y", checks=[check], error="RuntimeError: z").held


def test_others_who_are_refused_or_wait_are_noticed() -> None:
    assert all(check.held for check in unharmed(IDLE, IDLE))
    refused, slow = Figures(100, 0.9, 0.8, 0.01, 0.02), Figures(100, 1.0, 1.0, 0.01, 0.9)
    assert [check.held for check in unharmed(IDLE, refused)] == [False, False, True]
    assert [check.held for check in unharmed(IDLE, slow)] == [True, True, False]


def test_a_broken_limit_is_named_in_the_table() -> None:
    outcome = Outcome("x", "y", checks=[Check("paid calls", 7, most=0)])
    assert outcome.line().endswith("**not held**: paid calls: 7 (≤ 0) |")
    assert not outcome.as_json()["held"]

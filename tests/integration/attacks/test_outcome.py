"""A broken limit, or an attack that could not be made, is never reported as held."""

from __future__ import annotations

from tests.attacks.others import unharmed
from tests.attacks.outcome import Check, Figures, Outcome

IDLE = Figures(100, 1.0, 1.0, 0.01, 0.02)


def test_a_limit_holds_at_its_bound_and_not_beyond() -> None:
    assert Check("x", 3, most=3).held
    assert not Check("x", 4, most=3).held
    assert Check("x", 3, least=3).held
    assert not Check("x", 2, least=3).held


def test_what_could_not_be_made_is_not_held() -> None:
    assert not Outcome("x", "y", error="RuntimeError: z").held


def test_others_who_are_refused_or_wait_are_noticed() -> None:
    assert all(check.held for check in unharmed(IDLE, IDLE))
    refused, slow = Figures(100, 0.9, 0.8, 0.01, 0.02), Figures(100, 1.0, 1.0, 0.01, 0.9)
    assert [check.held for check in unharmed(IDLE, refused)] == [False, False, True]
    assert [check.held for check in unharmed(IDLE, slow)] == [True, True, False]


def test_a_broken_limit_is_named_in_the_table() -> None:
    outcome = Outcome("x", "y", checks=[Check("paid calls", 7, most=0)])
    assert outcome.line().endswith("**not held**: paid calls: 7 (≤ 0) |")
    assert not outcome.as_json()["held"]

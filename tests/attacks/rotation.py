"""Rotations without overlap, with every single and double fault of the store."""

from __future__ import annotations

from collections.abc import Iterator

from tests.attacks.inside_run import run_inside
from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import Context


def attack(context: Context) -> Iterator[Outcome]:
    found = run_inside(context, "rotation")
    outcome = Outcome("rotation", f"rotations without overlap, {found['cases']} single and double faults")
    outcome.spent = {"owners without a key": found["without_key"], "examples": str(found["examples"])}
    outcome.checks = [Check("owners left without a key", found["without_key"], most=0)]
    yield outcome

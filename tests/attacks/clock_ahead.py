"""A clock that is months ahead for a while: this month's counts stay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.attacks.others import CODE
from tests.attacks.outcome import Check, Outcome
from tests.attacks.target import DEMO_KEY, Context, Target

CALLS = 7
MONTH = 30.44 * 86_400
MONTHS = (13, 14)


def attack(context: Context) -> Iterator[Outcome]:
    """By the gateway of the checkout's own tests whose clock can be set."""
    for months in MONTHS:
        file = context.fresh_folder() / "clock.txt"
        _set(file, 0)
        settings = {"MODULE": "tests.faults.moved_clock", "CLOCK_FILE_OF_TESTS": str(file)}
        with context.serving(DEMO_MONTHLY_LIMIT="1000", **settings) as target:
            key = target.new_key("enterprise")
            _call(target, key, CALLS)
            _call(target, DEMO_KEY, CALLS)
            _set(file, months * MONTH)
            statuses = _call(target, key, 2) + _call(target, DEMO_KEY, 2)
            _set(file, 0)
            found, demo = target.counted(key), target.counted(DEMO_KEY)
        outcome = Outcome("clock_ahead", f"the clock {months} months ahead for some calls, then right again")
        outcome.spent = {
            "calls ahead": str(statuses),
            "counted before": CALLS,
            "counted after": found,
            "demo after": demo,
        }
        outcome.checks = [
            Check("counted calls of this month that remain", found, least=CALLS),
            Check("those of the demo key that remain", demo, least=CALLS),
        ]
        yield outcome


def _set(file: Path, ahead: float) -> None:
    """Written in place: the processes hold the file open."""
    with file.open("r+b" if file.exists() else "wb") as sink:
        sink.write(f"{ahead:<32.3f}".encode())


def _call(target: Target, key: str, times: int) -> list[int]:
    """Over connections of their own, so that any worker may answer."""
    return [target.caller(key).post("/api/v1/skills/pix", CODE).status for _ in range(times)]

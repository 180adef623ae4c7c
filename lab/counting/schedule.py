"""Schedules drawn from their number."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from brskills_server.accounts import calendar as month
from tests.conftest import NOVEMBER

ACCOUNT, DEMO = "account", "demo"
WORKERS = 2
_DAY = 24 * 60 * 60
_GAPS = (0, 5, 61, 3600, _DAY + 1, 31 * _DAY)


@dataclass(frozen=True)
class Request:
    """A request with the ``outcomes`` of its items, of which ``calls`` count; ``key``: an Idempotency-Key."""

    caller: str
    worker: int
    calls: int
    outcomes: tuple[str, ...]
    partial: bool
    key: str | None
    variant: int = 0


@dataclass(frozen=True)
class Phase:
    """Requests at once, ``gap`` seconds after those before."""

    gap: int
    requests: tuple[Request, ...]


@dataclass(frozen=True)
class Schedule:
    """``faults`` and ``deaths``: how likely they are at an operation of the store.

    ``has_site``: the demo key's address is of IPv6, and its /48 is counted too.
    """

    number: int
    began: float
    plan: str
    limits: dict[str, int]
    faults: float
    deaths: float
    phases: tuple[Phase, ...]
    has_site: bool


def draw(number: int, seed: int) -> tuple[Schedule, Random]:
    """Return the schedule with this number, and its source of random numbers."""
    random = Random(f"{seed}:{number}")
    began = NOVEMBER
    if random.random() < 0.4:  # the month turns while it runs
        began = month.hour(NOVEMBER).month_ends_at - random.randint(1, 80)
    keyed = {f"key-{n}": _Keyed(random.randint(1, 4), random.random() < 0.3) for n in range(2)}
    phases = tuple(
        Phase(random.choice(_GAPS), tuple(_request(random, keyed) for _ in range(random.randint(1, 4))))
        for _ in range(random.randint(1, 4))
    )
    schedule = Schedule(
        number,
        began,
        random.choice(("free", "free", "pro", "enterprise")),
        {ACCOUNT: random.choice((1, 3, 6, 100)), DEMO: random.choice((1, 3, 6, 100))},
        random.choice((0.0, 0.05, 0.15, 0.35)),
        random.choice((0.0, 0.0, 0.03)),
        phases,
        has_site=random.random() < 0.5,
    )
    return schedule, random


@dataclass(frozen=True)
class _Keyed:
    """The values that requests under one Idempotency-Key share."""

    calls: int
    partial: bool


def _request(random: Random, keyed: dict[str, _Keyed]) -> Request:
    key = random.choice((None, *keyed))
    calls = random.choice((0, 1, 1, 1, 2, 3, 5))
    partial, variant = random.random() < 0.3, 0
    if key is not None:
        calls, partial = keyed[key].calls, keyed[key].partial
        variant = int(random.random() < 0.05)  # another request under the same key
    odds = random.choice(((8, 1, 1), (1, 1, 1), (1, 4, 4)))
    outcomes = tuple(random.choices(("found", "absent", "failed"), odds, k=max(1, calls)))
    return Request(
        random.choice((ACCOUNT, DEMO)), random.randrange(WORKERS), calls, outcomes, partial, key, variant
    )

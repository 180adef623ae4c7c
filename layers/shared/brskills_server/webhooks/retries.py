"""When a delivery that failed is made again."""

from collections.abc import Callable

Chance = Callable[[float, float], float]
"""A random number between two, as ``random.uniform`` returns it."""

_MINUTE, _HOUR = 60, 3600
DELAYS = (5, 5 * _MINUTE, 30 * _MINUTE, 2 * _HOUR, 5 * _HOUR, 10 * _HOUR, 14 * _HOUR, 20 * _HOUR, 24 * _HOUR)
"""Seconds after the first failed attempt, the second one and so on; the one after the last is given up."""

SPREAD = (0.8, 1.2)
ROUNDING = (0.5, -1.0)
"""Seconds by which both ends are nearer: moments are whole seconds, and a look for them comes each second."""

LONGEST_WAIT = _HOUR
"""Seconds that a receiver may ask us to wait."""

_MAY_ASK = frozenset({429, 503})


def next_attempt(number: int, now: float, chance: Chance, status: int | None, asked: int) -> int | None:
    """Return when to follow the failed attempt ``number``, from 1, in Unix seconds; ``None`` for never.

    ``asked``: what a receiver that answered ``status`` asked to wait, in seconds; less than ours is ignored.
    """
    if number > len(DELAYS):
        return None
    wait = chance(*(DELAYS[number - 1] * part + less for part, less in zip(SPREAD, ROUNDING, strict=True)))
    if status in _MAY_ASK:
        wait = max(wait, min(asked, LONGEST_WAIT))
    return round(now + wait)

"""The billing month and the sign-up day: calendar time in America/Sao_Paulo.

>>> name_of(1793501999), name_of(1793502000)  # the last second of October 2026, the first of November
('2026-10', '2026-11')
"""

from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

__all__ = ["end_of", "end_of_day", "name_of", "name_of_day", "shifted"]

_ZONE = ZoneInfo("America/Sao_Paulo")


def name_of(now: float) -> str:
    """The month an instant (Unix seconds) falls in, as ``2026-11``."""
    return _at_hour(now).strftime("%Y-%m")


def name_of_day(now: float) -> str:
    """The day an instant falls in, as ``2026-11-20``."""
    return _at_hour(now).strftime("%Y-%m-%d")


def end_of(now: float) -> datetime:
    """The first moment of the next month."""
    first = _at_hour(now).replace(day=1, hour=0)
    return (first + timedelta(days=32)).replace(day=1)


def end_of_day(now: float) -> datetime:
    """The first moment of the next day."""
    return (_at_hour(now) + timedelta(days=1)).replace(hour=0)


def shifted(month: str, months: int) -> str:
    """The month so many months later (earlier, where negative).

    >>> shifted("2026-11", -13)
    '2025-10'
    """
    year, number = divmod(int(month[:4]) * 12 + int(month[5:]) - 1 + months, 12)
    return f"{year:04}-{number + 1:02}"


def _at_hour(now: float) -> datetime:
    return _hour(int(now) // 3600)


@lru_cache(maxsize=4)
def _hour(hours: int) -> datetime:
    # Every offset of the zone since 1914 is a whole number of hours, so days and months turn on the hour.
    return datetime.fromtimestamp(hours * 3600, _ZONE)

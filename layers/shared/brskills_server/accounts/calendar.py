"""The billing month and the sign-up day: calendar time in America/Sao_Paulo.

>>> name_of(1793501999), name_of(1793502000)  # the last second of October 2026, the first of November
('2026-10', '2026-11')
"""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

__all__ = ["end_of", "end_of_day", "end_seconds_of", "name_of", "name_of_day", "shifted"]

_ZONE = ZoneInfo("America/Sao_Paulo")


def name_of(now: float) -> str:
    """The month an instant (Unix seconds) falls in, as ``2026-11``."""
    return _hour(int(now) // 3600).month


def name_of_day(now: float) -> str:
    """The day an instant falls in, as ``2026-11-20``."""
    return _hour(int(now) // 3600).day


def end_of(now: float) -> datetime:
    """The first moment of the next month."""
    return _hour(int(now) // 3600).month_ends


def end_seconds_of(now: float) -> int:
    """The same in Unix seconds."""
    return _hour(int(now) // 3600).month_ends_at


def end_of_day(now: float) -> datetime:
    """The first moment of the next day."""
    return _hour(int(now) // 3600).day_ends


def shifted(month: str, months: int) -> str:
    """The month so many months later (earlier, where negative).

    >>> shifted("2026-11", -13)
    '2025-10'
    """
    year, number = divmod(int(month[:4]) * 12 + int(month[5:]) - 1 + months, 12)
    return f"{year:04}-{number + 1:02}"


class _Hour(NamedTuple):
    """What all instants of an hour have in common."""

    month: str
    month_ends: datetime
    month_ends_at: int
    day: str
    day_ends: datetime


@lru_cache(maxsize=4)
def _hour(hours: int) -> _Hour:
    # Every offset of the zone since 1914 is a whole number of hours, so days and months turn on the hour.
    hour = datetime.fromtimestamp(hours * 3600, _ZONE)
    midnight = hour.replace(hour=0)
    month_ends = (midnight.replace(day=1) + timedelta(days=32)).replace(day=1)
    return _Hour(
        month=hour.strftime("%Y-%m"),
        month_ends=month_ends,
        month_ends_at=int(month_ends.timestamp()),
        day=hour.strftime("%Y-%m-%d"),
        day_ends=midnight + timedelta(days=1),
    )

"""Billing months and sign-up days: calendar time in America/Sao_Paulo.

>>> month_name(1793501999), month_name(1793502000)  # the last second of October 2026, the first of November
('2026-10', '2026-11')
"""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

HISTORY_MONTHS = 13
"""How many months of counts before the current one are kept."""

KEPT_MONTHS = 16
"""The newest months of a record whose counters stay even if a clock is wrong: 13 and three to spare."""

HOUR_SECONDS = 3600

_ZONE = ZoneInfo("America/Sao_Paulo")


class Hour(NamedTuple):
    """Calendar facts that all instants of an hour share.

    ``oldest_month``: the oldest that is kept. ``month_ends``, ``day_ends``: the first moment of the next one.
    """

    month: str
    oldest_month: str
    month_ends: datetime
    month_ends_at: int
    day: str
    day_ends: datetime


def month_name(now: float) -> str:
    """Return the month of an instant, as ``2026-11``."""
    return hour(now).month


def day_name(now: float) -> str:
    """Return the day of an instant, as ``2026-11-20``."""
    return hour(now).day


def hour(now: float) -> Hour:
    """Return the calendar hour of an instant in Unix seconds."""
    return hour_number(int(now) // HOUR_SECONDS)


def shift_month(month: str, months: int) -> str:
    """Return the month this many months later, or earlier if negative.

    >>> shift_month("2026-11", -13)
    '2025-10'
    """
    year, number = divmod(int(month[:4]) * 12 + int(month[5:]) - 1 + months, 12)
    return f"{year:04}-{number + 1:02}"


@lru_cache(maxsize=4)
def hour_number(hours: int) -> Hour:
    """Return the calendar hour by its number since 1970 in UTC: ``hour`` for what every call does."""
    # Every offset of the zone since 1914 is a whole number of hours, so days and months turn on the hour.
    begins = datetime.fromtimestamp(hours * HOUR_SECONDS, _ZONE)
    midnight = begins.replace(hour=0)
    month = begins.strftime("%Y-%m")
    month_ends = (midnight.replace(day=1) + timedelta(days=32)).replace(day=1)
    return Hour(
        month=month,
        oldest_month=shift_month(month, -HISTORY_MONTHS),
        month_ends=month_ends,
        month_ends_at=int(month_ends.timestamp()),
        day=begins.strftime("%Y-%m-%d"),
        day_ends=midnight + timedelta(days=1),
    )

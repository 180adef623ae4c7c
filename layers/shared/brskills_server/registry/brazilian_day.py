"""The calendar day in Brazil (UTC−3 all year round), by which the age of data and paid calls are counted.

>>> day_of(1_795_143_599), day_of(1_795_143_600)  # midnight in Brasília
(datetime.date(2026, 11, 19), datetime.date(2026, 11, 20))
>>> start_of_day(1_795_143_599), start_of_day(1_795_143_600)
(1795057200, 1795143600)
"""

from datetime import date, datetime, timedelta, timezone

__all__ = ["day_of", "start_of_day"]

_BEHIND = 3 * 3600
_ZONE = timezone(timedelta(seconds=-_BEHIND))
_DAY = 86_400


def day_of(now: float) -> date:
    """The day that an instant (epoch seconds) falls in."""
    return datetime.fromtimestamp(now, _ZONE).date()


def start_of_day(now: float) -> int:
    """The first second of that day, in epoch seconds."""
    return int(now) - (int(now) - _BEHIND) % _DAY

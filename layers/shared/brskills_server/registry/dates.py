"""Dates as the registry writes and counts them; a calendar day is one in Brazil (UTC−3 all year round).

>>> iso_instant(1_795_000_000.9)
'2026-11-18T11:06:40Z'
>>> day_of(1_795_143_599), day_of(1_795_143_600)  # midnight in Brasília
(datetime.date(2026, 11, 19), datetime.date(2026, 11, 20))
>>> start_of_day(1_795_143_599), start_of_day(1_795_143_600)
(1795057200, 1795143600)
"""

from datetime import UTC, date, datetime, timedelta, timezone

INSTANT = "%Y-%m-%dT%H:%M:%SZ"
"""The format of an instant (UTC)."""

_BEHIND = 3 * 3600
_ZONE = timezone(timedelta(seconds=-_BEHIND))
_DAY = 86_400


def iso_instant(seconds: float) -> str:
    """Return epoch seconds as an ISO instant (UTC), without their fraction."""
    return datetime.fromtimestamp(int(seconds), UTC).strftime(INSTANT)


def day_of(now: float) -> date:
    """Return the day of an instant (epoch seconds)."""
    return datetime.fromtimestamp(now, _ZONE).date()


def start_of_day(now: float) -> int:
    """Return the first second of the instant's day, in epoch seconds."""
    return int(now) - (int(now) - _BEHIND) % _DAY

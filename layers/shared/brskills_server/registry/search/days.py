"""Ranges of days as the beginnings of their texts: whole decades, years, months and days."""

from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

_DAY = timedelta(days=1)


def days_outside(first: date, last: date, years: Sequence[str]) -> Iterator[str]:
    """Yield the days that are not in a range, as `days_in` returns those that are."""
    if first > date.min:
        yield from days_in(date.min, first - _DAY, years)
    if last < date.max:
        yield from days_in(last + _DAY, date.max, years)


def days_in(first: date, last: date, years: Sequence[str]) -> list[str]:
    """Return whole decades, and at the ends whole years, months and days, as `2024` or `202412`.

    ``years``: those that matter, as four digits, in order.
    """
    found: dict[str, None] = {}
    for text in years:
        year = int(text)
        decade, begin, end = year - year % 10, date(year, 1, 1), date(year, 12, 31)
        if first <= date(max(decade, 1), 1, 1) and date(decade + 9, 12, 31) <= last:
            found[text[:3]] = None
        elif first <= begin and end <= last:
            found[text] = None
        elif first <= end and begin <= last:
            found |= dict.fromkeys(_months(max(first, begin), min(last, end)))
    return list(found)


def _months(begin: date, end: date) -> Iterator[str]:
    """Yield the months and days from ``begin`` to ``end``, which are in one year."""
    for month in range(begin.month, end.month + 1):
        days = monthrange(begin.year, month)[1]
        first = begin.day if month == begin.month else 1
        last = end.day if month == end.month else days
        text = f"{begin.year:04}{month:02}"
        if (first, last) == (1, days):
            yield text
        else:
            yield from (f"{text}{day:02}" for day in range(first, last + 1))

"""The indexed words that a search asks for."""

from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import product
from typing import NamedTuple

from brskills_server.registry.search import documents as words
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.words import MIN_PREFIX

Clause = list[tuple[str, ...]]
"""Alternatives, of which one must fit: each of its words must be in the document. A word that ends with `ANY`
is any that begins so. Without alternatives nothing fits."""

ANY = "*"

_CITY_DIGITS = 4
_NARROW, _DAY = timedelta(days=366), timedelta(days=1)
"""Of a longer range the days outside are excluded: FTS5 reads alternatives for whatever fits one clause, and
what is excluded only for what fits all."""


class WordQuery(NamedTuple):
    """``clauses``: at least one, and all must fit. ``excluded``: words of no company that fits."""

    clauses: list[Clause]
    excluded: list[str]


def query_of(criteria: Criteria, years: Sequence[str]) -> WordQuery:
    """Return the words of a search, but for its roots: they are ranges of numbers.

    ``years``: those in which companies of the index were opened, as four digits.
    """
    clauses, excluded = [*_clauses(criteria)], list[str]()
    if criteria.opened_from or criteria.opened_to:
        first, last = criteria.opened_from or date.min, criteria.opened_to or date.max
        if last - first <= _NARROW:
            clauses.append(_values(words.OPENED, _opened(first, last, years)))
        else:
            excluded = [words.OPENED + days for days in ("", *_not_opened(first, last, years))]
    return WordQuery(clauses or [_values(words.MEI, words.YES + words.NO)], excluded)


def _clauses(criteria: Criteria) -> Iterator[Clause]:
    if criteria.names:
        yield [tuple(map(_searched, name)) for name in criteria.names if name]
    for prefix, values in (
        (words.ACTIVITY, criteria.activities),
        (words.MAIN_ACTIVITY, criteria.main_activities),
        (words.POSTAL_CODE, criteria.postal_codes),
        (words.NATURE, criteria.natures),
        (words.SIZE, criteria.sizes),
        (words.PARTNER, criteria.partners),
    ):
        if values:
            yield _values(prefix, values)
    if criteria.cities:
        yield [_place(city) for city in criteria.cities]
    if criteria.states and criteria.statuses:
        both = (state + status for state, status in product(criteria.states, criteria.statuses))
        yield _values(words.STATE_AND_STATUS, both)
    elif criteria.states or criteria.statuses:
        prefix = words.STATE if criteria.states else words.STATUS
        yield _values(prefix, criteria.states or criteria.statuses)
    if criteria.head_office is not None:
        yield _values(words.HEAD_OFFICE, "1" if criteria.head_office else "2")
    for prefix, choice in ((words.MEI, criteria.mei), (words.SIMPLES, criteria.simples)):
        if choice is not None:
            yield _values(prefix, words.YES if choice else words.NO)


def _place(city: str) -> tuple[str, ...]:
    code, state = city[:_CITY_DIGITS], city[_CITY_DIGITS:]
    return (words.CITY + code, words.STATE + state) if state else (words.CITY + code,)


def _values(prefix: str, values: Iterable[str]) -> Clause:
    return [(prefix + value,) for value in values]


def _searched(word: str) -> str:
    """Return the word that a document has which has a word beginning so, or a short word itself."""
    if len(word) < MIN_PREFIX:
        return word
    return f"{word}_" if len(word) <= words.LONGEST_BEGINNING else word + ANY


def _not_opened(first: date, last: date, years: Sequence[str]) -> Iterator[str]:
    """Yield the days that are not in a range, as `_opened` does."""
    if first > date.min:
        yield from _opened(date.min, first - _DAY, years)
    if last < date.max:
        yield from _opened(last + _DAY, date.max, years)


def _opened(first: date, last: date, years: Sequence[str]) -> list[str]:
    """Return whole decades, and at the ends whole years, months and days."""
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

"""The indexed words that a search asks for."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import chain, product
from typing import NamedTuple

from brskills_server.registry.search import documents as words
from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.days import days_in, days_outside
from brskills_server.registry.search.words import MIN_PREFIX

Clause = list[tuple[str, ...]]
"""Alternatives, of which one must fit: each of its words must be in the document. A word that ends with `ANY`
is any that begins so. Without alternatives nothing fits."""

ANY = "*"

_CITY_DIGITS, _POSTAL_CODE_DIGITS = 4, 8
_NARROW = timedelta(days=366)
"""Of a longer range the days outside are excluded, and of a field with few values the others, if most are
searched for: FTS5 reads alternatives for whatever fits one clause, and what is excluded only for what fits
all."""
_ROOT = re.compile("([0-9]{2})([0-9]{3})([0-9]{3})")
_IS_YEAR = re.compile(f"{words.OPENED}[0-9]{{4}}").fullmatch
_OPTIONS = [simples + mei for simples, mei in product((words.YES, words.NO), repeat=2)]


class WordQuery(NamedTuple):
    """``clauses``: at least one, and all must fit. ``excluded``: words of no company that fits."""

    clauses: list[Clause]
    excluded: list[str]


def query_of(criteria: Criteria, known: Collection[str]) -> WordQuery:
    """Return the words of a search, but for its roots: they are ranges of numbers.

    ``known``: the values' words that the vocabulary of the index has (`words.Document`).
    """
    clauses, excluded = [*_clauses(criteria)], list[str]()
    for more, others in (_options(criteria), _few_values(criteria, known), _days(criteria, known)):
        clauses += more
        excluded += others
    return WordQuery(clauses or [_values(words.OPTIONS, _OPTIONS)], excluded)


def _clauses(criteria: Criteria) -> Iterator[Clause]:
    if criteria.names:
        yield [words for name in criteria.names if name for words in _alternatives(name)]
    if criteria.activities:
        prefixes = (words.MAIN_ACTIVITY, words.OTHER_ACTIVITY)
        yield [(prefix + value,) for value in criteria.activities for prefix in prefixes]
    for prefix, values in (
        (words.MAIN_ACTIVITY, criteria.main_activities),
        (words.POSTAL_CODE, map(_postal_code, criteria.postal_codes)),
        (words.NATURE, criteria.natures),
        (words.PARTNER, criteria.partners),
    ):
        if clause := _values(prefix, values):
            yield clause


def _options(criteria: Criteria) -> WordQuery:
    """Return the words for what is asked of head office, Simples and MEI; most companies fit a ``False``."""
    clauses, excluded = list[Clause](), list[str]()
    if criteria.head_office:
        excluded += (words.BRANCH + kind for kind in words.BRANCHES)
    elif criteria.head_office is False:
        clauses.append(_values(words.BRANCH, words.BRANCHES[:1]))
    others = [option for option in _OPTIONS if not _fits(criteria, option)]
    if criteria.mei or criteria.simples:
        clauses.append(_values(words.OPTIONS, [option for option in _OPTIONS if option not in others]))
    else:
        excluded += (words.OPTIONS + option for option in others)
    return WordQuery(clauses, excluded)


def _fits(criteria: Criteria, option: str) -> bool:
    simples, mei = (one == words.YES for one in option)
    return criteria.simples in {None, simples} and criteria.mei in {None, mei}


def _few_values(criteria: Criteria, known: Collection[str]) -> WordQuery:
    """Return the words for fields of which the vocabulary has all values, and for municipalities."""
    narrow: dict[str, Sequence[str]] = {}
    excluded = list[str]()
    for prefix, chosen in (
        (words.STATE, criteria.states),
        (words.STATUS, criteria.statuses),
        (words.SIZE, criteria.sizes),
    ):
        others = [word for word in known if word.startswith(prefix) and word[len(prefix) :] not in chosen]
        if len(chosen) > len(others):
            excluded += others
        elif chosen:
            narrow[prefix] = chosen
    clauses = list[Clause]()
    if criteria.cities:
        statuses = narrow.pop(words.STATUS, ())
        clauses.append([place for city in criteria.cities for place in _places(city, statuses)])
    elif words.STATE in narrow and words.STATUS in narrow:
        both = product(narrow.pop(words.STATE), narrow.pop(words.STATUS))
        narrow[words.STATE_AND_STATUS] = [state + status for state, status in both]
    clauses += (_values(prefix, chosen) for prefix, chosen in narrow.items())
    return WordQuery(clauses, excluded)


def _days(criteria: Criteria, known: Collection[str]) -> WordQuery:
    if criteria.opened_from is None and criteria.opened_to is None:
        return WordQuery([], [])
    first, last = criteria.opened_from or date.min, criteria.opened_to or date.max
    years = sorted(word.removeprefix(words.OPENED) for word in known if _IS_YEAR(word))
    if last - first <= _NARROW:
        return WordQuery([_values(words.OPENED, days_in(first, last, years))], [])
    return WordQuery([], [words.OPENED + days for days in ("", *days_outside(first, last, years))])


def _places(city: str, statuses: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield alternatives for a municipality, with one of some statuses where there are any."""
    code, state = city[:_CITY_DIGITS], city[_CITY_DIGITS:]
    found = [words.CITY_AND_STATUS + code + status for status in statuses] or [words.CITY + code]
    for word in found:
        yield (word, words.STATE + state) if state else (word,)


def _values(prefix: str, values: Iterable[str]) -> Clause:
    return [(prefix + value,) for value in values]


def _postal_code(digits: str) -> str:
    return digits if len(digits) == _POSTAL_CODE_DIGITS else digits + ANY


def _alternatives(name: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the words of a name, and again with its roots in the form of names, ``41.330.504``."""
    yield tuple(map(_searched, name))
    if any(map(_ROOT.fullmatch, name)):
        roots = (_ROOT.fullmatch(word) for word in name)
        parts = (
            root.groups() if root else (_searched(word),) for word, root in zip(name, roots, strict=True)
        )
        yield tuple(chain.from_iterable(parts))


def _searched(word: str) -> str:
    """Return the word that a document has which has a word beginning so, or a short word itself."""
    if len(word) < MIN_PREFIX:
        return word
    return f"{word}_" if len(word) == words.BEGINNING else word + ANY

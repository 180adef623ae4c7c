"""Municipalities and activities whose names begin as a text that is still being typed.

>>> suggest_cities("são pau", 2)
(['3550308 SAO PAULO/SP', '4319307 SAO PAULO DAS MISSOES/RS'], 7)
>>> suggest_activities("programas encomenda", 1)
(['6201500 Desenvolvimento de programas de computador sob encomenda'], 2)
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from brskills_server.registry import tables
from brskills_server.registry.search.city_names import all_cities
from brskills_server.registry.search.words import fold

LONGEST = 200
"""Characters of a text; a longer one begins no name."""

Suggestions = tuple[list[str], int]
"""The first texts, and how many there are in all."""


class _Option(NamedTuple):
    """A text to suggest; ``words``: those of its name and its code, each behind a blank."""

    text: str
    words: str


def suggest_cities(typed: str, most: int) -> Suggestions:
    """Return municipalities with their IBGE codes, as ``3550308 SAO PAULO/SP``."""
    return _suggest(_cities(), typed, most)


def suggest_city_names(typed: str, most: int) -> Suggestions:
    """Return names of municipalities, each once."""
    return _suggest(_city_names(), typed, most)


def suggest_activities(typed: str, most: int) -> Suggestions:
    """Return activities with their CNAE codes, as ``0111301 Cultivo de arroz``."""
    return _suggest(_activities(), typed, most)


def _suggest(options: Sequence[_Option], typed: str, most: int) -> Suggestions:
    """Return the options that have a word for each one typed, first those that begin as the whole text."""
    words = [f" {word}" for word in fold(typed)] if len(typed) <= LONGEST else []
    if typed.strip() and not words:
        return [], 0
    found = [option for option in options if all(word in option.words for word in {*words})]
    found.sort(key=lambda option: not option.words.startswith("".join(words)))
    return [option.text for option in found[:most]], len(found)


@cache
def _cities() -> Sequence[_Option]:
    return _options(all_cities())


@cache
def _city_names() -> Sequence[_Option]:
    names = dict.fromkeys(city.name[: -len("/SP")] for city in all_cities())
    return [_Option(name, _words(name)) for name in names]


@cache
def _activities() -> Sequence[_Option]:
    return _options(sorted(tables.texts("cnaes").items(), key=lambda activity: fold(activity[1])))


def _options(coded: Iterable[tuple[str, str]]) -> Sequence[_Option]:
    return [_Option(f"{code} {name}", f"{_words(name)} {code}") for code, name in coded]


def _words(name: str) -> str:
    return "".join(f" {word}" for word in fold(name))

"""Municipalities by the codes of IBGE or SIAFI, for a search, which knows SIAFI's and the state.

SIAFI's table has names without states. Where several municipalities have one name, each of their codes may be
that of any of them, and the state of each company decides.
"""

from collections.abc import Iterable
from typing import NamedTuple

from brskills_server.registry import tables

_SIAFI_DIGITS = 4


class UnknownCity(Exception):
    """A code that neither IBGE nor SIAFI has."""


class AmbiguousCities(Exception):
    """Municipalities of several states, of which one has a namesake: they cannot be searched together."""


class Cities(NamedTuple):
    """SIAFI's codes, and the state that they are to be searched in, if it is needed to distinguish them."""

    codes: tuple[str, ...]
    state: str = ""


def find_cities(codes: Iterable[str]) -> Cities:
    """Return municipalities by codes in digits. Raise ``UnknownCity`` and ``AmbiguousCities``.

    >>> find_cities(["3550308", "6001"]), find_cities(["1200401"])
    (Cities(codes=('6001', '7107'), state=''), Cities(codes=('0139', '8995'), state='AC'))
    """
    places = {code: _places_of(code) for code in codes}
    found = {place for each in places.values() for place in each}
    siafi = tuple(sorted({place[:_SIAFI_DIGITS] for place in found}))
    states = {place[_SIAFI_DIGITS:] for place in found} - {""}
    if not states:
        return Cities(siafi)
    if len({code[:2] for code in places}) > 1 or any(len(code) == _SIAFI_DIGITS for code in places):
        raise AmbiguousCities  # the first two digits of IBGE's codes are the state's
    return Cities(siafi, states.pop())


def _places_of(code: str) -> tuple[str, ...]:
    if len(code) == _SIAFI_DIGITS and tables.description("municipios_siafi", code):
        return (code,)
    if places := tables.siafi_places(code):
        return places
    raise UnknownCity

"""Municipalities by the codes of IBGE or SIAFI, or by their names, as a search knows them.

SIAFI's table has names without states. Where several municipalities have one name, each of their codes may be
that of any of them, and the state of each company decides.
"""

from collections.abc import Collection, Iterable

from brskills_server.registry import tables
from brskills_server.registry.search.city_names import City, cities_named

_SIAFI_DIGITS = 4


class UnknownCity(Exception):
    """A code that neither IBGE nor SIAFI has, or a name that no municipality has."""


class AmbiguousCity(Exception):
    """A name that several municipalities have: ``names``, with their states."""

    def __init__(self, cities: Iterable[City]) -> None:
        super().__init__()
        self.names = [city.name for city in cities]


def find_cities(texts: Iterable[str], states: Collection[str] = ()) -> tuple[str, ...]:
    """Return the places of municipalities by codes in digits or names, as ``Criteria.cities`` has them.

    ``states``: those of the search, which distinguish namesakes. Raise ``UnknownCity`` and ``AmbiguousCity``.

    >>> find_cities(["3550308", "6001"]), find_cities(["Rio Branco"], ["AC"])
    (('6001', '7107'), ('0139AC', '8995AC'))
    """
    return tuple(sorted({place for text in texts for place in _places_of(text, states)}))


def _places_of(text: str, states: Collection[str]) -> tuple[str, ...]:
    if len(text) == _SIAFI_DIGITS and tables.description("municipios_siafi", text):
        return (text,)
    if places := tables.siafi_places(text):
        return places
    named = cities_named(text)
    found = [city for city in named if city.name[-2:] in states] or named
    if not found:
        raise UnknownCity
    if len(found) > 1:
        raise AmbiguousCity(found)
    return tables.siafi_places(found[0].code)

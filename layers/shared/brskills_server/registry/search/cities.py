"""Municipalities by the codes of IBGE or SIAFI, as a search knows them.

SIAFI's table has names without states. Where several municipalities have one name, each of their codes may be
that of any of them, and the state of each company decides.
"""

from collections.abc import Iterable

from brskills_server.registry import tables

_SIAFI_DIGITS = 4


class UnknownCity(Exception):
    """A code that neither IBGE nor SIAFI has."""


def find_cities(codes: Iterable[str]) -> tuple[str, ...]:
    """Return the places of municipalities by codes in digits, as ``Criteria.cities`` has them.

    Raise ``UnknownCity``.

    >>> find_cities(["3550308", "6001"]), find_cities(["1200401"])
    (('6001', '7107'), ('0139AC', '8995AC'))
    """
    return tuple(sorted({place for code in codes for place in _places_of(code)}))


def _places_of(code: str) -> tuple[str, ...]:
    if len(code) == _SIAFI_DIGITS and tables.description("municipios_siafi", code):
        return (code,)
    if places := tables.siafi_places(code):
        return places
    raise UnknownCity

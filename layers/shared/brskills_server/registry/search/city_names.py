"""Municipalities by their names, for people and agents who do not know a code.

>>> [city.name for city in cities_named("são paulo")], [city.code for city in cities_named("Bom Jesus/PB")]
(['SAO PAULO/SP'], ['2502201'])
"""

import re
from functools import cache
from itertools import chain
from typing import NamedTuple

from brskills_server.registry import tables

_STATES = {
    "11": "RO", "12": "AC", "13": "AM", "14": "RR", "15": "PA", "16": "AP", "17": "TO",
    "21": "MA", "22": "PI", "23": "CE", "24": "RN", "25": "PB", "26": "PE", "27": "AL", "28": "SE",
    "29": "BA",
    "31": "MG", "32": "ES", "33": "RJ", "35": "SP", "41": "PR", "42": "SC", "43": "RS",
    "50": "MS", "51": "MT", "52": "GO", "53": "DF",
}  # fmt: skip
"""IBGE's codes of the states, with which those of their municipalities begin."""

_WITH_STATE = re.compile(r"(?P<name>.+?)\s*(?:/|,|-|\()\s*(?P<state>[A-Za-z]{2})\s*\)?\s*")


class City(NamedTuple):
    """A municipality: IBGE's code, and its name with the state, as ``SAO PAULO/SP``."""

    code: str
    name: str


def cities_named(text: str) -> tuple[City, ...]:
    """Return the municipalities of a name, in any case and with or without accents, by their codes.

    The state may be behind the name. Without it there may be several.
    """
    if match := _WITH_STATE.fullmatch(text):  # first: Aracatu/BA is not Araçatuba
        state = match["state"].upper()
        named = _cities().get(tables.fold(match["name"]), ())
        if found := tuple(city for city in named if city.name.endswith(f"/{state}")):
            return found
    return _cities().get(tables.fold(text), ())


def city_codes(siafi: str | None, ibge: str | None, name: str, state: str) -> tuple[str | None, str | None]:
    """Return SIAFI's and IBGE's codes of a municipality, each from the other, else by name and state.

    SIAFI's table has no states, so the code of a namesake in another state is ``None`` rather than a guess.

    >>> city_codes(None, None, "São Paulo", "SP"), city_codes("7107", None, "", "SP")
    (('7107', '3550308'), ('7107', '3550308'))
    """
    if not ibge and siafi:
        ibge = tables.ibge_code(siafi, state)
    elif not ibge and name:
        found = [city.code for city in cities_named(name) if city.name.endswith(f"/{state}")]
        ibge = found[0] if len(found) == 1 else None
    places = tables.siafi_places(ibge or "")
    return siafi or (places[0][:4] if len(places) == 1 else None), ibge


def all_cities() -> list[City]:
    """Return every municipality, by name and state."""
    return sorted({*chain.from_iterable(_cities().values())}, key=lambda city: city.name.split("/"))


@cache
def _cities() -> dict[str, tuple[City, ...]]:
    found: dict[str, dict[str, City]] = {}
    for code, places in tables.places_by_ibge().items():
        for place in places:
            name = tables.description("municipios_siafi", place[:4]) or ""
            city = City(code, f"{name}/{_STATES[code[:2]]}")
            found.setdefault(tables.fold(name), {})[code] = city
    return {name: tuple(sorted(cities.values())) for name, cities in found.items()}

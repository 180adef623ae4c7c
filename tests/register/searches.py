"""Random searches for what a month has, and for what it has not."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Any

from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.words import fold
from tests.register.matching import Registered

Fields = dict[str, str]


def searches(among: Sequence[Registered], number: int, seed: int) -> Iterator[Criteria]:
    """Yield so many searches, most of which find some of these establishments."""
    chance = Random(seed)
    for _ in range(number):
        chosen = chance.sample(among, chance.choice((1, 1, 1, 2, 3)))
        yield _search(chance, [_fields(one) for one in chosen])


def _fields(one: Registered) -> Fields:
    documents = ",".join(document for kind, document in sorted(one.partners) if kind == "1")
    return {"root": one.number[:8], "documents": documents, **one.establishment, **one.company}


def _search(chance: Random, companies: Sequence[Fields]) -> Criteria:
    """Return a search of one to four fields, with values of these companies and seldom of none."""
    wanted = chance.sample(list(_FIELDS), chance.choice((1, 1, 2, 2, 3, 4)))
    given: dict[str, Any] = {}
    for name in wanted:
        values = [value for company in companies for value in _FIELDS[name](chance, company)]
        if chance.random() < 0.05:
            values.append(_NOISE.get(name, "00000000000000"))
        if values:
            given[name] = tuple(dict.fromkeys(values))
    return _with_choices(chance, Criteria(**given), companies[0])


def _with_choices(chance: Random, criteria: Criteria, company: Fields) -> Criteria:
    """Return the search, often with one of the fields that have no lists."""
    given: dict[str, Any] = {}
    for name, value in (("head_office", company["kind"] == "1"), ("mei", False), ("simples", True)):
        if chance.random() < 0.1:
            given[name] = value if chance.random() < 0.7 else not value
    opened = date.fromisoformat(company["opened"] or "20200229")
    if chance.random() < 0.2:
        given["opened_from"] = opened - timedelta(days=chance.choice((0, 1, 27, 400, 7_000)))
    if chance.random() < 0.2:
        given["opened_to"] = opened + timedelta(days=chance.choice((0, 1, 31, 366, 9_000)))
    return replace(criteria, **given)


def _names(chance: Random, company: Fields) -> list[tuple[str, ...]]:
    """Return some words of a name or of both, some of them cut short, seldom with a typing error."""
    words = list(fold(company["name"]) + fold(company["trade_name"]))
    chosen = chance.sample(words, min(len(words), chance.choice((1, 1, 2, 3))))
    cut = [word[: chance.choice((2, 3, 4, 5, 6, 40, 40))] for word in chosen]
    if chance.random() < 0.05:
        cut.append(chance.choice(("X", "QUASE", "PADARI", "ZZZ")))
    return [tuple(sorted(set(cut)))] if cut else []


def _filled(name: str) -> Callable[[Random, Fields], list[str]]:
    return lambda _, company: [company[name]] if company[name] else []


def _activities(chance: Random, company: Fields) -> list[str]:
    own = [one for one in (company["activity"], *company["other_activities"].split(",")) if one]
    return [chance.choice(own)] if own else []


def _postal_codes(chance: Random, company: Fields) -> list[str]:
    return [company["postal_code"][: chance.choice((5, 8))]] if company["postal_code"] else []


def _cities(chance: Random, company: Fields) -> list[str]:
    """Return the code of a city, or the code and a state: of cities that share it."""
    return [company["city"] + chance.choice(("", company["state"], "SP"))] if company["city"] else []


def _partners(_: Random, company: Fields) -> list[str]:
    return [one for one in company["documents"].split(",") if len(one) == 14]


_FIELDS: dict[str, Callable[[Random, Fields], Sequence[Any]]] = {
    "names": _names,
    "roots": _filled("root"),
    "activities": _activities,
    "main_activities": _filled("activity"),
    "states": _filled("state"),
    "cities": _cities,
    "postal_codes": _postal_codes,
    "natures": _filled("nature"),
    "sizes": _filled("size"),
    "statuses": _filled("status"),
    "partners": _partners,
}
_NOISE: dict[str, Any] = {"names": ("INEXISTENTE",), "states": "XX", "statuses": "99", "sizes": "99"}

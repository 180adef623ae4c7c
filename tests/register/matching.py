"""Whether a search finds an establishment, judged on its rows: the truth, slowly."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.words import fold
from brskills_server.registry.snapshot.rows import (
    COMPANY_FIELDS,
    ESTABLISHMENT_FIELDS,
    FIELD_SEPARATOR,
    ITEM_SEPARATOR,
    PART_SEPARATOR,
)


class Registered(NamedTuple):
    """An establishment by its rows. ``words``: of both names; ``partners``: kind and document of each."""

    number: str
    establishment: dict[str, str]
    company: dict[str, str]
    words: frozenset[str]
    partners: frozenset[tuple[str, str]]


def registered(rows: Mapping[str, str]) -> Iterator[Registered]:
    """Yield the establishments of which both rows could be read, in the order of their numbers."""
    for number, body in sorted(rows.items()):
        if len(number) == 14 and body and rows.get(number[:8]):
            own = dict(zip(ESTABLISHMENT_FIELDS, body.split(FIELD_SEPARATOR), strict=True))
            company = dict(zip(COMPANY_FIELDS, rows[number[:8]].split(FIELD_SEPARATOR), strict=True))
            partners = [one.split(PART_SEPARATOR) for one in company["partners"].split(ITEM_SEPARATOR) if one]
            yield Registered(
                number,
                own,
                company,
                frozenset(fold(company["name"]) + fold(own["trade_name"])),
                frozenset((kind, document) for kind, _, document, *_ in partners),
            )


def matches(c: Criteria, one: Registered) -> bool:
    """Return whether every field of a search fits."""
    own, company, opened = one.establishment, one.company, one.establishment["opened"]
    return (
        (not c.roots or one.number[:8] in c.roots)
        and (not c.states or own["state"] in c.states)
        and (not c.cities or {own["city"], own["city"] + own["state"]} & {*c.cities})
        and (not c.statuses or own["status"] in c.statuses)
        and (not c.natures or company["nature"] in c.natures)
        and (not c.sizes or company["size"] in c.sizes)
        and (not c.main_activities or own["activity"] in c.main_activities)
        and (not c.activities or _activities(own).intersection(c.activities) != set())
        and (not c.postal_codes or bool({own["postal_code"], own["postal_code"][:5]} & {*c.postal_codes}))
        and (not c.opened_from or opened >= c.opened_from.strftime("%4Y%m%d"))
        and (not c.opened_to or "" < opened <= c.opened_to.strftime("%4Y%m%d"))
        and (c.head_office is None or own["kind"] == ("1" if c.head_office else "2"))
        and (c.mei is None or (company["mei"] == "S") == c.mei)
        and (c.simples is None or (company["simples"] == "S") == c.simples)
        and (not c.partners or any(("1", number) in one.partners for number in c.partners))
        and (not c.names or any(_is_named(name, one.words) for name in c.names))
    )


def _activities(establishment: Mapping[str, str]) -> set[str]:
    return {establishment["activity"], *establishment["other_activities"].split(",")}


def _is_named(name: tuple[str, ...], words: Iterable[str]) -> bool:
    return bool(name) and all(
        any(word.startswith(wanted) if len(wanted) >= 3 else word == wanted for word in words)
        for wanted in name
    )

"""Whether a search finds an establishment, judged on its rows: the truth, slowly."""

from collections.abc import Iterable, Mapping

from brskills_server.registry.search.criteria import Criteria
from brskills_server.registry.search.words import fold
from brskills_server.registry.snapshot.rows import (
    COMPANY_FIELDS,
    ESTABLISHMENT_FIELDS,
    FIELD_SEPARATOR,
    ITEM_SEPARATOR,
    PART_SEPARATOR,
)

Fields = Mapping[str, str]


def found_in(rows: Mapping[str, str], criteria: Criteria) -> list[str]:
    """Return the numbers that a search finds among a month's rows, in order."""
    return [
        number
        for number, body in sorted(rows.items())
        if len(number) == 14 and body and rows.get(number[:8])
        if matches(
            criteria,
            number,
            dict(zip(ESTABLISHMENT_FIELDS, body.split(FIELD_SEPARATOR), strict=True)),
            dict(zip(COMPANY_FIELDS, rows[number[:8]].split(FIELD_SEPARATOR), strict=True)),
        )
    ]


def matches(criteria: Criteria, number: str, establishment: Fields, company: Fields) -> bool:
    """Return whether every field of a search fits."""
    c = criteria
    own = {establishment["activity"], *establishment["other_activities"].split(",")}
    partners = [partner.split(PART_SEPARATOR) for partner in company["partners"].split(ITEM_SEPARATOR)]
    opened = establishment["opened"]
    return all((
        not c.names or any(_is_named(name, establishment, company) for name in c.names),
        not c.roots or number[:8] in c.roots,
        not c.activities or not own.isdisjoint(c.activities),
        not c.main_activities or establishment["activity"] in c.main_activities,
        not c.states or establishment["state"] in c.states,
        not c.cities or establishment["city"] in c.cities,
        not c.postal_codes or _begins(establishment["postal_code"], c.postal_codes),
        not c.natures or company["nature"] in c.natures,
        not c.sizes or company["size"] in c.sizes,
        not c.statuses or establishment["status"] in c.statuses,
        not c.opened_from or (opened and opened >= f"{c.opened_from:%4Y%m%d}"),
        not c.opened_to or (opened and opened <= f"{c.opened_to:%4Y%m%d}"),
        c.head_office is None or establishment["kind"] == ("1" if c.head_office else "2"),
        c.mei is None or (company["mei"] == "S") == c.mei,
        c.simples is None or (company["simples"] == "S") == c.simples,
        not c.partners or any(one[0] == "1" and one[2] in c.partners for one in partners),
    ))  # fmt: skip


def _is_named(name: Iterable[str], establishment: Fields, company: Fields) -> bool:
    words = fold(company["name"]) + fold(establishment["trade_name"])
    return bool(name) and all(
        any(word.startswith(wanted) if len(wanted) >= 3 else word == wanted for word in words)
        for wanted in name
    )


def _begins(postal_code: str, wanted: Iterable[str]) -> bool:
    return any(one in (postal_code, postal_code[:5]) for one in wanted)

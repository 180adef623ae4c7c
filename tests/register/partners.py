"""Inventing partners: people, companies, foreigners, and those who act for them."""

from tests.register.chance import Chance
from tests.register.digits import cnpj_digits
from tests.register.model import Partner

_KINDS = ("2",) * 46 + ("1", "1", "1", "3")
_ROLES = {
    "1": ("22", "48", "37"),
    "2": ("49", "49", "49", "22", "10", "16", "05", "28"),
    "3": ("38", "74", "37"),
}


def invent_partners(chance: Chance, count: int | None) -> tuple[Partner, ...]:
    """Return ``count`` partners; with ``None`` four companies in five have some, very few have hundreds."""
    if count is None:
        count = _count(chance)
    return tuple([_partner(chance) for _ in range(count)])


def person(chance: Chance) -> str:
    """Return a name of a person."""
    return f"{chance.word('first_names')} {chance.word('last_names')} {chance.word('last_names')}"


def _count(chance: Chance) -> int:
    draw = chance.random()
    if draw < 0.26:
        return 0
    if draw < 0.7:
        return 1
    if draw < 0.93:
        return 2
    return chance.between(3, 12) if draw < 0.9999 else chance.between(100, 800)


def _partner(chance: Chance) -> Partner:
    kind = chance.pick(_KINDS)
    partner = Partner(
        kind=kind,
        name=person(chance)
        if kind == "2"
        else f"{chance.word('things')} {chance.word('businesses')} {chance.word('things')}",
        document=chance.masked_cpf() if kind == "2" else _company_number(chance) if kind == "1" else "",
        role=chance.pick(_ROLES[kind]),
        since=chance.day(),
        age_band=str(chance.between(1, 9)) if kind == "2" else "0",
    )
    if kind == "3" or (kind == "1" and chance.happens(0.2)):
        partner = partner._replace(country=chance.word("abroad"))
    if chance.happens(0.03):
        partner = partner._replace(
            agent_document=chance.masked_cpf(),
            agent_name=person(chance),
            agent_role=chance.pick(("05", "17", "14")),
        )
    return partner


def _company_number(chance: Chance) -> str:
    number = f"{chance.number(8)}0001"
    return number + cnpj_digits(number)

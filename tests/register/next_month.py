"""The month after: some companies are gone, some new, some have changed in a known way.

A company's change depends on its root and the seed alone.
"""

from collections.abc import Callable

from tests.register.branches import invent_branches
from tests.register.chance import Chance, draw
from tests.register.model import Branch, Company, Option
from tests.register.partners import invent_partners

_GONE = 0.0005
_CHANGED = 0.02

Change = Callable[[Company, Chance], Company]


def closed(company: Company, chance: Chance) -> Company:
    at = {"state": "08", "state_date": "20260930", "reason": "01"}
    return company._replace(branches=tuple(branch._replace(**at) for branch in company.branches))


def renamed(company: Company, chance: Chance) -> Company:
    return company._replace(name=f"{chance.word('things')} {company.name}")


def capital_raised(company: Company, chance: Chance) -> Company:
    return company._replace(capital=f"{chance.between(10**9, 10**10)},00")


def moved(company: Company, chance: Chance) -> Company:
    return _at_head_office(
        company,
        street=chance.word("streets"),
        street_number=chance.number(4),
        district=chance.word("districts"),
    )


def other_telephone(company: Company, chance: Chance) -> Company:
    return _at_head_office(company, area_1="11", phone_1=chance.number(9), email="novo@exemplo.com.br")


def partner_joined(company: Company, chance: Chance) -> Company:
    return company._replace(partners=(*company.partners, *invent_partners(chance, 1)))


def partner_left(company: Company, chance: Chance) -> Company:
    return company._replace(partners=company.partners[1:])


def left_simples(company: Company, chance: Chance) -> Company:
    return company._replace(simples=Option("N", "20200101", "20260930"), mei=company.mei or Option("N"))


def branch_opened(company: Company, chance: Chance) -> Company:
    count = len(company.branches) + 1
    last: Branch = invent_branches(chance, company.root, count, chance.day())[-1]
    return company._replace(branches=(*company.branches, last))


def branch_gone(company: Company, chance: Chance) -> Company:
    return company._replace(branches=company.branches[:-1] or company.branches)


def other_sign(company: Company, chance: Chance) -> Company:
    return _at_head_office(company, trade_name=f"{chance.word('businesses')} NOVO")


def other_business(company: Company, chance: Chance) -> Company:
    return _at_head_office(company, activity="4781400", other_activities="6201501,6204000,6202300")


def activities_in_another_order(company: Company, chance: Chance) -> Company:
    others = company.branches[0].other_activities.split(",")
    return _at_head_office(company, other_activities=",".join(reversed(others)))


def converted(company: Company, chance: Chance) -> Company:
    return company._replace(nature="2062" if company.nature != "2062" else "2054", size="05")


def joined_mei(company: Company, chance: Chance) -> Company:
    return company._replace(simples=Option("S", "20260901"), mei=Option("S", "20260901"))


def partners_aged(company: Company, chance: Chance) -> Company:
    """All are in another age band, and the first has another role: that alone is a change."""
    aged = [partner._replace(age_band="9") for partner in company.partners]
    aged[:1] = [partner._replace(role="22" if partner.role != "22" else "49") for partner in aged[:1]]
    return company._replace(partners=tuple(aged))


CHANGES: tuple[Change, ...] = (
    closed,
    renamed,
    capital_raised,
    moved,
    other_telephone,
    partner_joined,
    partner_left,
    left_simples,
    branch_opened,
    branch_gone,
    other_sign,
    other_business,
    activities_in_another_order,
    converted,
    joined_mei,
    partners_aged,
)


def a_month_later(company: Company, seed: int) -> Company | None:
    """Return the company in the following month, mostly the same, or `None` if it is gone."""
    fate = draw(seed, "later", company.root)
    if fate < _GONE:
        return None
    if fate >= _GONE + _CHANGED:
        return company
    chance = Chance(f"{seed} later {company.root}")
    return chance.pick(CHANGES)(company, chance)


def _at_head_office(company: Company, **values: str) -> Company:
    head_office, *others = company.branches
    return company._replace(branches=(head_office._replace(**values), *others))

"""An invented company as plain values, each as the published files write it.

Dates are YYYYMMDD, the capital has a comma, codes have their zeros, "" is nothing. Fields of branches and
partners stand in the order of their columns, so that a row is the root and then the fields.
"""

from typing import NamedTuple


class Option(NamedTuple):
    """Simples or MEI: S or N, from when, until when."""

    chosen: str
    since: str = "00000000"
    until: str = "00000000"


class Partner(NamedTuple):
    """A partner: kind 1 is a company, 2 a person, 3 a foreigner."""

    kind: str
    name: str
    document: str
    role: str
    since: str
    country: str = ""
    agent_document: str = "***000000**"
    agent_name: str = ""
    agent_role: str = "00"
    age_band: str = "0"


class Branch(NamedTuple):
    """An establishment: head office ("1") or branch ("2"), with its part of the number."""

    order: str
    digits: str
    head_office: str
    trade_name: str
    state: str
    state_date: str
    reason: str
    city_abroad: str
    country: str
    opened: str
    activity: str
    other_activities: str
    street_type: str
    street: str
    street_number: str
    complement: str
    district: str
    postcode: str
    uf: str
    municipality: str
    area_1: str
    phone_1: str
    area_2: str
    phone_2: str
    fax_area: str
    fax: str
    email: str
    special_state: str
    special_date: str


class Company(NamedTuple):
    """A company with all that the files hold of it."""

    root: str
    name: str
    nature: str
    responsible: str
    capital: str
    size: str
    jurisdiction: str
    simples: Option | None
    mei: Option | None
    partners: tuple[Partner, ...]
    branches: tuple[Branch, ...]

    def numbers(self) -> list[str]:
        """Return the CNPJs of its establishments."""
        return [self.root + branch.order + branch.digits for branch in self.branches]

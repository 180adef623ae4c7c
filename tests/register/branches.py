"""Inventing establishments."""

from tests.register.chance import Chance
from tests.register.digits import cnpj_digits
from tests.register.model import Branch
from tests.register.words import COMMON_MUNICIPALITIES, WORDS, codes

_STATES = ("02",) * 46 + ("08",) * 42 + ("04",) * 8 + ("03", "03", "01", "01")
_REASONS = {
    "01": ("11", "12"),
    "02": ("00",),
    "03": ("18", "81"),
    "04": ("63",),
    "08": ("01", "01", "73", "09", "54"),
}
_ACTIVITIES = tuple(codes("cnaes"))
_MUNICIPALITIES = tuple(code for code in codes("municipios_siafi") if code != "9707")


def invent_branches(chance: Chance, root: str, count: int, opened: str) -> tuple[Branch, ...]:
    """Return the head office and ``count`` - 1 branches of a company."""
    letters = chance.happens(0.01)
    orders = [f"{n:04}" for n in range(1, count + 1)]
    if letters:  # the head office and large numbers keep their digits
        orders[1:] = [
            chr(65 + int(order[1])) + order[1:] if order[0] == "0" else order for order in orders[1:]
        ]
    return tuple([_branch(chance, root, order, opened) for order in orders])


def _branch(chance: Chance, root: str, order: str, opened: str) -> Branch:
    state = chance.pick(_STATES)
    domestic = not chance.happens(0.003)
    municipality = (
        chance.pick(_MUNICIPALITIES) if chance.happens(0.8) else chance.pick(tuple(COMMON_MUNICIPALITIES))
    )
    thing = chance.word("things")
    return Branch(
        order=order,
        digits=cnpj_digits(root + order),
        head_office="1" if order == "0001" else "2",
        trade_name=f"{chance.word('businesses')} {thing}" if chance.happens(0.4) else "",
        state=state,
        state_date=opened if state == "02" else chance.day(),
        reason=chance.pick(_REASONS[state]),
        city_abroad="" if domestic else chance.word("cities_abroad"),
        country="" if domestic else chance.word("abroad"),
        opened=opened if order == "0001" else chance.day(),
        activity=chance.pick(_ACTIVITIES),
        other_activities=_other_activities(chance),
        street_type=chance.word("street_types"),
        street=chance.word("streets"),
        street_number=chance.pick(("S/N", "SN", "07", "00236", "1"))
        if chance.happens(0.15)
        else chance.number(3),
        complement=chance.word("complements") if chance.happens(0.4) else "",
        district=chance.word("districts"),
        postcode=chance.number(8) if domestic else "",
        uf=(COMMON_MUNICIPALITIES.get(municipality) or WORDS["ufs"][int(municipality) % 27])
        if domestic
        else "EX",
        municipality=municipality if domestic else "9707",
        area_1=(area := chance.number(2)),
        phone_1=_phone(chance) if chance.happens(0.85) else "",
        area_2=area if (second := chance.happens(0.12)) else "",
        phone_2=_phone(chance) if second else "",
        fax_area=area if (fax := chance.happens(0.05)) else "",
        fax=_phone(chance) if fax else "",
        email=f"{chance.word('last_names').lower()}.{thing.lower()}@exemplo.com.br"
        if chance.happens(0.6)
        else "",
        special_state="RECUPERACAO JUDICIAL" if (special := chance.happens(0.002)) else "",
        special_date=chance.day() if special else "",
    )


def _other_activities(chance: Chance) -> str:
    if chance.happens(0.55):
        return ""
    count = chance.pick((1, 1, 2, 2, 3, 4, 5, 8, 15))
    return ",".join(dict.fromkeys([chance.pick(_ACTIVITIES) for _ in range(count)]))


def _phone(chance: Chance) -> str:
    return chance.number(chance.pick((6, 7, 8, 8, 8, 8, 8, 8, 9)))

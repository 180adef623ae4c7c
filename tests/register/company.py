"""Inventing companies: each is a function of the seed and its number alone.

So any part of a month can be made anew, in any process, and a sample of millions is known without keeping
them.
"""

from collections.abc import Iterator

from tests.register.branches import invent_branches
from tests.register.chance import Chance
from tests.register.model import Company, Option
from tests.register.partners import invent_partners
from tests.register.words import codes

FIRST = 10_000_000  # the first number; roots are dense, as real ones are
_HUGE = (200_000, 54_321)  # one company in so many, the one with this remainder, has thousands of branches
_CROWDED = (500_000, 77_777)  # and one has three thousand partners
_SINGLE = "2135"
_NATURES = (
    *("2062",) * 30,
    "2054",
    "2054",
    "2305",
    "2240",
    "3999",
    "3999",
    "2143",
    "2046",
    *codes("naturezas_juridicas"),
)
_SIZES = ("01", "01", "01", "01", "01", "01", "03", "05", "05", "00")


def companies(seed: int, count: int, *, first: int = FIRST, step: int = 1) -> Iterator[Company]:
    """Return ``count`` companies with roots from ``first`` on; the same arguments give the same companies."""
    for number in range(first, first + count * step, step):
        yield invent(seed, number)


def invent(seed: int, number: int, *, branches: int | None = None, partners: int | None = None) -> Company:
    """Return the company of a number of eight digits, with these numbers of establishments and partners."""
    chance = Chance(seed << 32 | number)
    if branches is None:
        branches = chance.between(2_000, 3_000) if number % _HUGE[0] == _HUGE[1] else _branches(chance)
    if partners is None and number % _CROWDED[0] == _CROWDED[1]:
        partners = 3_000
    one_person = branches == 1 and not partners and chance.happens(0.5)
    root = root_of(number)
    opened = chance.day()
    return Company(
        root=root,
        name=_name(chance, one_person),
        nature=(nature := _SINGLE if one_person else chance.pick(_NATURES)),
        responsible="50" if one_person else chance.pick(("49", "49", "05", "10", "16")),
        capital=_capital(chance),
        size="01" if one_person else chance.pick(_SIZES),
        jurisdiction=chance.pick(("UNIÃO", "EXEMPLO - SP", "MUNICIPIO DE EXEMPLO"))
        if nature[0] == "1"
        else "",
        **_options(chance, one_person, opened),
        partners=() if one_person else invent_partners(chance, partners),
        branches=invent_branches(chance, root, branches, opened),
    )


def root_of(number: int) -> str:
    """Return the root of a number; about one in a hundred has letters.

    >>> root_of(10_000_000), root_of(10_000_033)
    ('10000000', '1A00A033')
    """
    digits = f"{number:08}"
    if number % 97 != 12:
        return digits
    return f"{digits[0]}{chr(65 + int(digits[1]))}{digits[2:4]}{chr(65 + int(digits[4]))}{digits[5:]}"


def _branches(chance: Chance) -> int:
    """Return the number of establishments: 92 in a hundred companies have one."""
    draw = chance.random()
    if draw < 0.92:
        return 1
    if draw < 0.9955:
        return 2
    return chance.between(3, 10) if draw < 0.9999 else chance.between(11, 200)


def _name(chance: Chance, one_person: bool) -> str:
    if not one_person:
        return f"{chance.word('businesses')} {chance.word('things')} {chance.word('legal_forms')}"
    person = f"{chance.word('first_names')} {chance.word('last_names')} {chance.word('last_names')}"
    # Nearly half of all companies are one person: so one name in six has a CPF.
    return f"{person} {chance.cpf()}" if chance.happens(0.36) else person


def _capital(chance: Chance) -> str:
    reais = chance.pick((0, 1, 1000, 1000, 5000, 10000, 20000, 100000))
    if chance.happens(0.2):
        reais = int(10 ** (9 * chance.random()))
    cents = chance.between(1, 99) if chance.happens(0.05) else 0
    return f"{reais},{cents:02}"


def _options(chance: Chance, one_person: bool, opened: str) -> dict[str, Option | None]:
    """Return Simples and MEI, which are in one row; three companies in ten have none."""
    if not one_person and chance.happens(0.6):
        return {"simples": None, "mei": None}
    return {
        "simples": _option(chance, 0.8, opened),
        "mei": _option(chance, 0.7 if one_person else 0.0, opened),
    }


def _option(chance: Chance, share: float, opened: str) -> Option:
    if not chance.happens(share):
        return Option("N")
    if chance.happens(0.7):
        return Option("S", opened)
    until = opened if chance.happens(0.1) else "20251231"
    return Option("N", opened, until)

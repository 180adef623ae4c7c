"""What a defect is: it changes an invented company, or spoils one of its rows, and says what must come of it.

A changed company is written and read like any other: the truth is that of the changed one. A spoiled row
stays readable (the truth is the same) or is uncertain. Then all that depends on it is *lost*: it must
not be found, since part of it would be false, nor be called absent, and the row is counted as rejected.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from tests.register.chance import Chance
from tests.register.layout import COMPANIES, ESTABLISHMENTS, KINDS, OPTIONS, PARTNERS, fields_of, line
from tests.register.model import Company, Option
from tests.register.partners import invent_partners

Change = Callable[[Company, Chance], Company]
Spoil = Callable[[Sequence[str], Chance], list[str]]


def as_it_is(company: Company, chance: Chance) -> Company:
    """Return the unchanged company."""
    return company


class Outcome(Enum):
    """What must come of a spoiled row."""

    HARMLESS = "harmless"  # it reads as if it were not spoiled
    LOST = "lost"  # rejected and counted; what rests on it is neither found nor called absent
    ILLEGIBLE = "illegible"  # rejected and counted; whose it is cannot be seen, so it is not found


@dataclass(frozen=True)
class Defect:
    """A named defect; ``kind``: of the rows; ``counts``: expected in the report."""

    name: str
    change: Change
    kind: str = ""
    spoil: Spoil | None = None
    outcome: Outcome = Outcome.HARMLESS
    counts: Mapping[str, int] = field(default_factory=dict)


class Case(NamedTuple):
    """A company as it must be read, its lines (kind, text without the line's end), and what is lost of it.

    ``counts`` are rows by kind and fate: *rejected* (not readable), *duplicate* (the same as another in every
    byte), *conflict* (another row has its number), *orphan* (no readable row of Empresas has its root).
    """

    company: Company
    lines: list[tuple[str, str]]
    counts: Counter[tuple[str, str]]
    lost: frozenset[str] = frozenset()
    illegible: frozenset[str] = frozenset()

    def found(self) -> list[str]:
        """Return the numbers that must be found."""
        return [n for n in self.company.numbers() if n not in self.lost | self.illegible]


def written(company: Company, defect: Defect | None, seed: int = 0) -> Case:
    """Return the rows of a company, with a defect in it or in one of them."""
    if defect is None:
        return Case(company, _lines(company), Counter())
    chance = Chance(f"{seed} {company.root}")
    if defect.spoil:
        company = _with_row(company, defect.kind, chance)
    company = defect.change(company, chance)
    lines = _lines(company)
    if defect.spoil is None:
        return Case(company, lines, Counter())
    rows = [(kind, row) for kind in KINDS for row in fields_of(company, kind)]
    place = chance.pick([n for n, (kind, _) in enumerate(rows) if kind == defect.kind])
    lines[place : place + 1] = [(defect.kind, text) for text in defect.spoil(rows[place][1], chance)]
    numbers = {"".join(rows[place][1][:3])} if defect.kind == ESTABLISHMENTS else set(company.numbers())
    return Case(
        company,
        lines,
        _counts(defect, rows),
        lost=frozenset(numbers if defect.outcome is Outcome.LOST else ()),
        illegible=frozenset(numbers if defect.outcome is Outcome.ILLEGIBLE else ()),
    )


def _lines(company: Company) -> list[tuple[str, str]]:
    return [(kind, line(row)) for kind in KINDS for row in fields_of(company, kind)]


def _with_row(company: Company, kind: str, chance: Chance) -> Company:
    """Return the company with a row of that kind, if it had none."""
    if kind == PARTNERS and not company.partners:
        return company._replace(partners=invent_partners(chance, 2))
    if kind == OPTIONS and not company.simples:
        return company._replace(simples=Option("S", chance.day()), mei=Option("N"))
    return company


def _counts(defect: Defect, rows: list[tuple[str, tuple[str, ...]]]) -> Counter[tuple[str, str]]:
    counts = Counter({(defect.kind, fate): number for fate, number in defect.counts.items()})
    if defect.outcome is Outcome.LOST and defect.kind == COMPANIES:
        counts.update((kind, "orphan") for kind, _ in rows if kind != COMPANIES)
    return counts

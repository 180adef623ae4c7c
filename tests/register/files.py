"""Writing a month: the 37 zips as they are published, and what must be read out of them.

companies = list(company.companies(seed=1, count=500))
month = write_month(folder, companies, date(2026, 9, 12), spread(ALL.values(), companies))
month.records()["10000000000108"]["razao_social"]
"""

import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from taxid import cpf
from tests.register.chance import Chance
from tests.register.defect import Case, Defect, written
from tests.register.layout import ENCODING, TABLES, line, members, published, zips_of
from tests.register.model import Company
from tests.register.truth import records


@dataclass(frozen=True)
class Month:
    """What was written, and what must come of it.

    ``rows`` counts the lines of each zip but empty ones, ``counts`` rows by kind of file and fate, as
    ``defect.Case`` does. ``lost`` numbers must be neither found nor called absent, ``illegible`` ones not
    found. ``cpfs`` are those that stand in full somewhere: nothing made from the month may hold one of them.
    """

    folder: Path
    day: date
    cases: list[Case]
    rows: dict[str, int]
    cpfs: frozenset[str]

    @property
    def lost(self) -> frozenset[str]:
        """Return the numbers that rest on a row which cannot be read."""
        return frozenset().union(*(case.lost for case in self.cases))

    @property
    def illegible(self) -> frozenset[str]:
        """Return the numbers that cannot be read themselves."""
        return frozenset().union(*(case.illegible for case in self.cases))

    @property
    def counts(self) -> Counter[tuple[str, str]]:
        """Return rows by kind and fate."""
        return sum((case.counts for case in self.cases), Counter())

    def records(self) -> dict[str, dict[str, Any]]:
        """Return the canonical records of all numbers that must be found."""
        return {
            number: record
            for case in self.cases
            for number, record in records(case.company, self.day).items()
            if number not in case.lost | case.illegible
        }


def write_month(
    folder: Path,
    companies: Iterable[Company],
    day: date,
    defects: Mapping[str, Defect] | None = None,
    *,
    seed: int = 0,
    line_end: str = "\n",
    last_newline: bool = True,
) -> Month:
    """Write the month of a day into a folder; ``defects`` by root. All companies are held in memory.

    Rows are spread over the ten files of their kind in no order, so that those of one root are in many.
    """
    cases = [written(company, (defects or {}).get(company.root), seed) for company in companies]
    chance = Chance(seed)
    lines: dict[str, list[str]] = {name: [] for name in members(day)}
    for case in cases:
        for kind, text in case.lines:
            lines[chance.pick(zips_of(kind))].append(text)
    for name, texts in lines.items():
        chance.shuffle(texts)
        texts += table_texts(name)
        data = line_end.join([*texts, ""] if last_newline and texts else texts)
        write_member(folder / name, members(day)[name], data.encode(ENCODING), day)
    rows = {name: sum(map(bool, texts)) for name, texts in lines.items()}
    return Month(folder, day, cases, rows, frozenset(_cpfs(cases)))


def table_texts(name: str) -> list[str]:
    """Return the lines of a zip that holds one of the month's tables."""
    table = name.removesuffix(".zip")
    return [line(row) for row in published(table)] if table in TABLES else []


def write_member(path: Path, member: str, data: bytes, day: date) -> None:
    """Write a zip with one deflated member, the same bytes in every run."""
    info = zipfile.ZipInfo(member, (day.year, day.month, day.day, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(info, data)


def _cpfs(cases: list[Case]) -> Iterator[str]:
    """Yield every full CPF in the rows, with any characters between its groups."""
    for case in cases:
        for _, text in case.lines:
            for found in re.findall(r"(?<!\d)\d{3}[-. \0]?\d{3}[-. \0]?\d{3}[-./ \0]?\d{2}(?!\d)", text):
                digits = re.sub(r"\D", "", found)
                if cpf.is_valid(digits):
                    yield digits

"""Months of millions of companies, written by several processes.

Nothing is kept in memory: `published` makes a company and its record again, by number.
"""

import multiprocessing
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import IO

from tests.register.chance import Chance, draw
from tests.register.company import FIRST, invent
from tests.register.defect import Case, written
from tests.register.defects import ALL
from tests.register.files import table_texts, write_member
from tests.register.layout import ENCODING, members, zips_of
from tests.register.model import Company
from tests.register.next_month import a_month_later
from tests.register.rows import KINDS
from tests.register.truth import records

Counts = Counter[tuple[str, str]]

_NEW = 0.005  # of all companies, in the following month
_DEFECTS = tuple(ALL.values())


@dataclass(frozen=True)
class Order:
    """What to write: so many companies, a share of them with a defect, for a day or the month after it."""

    folder: Path
    day: date
    companies: int
    seed: int
    defects: float = 0.0005
    following: date | None = None
    batch: int = 20_000  # companies that a process has in memory

    @property
    def numbers(self) -> range:
        """The numbers of the companies: those of the following month hold the new ones."""
        return range(FIRST, FIRST + self.companies + (int(self.companies * _NEW) if self.following else 0))


def published(order: Order, number: int) -> Case | None:
    """What the month holds of a company; ``None`` where it is gone since the month before."""
    return _months(order, number)[1]


def write_millions(order: Order, processes: int = 2) -> Counts:
    """Writes the zips; counts what was *written*, *rows* by kind, rows by fate and kind, *changes*, *fields*.

    Changes are numbers, in a following month: new, gone, or changed in which fields of their records.
    """
    day = order.following or order.day
    batches = -(-len(order.numbers) // order.batch)
    total: Counts = Counter()
    order.folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as opened:
        large = [name for kind in KINDS for name in zips_of(kind)]
        zips = {
            name: opened.enter_context(_stream(order.folder / name, members(day)[name])) for name in large
        }
        pool = opened.enter_context(multiprocessing.get_context("spawn").Pool(processes))
        for texts, counts in pool.imap(_batch, [(order, order.numbers[n::batches]) for n in range(batches)]):
            total.update(counts)
            for name, data in texts.items():
                zips[name].write(data)
    for name in members(day).keys() - large:
        data = "\n".join([*table_texts(name), ""]).encode(ENCODING)
        write_member(order.folder / name, members(day)[name], data, day)
    return total


@contextmanager
def _stream(path: Path, member: str) -> Iterator[IO[bytes]]:
    """A zip with one member that is written piece by piece."""
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file,
        file.open(member, "w") as data,
    ):
        yield data


def _batch(task: tuple[Order, range]) -> tuple[dict[str, bytes], Counts]:
    """Part of the companies as lines for each zip, in no order."""
    order, numbers = task
    chance = Chance(order.seed + numbers.start)
    lines: dict[str, list[list[str]]] = {kind: [[] for _ in zips_of(kind)] for kind in KINDS}
    counts: Counts = Counter()
    for number in numbers:
        before, case = _months(order, number)
        if case is None or before is not case.company:
            counts.update(_changes(before, case, order.day))
        if case is None:
            continue
        for kind, text in case.lines:
            chance.pick(lines[kind]).append(text)
        counts["written", "companies"] += 1
        counts["written", "establishments"] += len(case.company.branches)
        if case.counts or case.lost:
            counts.update(
                {("written", "lost"): len(case.lost), ("written", "illegible"): len(case.illegible)}
            )
            counts.update({(fate, kind): rows for (kind, fate), rows in case.counts.items()})
    data: dict[str, bytes] = {}
    for kind in KINDS:
        for name, texts in zip(zips_of(kind), lines[kind], strict=True):
            chance.shuffle(texts)
            counts["rows", kind] += sum(map(bool, texts))
            data[name] = "\n".join([*texts, ""]).encode(ENCODING)
    return data, counts


def _months(order: Order, number: int) -> tuple[Company | None, Case | None]:
    """The company in the month before, and its case in the one written; one with a defect stays as it is."""
    company = invent(order.seed, number)
    known = not order.following or number < FIRST + order.companies
    place = draw(order.seed, "defect", number)
    if place < order.defects:
        case = written(company, _DEFECTS[int(place / order.defects * len(_DEFECTS))], order.seed)
        return case.company if known else None, case
    later = a_month_later(company, order.seed) if order.following and known else company
    return company if known else None, later and written(later, None)


def _changes(before: Company | None, case: Case | None, day: date) -> Counts:
    old = records(before, day) if before else {}
    new = records(case.company, day) if case else {}
    found = set(case.found()) if case else set()
    counts: Counts = Counter(
        {("changes", "new"): len(found - old.keys()), ("changes", "gone"): len(old.keys() - found)}
    )
    for number in found & old.keys():
        fields = [name for name in old[number] if old[number][name] != new[number][name]]
        counts["changes", "changed"] += bool(fields)
        counts.update(("fields", name) for name in fields)
    return counts

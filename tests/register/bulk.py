"""Months of millions of companies, written by several processes.

Nothing is kept in memory: `published` makes a company and its record again, by number.
"""

import multiprocessing
import zipfile
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from tests.register.chance import Chance, draw
from tests.register.company import FIRST, invent
from tests.register.defect import Case, written
from tests.register.defects import ALL
from tests.register.files import table_texts, write_member
from tests.register.layout import ENCODING, KINDS, members, zips_of
from tests.register.next_month import a_month_later
from tests.register.words import invented_word

_NEW = 0.005  # of all companies, in the following month
_DEFECTS = tuple(ALL.values())
_BATCH = 20_000  # companies that a process has in memory


@dataclass(frozen=True)
class Order:
    """A month to write. ``defects``: share of companies with one; ``following``: day of the month after."""

    folder: Path
    day: date
    companies: int
    seed: int
    defects: float = 0.0005
    following: date | None = None

    @property
    def numbers(self) -> range:
        """Return the numbers of the companies, in the following month with new ones."""
        return range(FIRST, FIRST + self.companies + (int(self.companies * _NEW) if self.following else 0))


def published(order: Order, number: int) -> Case | None:
    """Return a company in the month, or `None` if it is gone since the month before.

    A company with a defect does not change.
    """
    company = invent(order.seed, number)
    word = invented_word(draw(order.seed, "name", number))
    company = company._replace(name=f"{word} {company.name}")
    place = draw(order.seed, "defect", number)
    if place < order.defects:
        return written(company, _DEFECTS[int(place / order.defects * len(_DEFECTS))], order.seed)
    is_known = order.following and number < FIRST + order.companies
    later = a_month_later(company, order.seed) if is_known else company
    return later and written(later, None)


def write_millions(order: Order, processes: int = 2) -> None:
    """Write the zips."""
    names = members(order.following or order.day)
    batches = -(-len(order.numbers) // _BATCH)
    order.folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as opened:
        streams = {}
        for name in (name for kind in KINDS for name in zips_of(kind)):
            path = order.folder / name
            archive = opened.enter_context(zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1))
            streams[name] = opened.enter_context(archive.open(names[name], "w"))
        pool = opened.enter_context(multiprocessing.get_context("spawn").Pool(processes))
        for texts in pool.imap(_batch, [(order, order.numbers[n::batches]) for n in range(batches)]):
            for name, data in texts.items():
                streams[name].write(data)
    for name in names.keys() - streams.keys():
        data = "\n".join([*table_texts(name), ""]).encode(ENCODING)
        write_member(order.folder / name, names[name], data, order.day)


def _batch(task: tuple[Order, range]) -> dict[str, bytes]:
    """Return a part of the companies as lines for each zip, in no order."""
    order, numbers = task
    chance = Chance(order.seed + numbers.start)
    lines: dict[str, list[str]] = {name: [] for kind in KINDS for name in zips_of(kind)}
    for case in filter(None, (published(order, number) for number in numbers)):
        for kind, text in case.lines:
            lines[chance.pick(zips_of(kind))].append(text)
    for texts in lines.values():
        chance.shuffle(texts)
    return {name: "\n".join([*texts, ""]).encode(ENCODING) for name, texts in lines.items()}

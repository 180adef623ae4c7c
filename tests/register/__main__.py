"""``python -m tests.register --out DIR --establishments 3000000``: write a month of millions.

``--next DAY`` writes the month after that of ``--day`` instead. Run both with the same other arguments into
two folders to have two months of the same companies.
"""

import os
from dataclasses import replace
from datetime import datetime
from itertools import chain
from pathlib import Path

import click

from tests.register.bulk import Order, published, write_millions
from tests.register.files import Month

_ESTABLISHMENTS_A_COMPANY = 1.122
_SEARCHED = 5_000  # companies, of which some six are renamed
_DAY = click.DateTime(["%Y-%m-%d"])


@click.command(help=__doc__)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="the folder for the 37 zips")
@click.option("--establishments", default=100_000, show_default=True, help="about how many")
@click.option("--day", type=_DAY, default="2026-09-12", show_default=True, help="the data's day")
@click.option("--next", "following", type=_DAY, metavar="DAY", help="write the following month, of this day")
@click.option("--seed", default=1)
@click.option("--defects", default=0.0005, show_default=True, help="share of companies with a defect")
def main(
    out: Path, establishments: int, day: datetime, following: datetime | None, seed: int, defects: float
) -> None:
    companies = round(establishments / _ESTABLISHMENTS_A_COMPANY)
    if max(day, following or day) > datetime.now():
        raise click.BadParameter("names of files have one digit of the year: a day to come would be past")
    order = Order(out, day.date(), companies, seed, defects, following.date() if following else None)
    write_millions(order, os.cpu_count() or 1)
    print(f"37 files of {order.following or order.day}; one of the companies is {_some_number(order)}")


def _some_number(order: Order) -> str:
    """Return the number of a company that the month has; of a renamed one, where it follows another."""
    numbers = order.numbers[:_SEARCHED]
    renamed = (number for number in numbers if order.following and _is_renamed(order, number))
    cases = filter(None, (published(order, number) for number in chain(renamed, numbers)))
    months = (Month(order.folder, order.day, [case], {}, frozenset()).records() for case in cases)
    return next(number for records in months for number in records)


def _is_renamed(order: Order, number: int) -> bool:
    before, case = published(replace(order, following=None), number), published(order, number)
    return bool(before and case and before.company.name != case.company.name)


if __name__ == "__main__":
    main()

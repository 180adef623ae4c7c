"""Two months of invented companies and a copy of the first, in a folder that measurements share.

Each is made once.
"""

import os
from datetime import date
from pathlib import Path

from brskills_server.adapters.snapshots.folder import current_name
from tests.bench.building import build
from tests.register.bulk import Order, write_millions

DAY, NEXT = date(2026, 9, 12), date(2026, 10, 10)
COMPANIES = 90_000
"""Of the months in `make bench`: 100,000 establishments."""


def first_month(folder: Path, companies: int = COMPANIES) -> Order:
    """Return the first month, with its files below ``folder``."""
    return _written(Order(folder / "first", DAY, companies, 1))


def second_month(folder: Path, companies: int = COMPANIES) -> Order:
    """Return the month after it."""
    return _written(Order(folder / "second", DAY, companies, 1, following=NEXT))


def copy_in(folder: Path) -> Path:
    """Return a copy of the register: the one that was built below ``folder``, or the first month's."""
    copy = folder / "copy"
    copy.mkdir(exist_ok=True)
    if not current_name(copy):
        build(first_month(folder).folder, copy)
    return copy


def _written(order: Order) -> Order:
    if not order.folder.exists():
        write_millions(order, os.cpu_count() or 1)
    return order

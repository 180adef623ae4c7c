"""Two months of invented companies and a copy of the register, in a folder that measurements share.

Each is made once.
"""

import os
from datetime import date
from pathlib import Path

from brskills_server.adapters.snapshots.folder import current_name
from lab.bench.building import build
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


def month_in(copy: Path) -> Path:
    """Return the current month of a copy; where there is none, that of the first month is built."""
    if not copy.exists():
        build(first_month(copy.parent).folder, copy)
    return copy / (current_name(copy) or "")


def _written(order: Order) -> Order:
    if not order.folder.exists():
        write_millions(order, os.cpu_count() or 1)
    return order

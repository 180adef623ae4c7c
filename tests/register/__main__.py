"""``python -m tests.register --out DIR --establishments 3000000``: a month of millions; prints what is in it.

``--next DAY`` writes the month after that of ``--day`` instead, and tells what has changed between them. Run
both with the same other arguments into two folders to have two months of the same companies.
"""

import argparse
import json
import os
from collections import defaultdict
from datetime import date
from pathlib import Path

from tests.register.bulk import Order, write_millions

_ESTABLISHMENTS_A_COMPANY = 1.122


def main() -> None:
    """Write, then print the counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.register", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the folder for the 37 zips")
    parser.add_argument("--establishments", type=int, default=100_000, help="about so many (default 100000)")
    parser.add_argument("--day", type=date.fromisoformat, default=date(2026, 9, 12), help="the data's day")
    parser.add_argument(
        "--next", type=date.fromisoformat, metavar="DAY", help="write the following month, of this day"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--defects", type=float, default=0.0005, help="share of companies with a defect")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    companies = round(arguments.establishments / _ESTABLISHMENTS_A_COMPANY)
    order = Order(arguments.out, arguments.day, companies, arguments.seed, arguments.defects, arguments.next)
    told: dict[str, dict[str, int]] = defaultdict(dict)
    for (group, name), number in sorted(write_millions(order, arguments.processes).items()):
        told[group][name] = number
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()

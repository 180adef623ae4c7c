"""Two months of three million establishments: what their builds take, and what look-ups in them do.

``python -m lab.bench.register --write`` renews the tables of docs/evidence/figures.md;
``--establishments`` makes the months smaller, as `make bench` does, which writes no table.
A sample of the companies is compared with the generator's records.
"""

import argparse
import json
import random
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

from brskills_server.adapters.snapshots.folder import FILE
from lab.bench.building import STEPS, Build, build
from lab.bench.csv_import import Import, import_month
from lab.bench.figure import Figure
from lab.bench.months import COMPANIES, NEXT, first_month, second_month
from lab.bench.records import BARE, RECORD, forget_pages, hold, milliseconds
from lab.bench.table import keep
from lab.bench.timing import compared, ratio
from tests.services.scenarios import table

ASKED = 5_000
EACH = 1.122
"""Establishments of a company."""


def main() -> None:
    """Write two months, build both, look companies up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--establishments", type=int, default=3_000_000)
    parser.add_argument("--folder", type=Path, help="of months, not written again, and copy")
    parser.add_argument("--write", action="store_true", help="into docs/evidence/figures.md")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, companies = arguments.folder or Path(name), round(arguments.establishments / EACH)
        measure(folder, companies, write=arguments.write)


def measure(folder: Path, companies: int = COMPANIES, *, write: bool = False) -> dict[str, Figure]:
    """Measure, and keep or print. ``folder``: of months and copy."""
    shutil.rmtree(copy := folder / "copy", ignore_errors=True)
    copy.mkdir(parents=True)
    builds, floors = [], []
    for written in (first_month, second_month):
        order = written(folder, companies)
        floors.append(import_month(order.folder, copy))
        builds.append(build(order.folder, copy))
        there = hold(copy, order)
    report = json.loads((copy / str(NEXT) / "report.json").read_text())
    millions = report["register"]["establishments"] / 1e6
    file = (copy / str(NEXT) / FILE).stat().st_size
    zips = sum(path.stat().st_size for path in order.folder.iterdir())
    asked = random.Random(2).sample(there, min(ASKED, len(there)))
    cold = milliseconds(copy, asked, cold=True) if write and forget_pages() else {}
    warm = milliseconds(copy, asked)
    times = {name: of[RECORD] for name, of in (("warm", warm), ("cold", cold)) if of}
    tables = {
        "build": build_table(builds, floors, millions, zips, file) + lost_text(floors[-1], report),
        "asked": asked_table(times),
    }
    for mark, text in tables.items():
        keep(mark, text) if write else print(text)
    used = [one.processor for one in builds]
    beside = ratio(used, [one.processor for one in floors])  # each beside the import of its month
    a_million = Figure(statistics.mean(used) / millions, "s a million", beside)
    return {"a build, of processor": a_million, **compared(warm, BARE)}


def build_table(builds: list[Build], floors: list[Import], millions: float, zips: int, file: int) -> str:
    """Return a row for each month, with the import just before its build: a machine's speed changes."""
    rows = []
    names = "the first month", "the next, compared with it"
    for name, one, floor in zip(names, builds, floors, strict=True):
        ends = [one.steps[step] for step in STEPS]
        steps = [f"{end - begin:.0f} s" for begin, end in zip([0.0, *ends], ends, strict=False)]
        bare = floor.unpacking + floor.importing
        times = [f"{one.seconds:.0f} s", f"{bare:.0f} s", f"{one.seconds / bare:.1f}"]
        rates = [f"{one.seconds / millions:.1f}", f"{one.processor / millions:.1f}"]
        sizes = [f"{one.memory / 1e6:.0f} MB", f"{one.disk / 1e9:.2f} GB"]
        rows.append([name, *steps, *times, *rates, *sizes])
    head = [
        "", *STEPS, "all", "bare import", "times it", "s a million", "of processor", "memory",
        "disk on the way",
    ]  # fmt: skip
    return (
        f"{table(head, rows)}\n\n"
        f"{millions:.2f} million establishments, {zips / 1e6:.0f} MB of zips; the file has "
        f"{file / millions / 1e6:.0f} bytes an establishment."
    )


def lost_text(floor: Import, report: dict[str, Any]) -> str:
    """Say what the bare import is."""
    lost = 1 - floor.rows / sum(rows["rows"] for rows in report["rows"].values())
    return f" The bare import unpacks the zips and has DuckDB read the CSV: it loses {lost:.3%} of the rows."


def asked_table(times: dict[str, list[float]]) -> str:
    """Return a row for files that the kernel has in memory, and one for those that it has not."""
    rows = []
    for name, of in times.items():
        steps = statistics.quantiles(of, n=100)
        rows.append([name, f"{steps[49]:.3f}", f"{steps[98]:.3f}"])
    return table(["a record out of the file", "p50, ms", "p99, ms"], rows)


if __name__ == "__main__":
    main()

"""Two months of three million establishments: what their builds take, and what look-ups in them do.

``python -m tests.bench.register --write`` renews the tables of docs/evidence/figures.md;
``--establishments`` makes the months smaller.
A sample of the companies is compared with the generator's records.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from brskills_server.adapters.snapshots.folder import FILE, FolderMonths
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.registry.snapshot.rows import record_text
from tests.bench.csv_import import Import, import_month
from tests.bench.table import keep
from tests.register.bulk import Order, published, write_millions
from tests.register.files import Month
from tests.services.scenarios import table

DAY, NEXT = date(2026, 9, 12), date(2026, 10, 10)
ALL_OF_BRAZIL = 73.0  # million establishments
HELD, ASKED = 20_000, 5_000
STEPS = {"read": r"Socios9\.zip", "joined": r"companies", "indexed, read again": r"indexed"}
"""By the lines that end them; the second reading is done while the index is packed."""


class Build(NamedTuple):
    """When each step ended, and all of it, in seconds; processor seconds; bytes of memory and of disk."""

    steps: dict[str, float]
    seconds: float
    processor: float
    memory: int
    disk: int


def build(source: Path, copy: Path) -> Build:
    """Run one build as an operator starts it; ``disk`` is what it took beside the months that are kept."""
    before, began, disk = size(copy), time.perf_counter(), 0
    command = [sys.executable, "-u", "-m", "brskills_server.snapshot_builder", "build", str(source)]
    environment = os.environ | {"REGISTRY_COPY": str(copy)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    ends: dict[str, float] = {}

    def listen() -> None:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            now = time.perf_counter() - began
            ends.update({step: now for step, sign in STEPS.items() if re.search(sign, line)})

    listener = threading.Thread(target=listen)
    listener.start()
    while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
        disk = max(disk, size(copy) - before)
        time.sleep(0.5)
    listener.join()
    _, code, used = ended
    process.returncode = os.waitstatus_to_exitcode(code)
    assert process.returncode == 0
    seconds, processor = time.perf_counter() - began, used.ru_utime + used.ru_stime
    return Build(ends, seconds, processor, used.ru_maxrss * 1024, disk)


def size(folder: Path) -> int:
    """Bytes of all files below a folder that may change meanwhile."""
    total = 0
    for parent, _, names in os.walk(folder):  # passes over folders that vanish
        for name in names:
            with suppress(FileNotFoundError):
                total += (Path(parent) / name).stat().st_size
    return total


def look_up(copy: Path, keys: list[str]) -> tuple[float, float]:
    """Milliseconds of a record out of the copy: the median, and the 99th of a hundred."""
    reader, times = StoredSnapshot(FolderMonths(copy)), []
    reader.edition()
    for key in keys:
        began = time.perf_counter()
        company = reader.find(key)
        assert company
        record_text(company)
        times.append((time.perf_counter() - began) * 1000)
    times.sort()
    return times[len(times) // 2], times[len(times) * 99 // 100]


def hold(copy: Path, order: Order) -> list[str]:
    """Look a sample up and compare it with the truth; returns numbers that are there."""
    reader, there = StoredSnapshot(FolderMonths(copy)), []
    for number in random.Random(order.seed).sample(order.numbers, min(HELD, len(order.numbers))):
        case = published(order, number)
        if case is None:
            continue
        month = Month(order.folder, order.following or order.day, [case], {}, frozenset())
        for cnpj, truth in month.records().items():
            found = reader.find(cnpj)
            assert found, cnpj
            assert json.loads(record_text(found)) == truth, cnpj
            there.append(cnpj)
    return there


def forget_pages() -> bool:
    """Have the kernel read files anew, where it lets us."""
    try:
        subprocess.run(["sync"], check=True)
        Path("/proc/sys/vm/drop_caches").write_text("3")
    except OSError:
        return False
    return True


def main() -> None:
    """Write two months, build both, look companies up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--establishments", type=int, default=3_000_000)
    parser.add_argument("--folder", type=Path, help="where the months are kept, and not written again")
    parser.add_argument("--write", action="store_true", help="into docs/evidence/figures.md")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        months = arguments.folder or Path(name)
        tables = measure(months, Path(name) / "copy", round(arguments.establishments / 1.122))
    for mark, text in tables.items():
        if arguments.write:
            keep(mark, text)
        else:
            print(text)


def measure(folder: Path, copy: Path, companies: int) -> dict[str, str]:
    """The tables by their marks. ``folder``: of the months' files."""
    first = Order(folder / "first", DAY, companies, 1)
    second = Order(folder / "second", DAY, companies, 1, following=NEXT)
    builds: list[Build] = []
    copy.mkdir()
    for order in (first, second):
        if not order.folder.exists():
            order.folder.mkdir()
            write_millions(order, os.cpu_count() or 1)
        builds.append(build(order.folder, copy))
        there = hold(copy, order)
    floor = import_month(second.folder, copy)
    zips = size(second.folder)
    report = json.loads((copy / str(NEXT) / "report.json").read_text())
    millions = report["register"]["establishments"] / 1e6
    file = copy / str(NEXT) / FILE
    asked = random.Random(2).sample(there, min(ASKED, len(there)))
    cold = look_up(copy, asked) if forget_pages() else None
    warm = look_up(copy, asked)
    return {
        "build": build_table(builds, millions, zips, file.stat().st_size) + floor_text(floor, builds, report),
        "asked": asked_table(cold, warm),
    }


def build_table(builds: list[Build], millions: float, zips: int, file: int) -> str:
    """Return a row for each month, and the estimate for the whole register."""
    rows = []
    for name, one in zip(("the first month", "the next, compared with it"), builds, strict=True):
        ends = [one.steps[step] for step in STEPS]
        steps = [f"{end - begin:.0f} s" for begin, end in zip([0.0, *ends], ends, strict=False)]
        rates = [f"{one.seconds / millions:.1f}", f"{one.processor / millions:.1f}"]
        sizes = [f"{one.memory / 1e6:.0f} MB", f"{one.disk / 1e9:.2f} GB"]
        rows.append([name, *steps, f"{one.seconds:.0f} s", *rates, *sizes])
    head = ["", *STEPS, "all", "s a million", "of processor", "memory", "disk on the way"]
    last, scale = builds[-1], ALL_OF_BRAZIL / millions
    return (
        f"{table(head, rows)}\n\n"
        f"{millions:.2f} million establishments, {zips / 1e6:.0f} MB of zips; the file has "
        f"{file / millions / 1e6:.0f} bytes an establishment. Times {scale:.1f} ({ALL_OF_BRAZIL:.0f} / "
        f"{millions:.2f}), for all of Brazil: {last.seconds * scale / 3600:.1f} hours, a file of "
        f"{file * scale / 1e9:.0f} GB, {last.disk * scale / 1e9:.0f} GB on the way (with the file)."
    )


def floor_text(floor: Import, builds: list[Build], report: dict[str, Any]) -> str:
    """Compare the builds with a bare import."""
    bare = floor.unpacking + floor.importing
    first, second = (f"{one.seconds / bare:.1f}" for one in builds)
    lost = 1 - floor.rows / sum(rows["rows"] for rows in report["rows"].values())
    return (
        f"\n\nUnpacking the same zips ({floor.unpacking:.0f} s) and DuckDB's own import of the CSV "
        f"({floor.importing:.0f} s), which loses {lost:.3%} of the rows: {bare:.0f} s. "
        f"The builds take {first} and {second} times as long."
    )


def asked_table(cold: tuple[float, float] | None, warm: tuple[float, float]) -> str:
    """Return a row for files that the kernel has in memory, and one for those that it has not."""
    rows = [[name, *(f"{time:.3f}" for time in of)] for name, of in (("warm", warm), ("cold", cold)) if of]
    return table(["a record out of the file", "p50, ms", "p99, ms"], rows)


if __name__ == "__main__":
    main()

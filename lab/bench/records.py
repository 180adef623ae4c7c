"""Records out of a copy of the register: checked against the generator's, and the time that they take."""

import itertools
import json
import random
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from brskills_server.adapters.snapshots.folder import FILE, FolderMonths
from brskills_server.adapters.snapshots.stored import StoredSnapshot
from brskills_server.registry.snapshot.rows import record_text
from lab.bench.months import month_in
from lab.bench.timing import by_turns
from tests.register.bulk import Order, published
from tests.register.files import Month

HELD = 20_000
RECORD, BARE = "a record", "its rows by a bare SELECT"
ROWS = "SELECT body FROM rows WHERE key IN (?, ?)"


def hold(copy: Path, order: Order) -> list[str]:
    """Look a sample up and compare it with the truth; returns numbers that are there."""
    reader, there = StoredSnapshot(FolderMonths(copy)), []
    for number in random.Random(order.seed).sample(order.numbers, min(HELD, len(order.numbers) // 20)):
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


def milliseconds(copy: Path, keys: list[str], *, cold: bool = False) -> dict[str, list[float]]:
    """Return the times of records and, in turns, of their bare rows; ``cold``: of records alone."""
    reader = StoredSnapshot(FolderMonths(copy))
    reader.edition()
    with closing(sqlite3.connect(month_in(copy) / FILE)) as connection:
        bare, whole = itertools.cycle(keys), itertools.cycle(keys)

        def select() -> None:
            key = next(bare)
            assert connection.execute(ROWS, [key, key[:8]]).fetchall()

        def find() -> None:
            company = reader.find(next(whole))
            assert company
            record_text(company)

        return by_turns({RECORD: find} if cold else {BARE: select, RECORD: find}, len(keys))


def forget_pages() -> bool:
    """Have the kernel read files anew, where it lets us."""
    try:
        subprocess.run(["sync"], check=True)
        Path("/proc/sys/vm/drop_caches").write_text("3")
    except OSError:
        return False
    return True

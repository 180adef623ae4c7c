"""What a cold search reads of an index on AWS: ``python -m lab.bench.search_reads COPY``.

``COPY``: as in ``lab.bench.search``. The index is written as the builder writes it where a function mounts
it, and once more with SQLite's pages of 4 KB. Linux counts the reads, each of one page; nothing is cached
before a search but the file's header. Rows are not read: DynamoDB has them.
"""

import statistics
import sys
import tempfile
from pathlib import Path

from brskills_server.adapters.search.finding import find
from brskills_server.adapters.search.index_folder import index_in
from brskills_server.adapters.search.search_file import SEARCH_FILE, SearchFile
from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder.destinations.index_files import IndexFiles
from lab.bench.figure import Figure, Spread
from lab.bench.months import month_in
from lab.bench.search_kinds import KINDS, drawn
from tests.services.scenarios import table

DRAWN = 60


def reads() -> tuple[int, int]:
    """Return how often this process has read, and how many bytes."""
    counts = dict(line.split(": ") for line in Path("/proc/self/io").read_text(encoding="ascii").splitlines())
    return int(counts["syscr"]), int(counts["rchar"])


def reads_of(file: Path, month: Path) -> dict[str, list[tuple[int, int]]]:
    """Return the reads and bytes of each search by its kind, sorted."""
    before, after = reads(), reads()
    own = after[0] - before[0], after[1] - before[1]  # of the counting itself
    found: dict[str, list[tuple[int, int]]] = {}
    for name, kind in KINDS.items():
        for criteria in filter(None, map(kind, drawn(month / FILE, DRAWN))):
            index = SearchFile(file)
            before = reads()
            find(index, criteria, "", 25)
            after = reads()
            found.setdefault(name, []).append((after[0] - before[0] - own[0], after[1] - before[1] - own[1]))
    return {name: sorted(counts) for name, counts in found.items()}


def measure(copy: Path) -> dict[str, Figure]:
    """Print, and return the mean of all kinds in pages of 64 KB; the ratio is to one read."""
    month = month_in(copy)
    with tempfile.TemporaryDirectory() as folder:
        IndexFiles(Path(folder)).add(month, "large", ())
        small, large = reads_of(month / SEARCH_FILE, month), reads_of(index_in(Path(folder), "large"), month)
    rows = [
        [name, *(f"{value:,}" for counts in (small[name], large[name]) for value in _row(counts))]
        for name in small
    ]
    print(table(["a cold search", "4 KB: p50", "most", "KB", "64 KB: p50", "most", "KB"], rows))
    mean = statistics.mean(_row(counts)[0] for counts in large.values())
    return {"a cold search": Figure(mean, "reads", Spread.exact(mean))}


def _row(counts: list[tuple[int, int]]) -> tuple[int, int, int]:
    """Return the median and the most reads, and the median of KB."""
    middle = counts[len(counts) // 2]
    return middle[0], counts[-1][0], middle[1] // 1024


if __name__ == "__main__":
    measure(Path(sys.argv[1]))

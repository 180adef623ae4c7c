"""How much of the machine a build takes, by its memory and processors or those of its container."""

import re
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import duckdb

Item = TypeVar("Item")

_UNITS = {"KiB": 1024, "MiB": 1024**2, "GiB": 1024**3, "TiB": 1024**4}
_ROW_BYTES = 1_000
"""Memory for each row that is joined at once: three times what was measured, for two joins overlap."""
_MOST_ROWS = 2_000_000
"""More at once are not quicker, and a killed build would lose more."""


@dataclass(frozen=True, slots=True)
class Share:
    """``memory``: bytes for DuckDB, beside some 300 MB of the builder's own. ``threads``: of DuckDB."""

    memory: int
    threads: int

    @property
    def rows(self) -> int:
        """Return the number of rows to join at once."""
        return min(self.memory // _ROW_BYTES, _MOST_ROWS)


def share_of_machine() -> Share:
    """Return half of the memory, or half of what is free of it if that is less, and every processor.

    DuckDB knows the limits of a container; ``/proc/meminfo`` (Linux) knows what other processes use.
    """
    with closing(duckdb.connect()) as connection:
        connection.execute("SET memory_limit = '50%'")
        settings = connection.execute("SELECT current_setting('memory_limit'), current_setting('threads')")
        half, threads = settings.fetchall()[0]
    number, unit = half.split()
    return Share(min(int(float(number) * _UNITS[unit]), _free_memory() // 2), threads)


def _free_memory() -> int:
    with suppress(OSError):
        found = re.search(r"MemAvailable: +([0-9]+) kB", Path("/proc/meminfo").read_text(encoding="ascii"))
        if found:
            return int(found[1]) * 1024
    return 1024**4


def ahead(items: Iterator[Item]) -> Generator[Item, None, None]:
    """Yield the items, each made in another thread while the one before is in use."""
    with ThreadPoolExecutor(1) as thread:
        following = thread.submit(next, items, None)
        while (item := following.result()) is not None:
            following = thread.submit(next, items, None)
            yield item

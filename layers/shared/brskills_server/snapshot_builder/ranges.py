"""Ranges of keys that are joined and written at once: few enough rows for the memory, parts of one file."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import duckdb

from brskills_server.snapshot_builder.layout import LAYOUTS
from brskills_server.snapshot_builder.reading import row_files
from brskills_server.snapshot_builder.row_statement import BROKEN, NAMELESS

BEHIND_ALL = "~"
_PREFIX = 4
"""Characters: 10,000 numbers as the least ranges, of some 20,000 rows each."""

_COUNT = f"""
SELECT key[1:{_PREFIX}], part, count(*) FROM read_parquet(?, hive_types_autocast = false)
 WHERE part NOT IN ('{BROKEN}', '{NAMELESS}') GROUP BY ALL"""  # noqa: S608, no part is from outside
_COUNT_BROKEN = f"SELECT key[1:{_PREFIX}], part_of(key), count(*) FROM broken GROUP BY ALL"  # noqa: S608, as above


class Rows(NamedTuple):
    """The rows of all kinds whose keys begin with ``prefix``: where they are, and how many."""

    prefix: str
    part: str
    number: int


class Range(NamedTuple):
    """``start`` <= key < ``end``. ``parts``: those with rows of it; ``number``: the rows of all kinds."""

    start: str
    end: str
    parts: tuple[str, ...]
    number: int


def count_prefixes(connection: duckdb.DuckDBPyConnection, staging: Path) -> list[Rows]:
    """Return the rows that were read, and the rejected ones of `joining.open_joining`, by their keys."""
    found = connection.execute(_COUNT_BROKEN).fetchall()
    for kind in LAYOUTS:
        if files := row_files(staging, kind):
            found += connection.execute(_COUNT, [files]).fetchall()
    return [
        Rows(prefix, part, sum(number for *_, number in same))
        for (prefix, part), same in groupby(sorted(found), key=lambda one: one[:2])
    ]


def ranges(counted: list[Rows], start: str, most: int) -> Iterator[Range]:
    """Yield the ranges from ``start`` to the end, of ``most`` rows; of more where one prefix has more.

    The first one has a quarter, and the next a half: writing one is to take as long as joining the next.
    """
    parts: dict[str, None] = {}
    number, limit = 0, most // 4
    for rows in counted:
        if rows.prefix < start:
            continue
        if number and number + rows.number > limit:
            yield Range(start, rows.prefix, tuple(parts), number)
            start, parts, number, limit = rows.prefix, {}, 0, min(2 * limit, most)
        parts[rows.part] = None
        number += rows.number
    if start < BEHIND_ALL:
        yield Range(start, BEHIND_ALL, tuple(parts), number)

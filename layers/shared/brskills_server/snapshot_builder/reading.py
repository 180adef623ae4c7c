"""Reading one published file into Parquet: its rows, canonical, by parts of the register."""

import shutil
from collections.abc import Callable, Iterable
from glob import escape
from pathlib import Path
from typing import NamedTuple

import duckdb

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.layout import LAYOUTS
from brskills_server.snapshot_builder.lines import Part, in_memory_file
from brskills_server.snapshot_builder.row_statement import BROKEN, NAMELESS, copy_statement
from brskills_server.snapshot_builder.source_files import PublishedFile


class FileCounts(NamedTuple):
    """Rows of a file. ``nameless``: the rejected ones without a valid key."""

    rows: int
    rejected: int
    nameless: int


def read_file(
    connection: duckdb.DuckDBPyConnection,
    file: PublishedFile,
    folder: Path,
    parts: Iterable[Part],
    report: Callable[[int], None] = lambda _: None,
) -> None:
    """Read all parts of a file into ``folder``, which is created when it is complete.

    Raise `SnapshotError`, also if a line was lost. ``report`` is called with the bytes read since before.
    """
    growing = folder.with_suffix(".part")
    shutil.rmtree(growing, ignore_errors=True)
    growing.mkdir(parents=True)
    before = given = 0
    for lines, rows, done in parts:
        given += rows
        if rows:  # to prepare the statement takes longer than to read a thousand
            _copy_rows(connection, file, lines, growing, done)
        report(done - before)
        before = done
    if (read := count_rows(connection, growing).rows) != given:
        raise SnapshotError(f"{file.path.name} has {given:,} lines, and {read:,} were read")
    growing.rename(folder)


def _copy_rows(
    connection: duckdb.DuckDBPyConnection, file: PublishedFile, lines: bytes, folder: Path, done: int
) -> None:
    with in_memory_file(lines) as path:
        try:
            connection.execute(copy_statement(file.kind, path, folder))
        except (duckdb.OutOfMemoryException, duckdb.IOException):
            raise  # of the machine, not of the file
        except duckdb.Error as error:
            name = type(error).__name__  # the message may quote a row
            raise SnapshotError(f"{file.path.name} cannot be read: {name} near byte {done}") from None


def row_files(staging: Path, kind: str, part: str = "*") -> list[str]:
    """Return patterns of the files with a kind's rows, of one part or of all."""
    return sorted(escape(str(file)) for file in staging.glob(f"{kind}*/part={part}/*.parquet"))


def count_rows(connection: duckdb.DuckDBPyConnection, folder: Path) -> FileCounts:
    """Return the counts of a file that was read."""
    if not any(folder.glob("*/*.parquet")):
        return FileCounts(0, 0, 0)
    counts = dict(
        connection.execute(
            "SELECT part, count(*) FROM read_parquet(?, hive_types_autocast = false) GROUP BY part",
            [f"{escape(str(folder))}/*/*.parquet"],
        ).fetchall()
    )
    broken, nameless = counts.get(BROKEN, 0), counts.get(NAMELESS, 0)
    return FileCounts(sum(counts.values()), broken + nameless, nameless)


def count_filled(connection: duckdb.DuckDBPyConnection, folder: Path, kind: str) -> dict[str, int]:
    """Return the rows of a file that was read, by the fields in which they have a value.

    ``key``: the number of keys, by an estimate that is some percent off.
    """
    if not any(folder.glob("*/*.parquet")):
        return {}
    counts = [f"sum(filled >> {bit} & 1)::BIGINT" for bit, _ in enumerate(LAYOUTS[kind].fields)]
    found = connection.execute(
        f"SELECT approx_count_distinct(key), {', '.join(counts)} FROM read_parquet(?)",  # noqa: S608, no part is from outside
        [f"{escape(str(folder))}/*/*.parquet"],
    ).fetchall()[0]
    return dict(zip(("key", *LAYOUTS[kind].fields), found, strict=True))

"""Reading one published file into Parquet: its rows, canonical, by parts of the register.

Each line is a row, split at ``";"``; a CSV parser could take rows behind a stray quote for one value. A line
with too few or too many columns is rejected: counted, and kept as its key alone. So is a line in which two
separators overlap: ``"A";";"B"`` is ``A`` and ``;"B``, or ``A";`` and ``B``.
"""

import shutil
from collections.abc import Callable, Iterable
from glob import escape
from pathlib import Path
from typing import NamedTuple

import duckdb

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.layout import LAYOUTS
from brskills_server.snapshot_builder.lines import Part, in_memory_file
from brskills_server.snapshot_builder.macros import sql_literals
from brskills_server.snapshot_builder.source_files import PublishedFile

BROKEN, NAMELESS = "broken", "nameless"
"""The parts of rejected rows with a valid key, and without one."""

_MAX_FIELD = 2_000  # characters, as for every provider; no field of the register is longer

_COPY = """
COPY (
  WITH lines AS (
    SELECT stripped(line) AS line FROM read_csv({path}, header = false, auto_detect = false,
      delim = '\x01', quote = '', escape = '', columns = {{'line': 'VARCHAR'}})),
  matched AS (
    SELECT line, strlen(line) <= {longest} AND regexp_full_match(line, '{usual}') AS usual
    FROM lines WHERE line <> ''),
  -- Without its outer quotes a line would be copied: two columns of usual lines contain them.
  split AS (SELECT line, usual, CASE WHEN usual THEN string_split(line, '";"')
    WHEN contains(line, '"') THEN string_split(line[2:-2], '";"') ELSE string_split(line, ';') END AS f
    FROM matched),
  keyed AS (
    SELECT line, usual, f, coalesce(CASE WHEN usual THEN {usual_key} ELSE upper({key}) END, '') AS key,
      TRY_CAST(key AS BIGINT) AS number FROM split),
  judged AS (
    SELECT key, usual, f, {is_key} AS has_key,
      -- CASE evaluates lambdas on few rows; AND and OR would on all.
      CASE WHEN NOT has_key THEN false WHEN usual THEN true WHEN length(f) <> {columns} THEN false
        WHEN contains(line, '"') AND NOT (starts_with(line, '"') AND ends_with(line, '"')) THEN false
        WHEN CASE WHEN strlen(line) > {longest}
          THEN list_max(list_transform(f, lambda x: length(x))) > {longest} ELSE false END THEN false
        WHEN CASE WHEN contains(line, '";";"')
          THEN list_bool_or(list_transform(f, lambda x: starts_with(x, ';"'))) ELSE false END THEN false
        ELSE true END AS ok
    FROM keyed),
  fields AS (SELECT if(has_key, key, '') AS key, {fields},
    CASE WHEN ok THEN part_of(judged.key) WHEN has_key THEN '{broken}' ELSE '{nameless}' END AS part
    FROM judged)
  SELECT key, {kept}, {filled} AS filled, part FROM fields
) TO {folder} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, DICTIONARY_SIZE_LIMIT 1000,
  PARTITION_BY (part), APPEND)"""


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
        with in_memory_file(lines) as path:
            try:
                connection.execute(_statement(file.kind, path, growing))
            except (duckdb.OutOfMemoryException, duckdb.IOException):
                raise  # of the machine, not of the file
            except duckdb.Error as error:
                name = type(error).__name__  # the message may quote a row
                raise SnapshotError(f"{file.path.name} cannot be read: {name} near byte {done}") from None
        report(done - before)
        before = done
    if (read := count_rows(connection, growing).rows) != given:
        raise SnapshotError(f"{file.path.name} has {given:,} lines, and {read:,} were read")
    growing.rename(folder)


def _statement(kind: str, path: str, folder: Path) -> str:
    layout = LAYOUTS[kind]
    of_key = [f"f[{number}]" for number, _ in enumerate(layout.key, 1)]
    of_fields = [f"f[{number}]" for number, _ in enumerate(layout.fields, 1 + len(of_key))]
    usual = [*of_fields[:-1], f"rtrim({of_fields[-1]}, '\"')"]
    fields = (
        f"CASE WHEN usual THEN {form.of_usual.format(value)}"
        f" WHEN ok THEN {form.rule.format(column)} ELSE '' END AS {name}"
        for (name, form), column, value in zip(layout.fields.items(), of_fields, usual, strict=True)
    )
    filled = (f"CASE WHEN {name} <> '' THEN {1 << bit} ELSE 0 END" for bit, name in enumerate(layout.fields))
    return _COPY.format(
        usual=layout.usual,
        usual_key=" || ".join([f"{of_key[0]}[2:]", *of_key[1:]]),
        key=" || ".join(of_key),
        is_key=layout.is_key,
        columns=layout.columns,
        longest=_MAX_FIELD,
        fields=", ".join(fields),
        kept=f"{layout.body} AS body" if layout.body else ", ".join(layout.fields),
        filled=" + ".join(filled),
        broken=BROKEN,
        nameless=NAMELESS,
        path=sql_literals([path]),
        folder=sql_literals([folder]),
    )


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

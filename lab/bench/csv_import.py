"""The floor of a build: unpacking a month's zips, and DuckDB's own import of them as CSV.

Columns are divided at ``";"``: with quotes as quotes, DuckDB takes a stray one for the beginning of a text,
and loses half of the rows. The first column and the last one keep a quote.
"""

import time
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import duckdb

from brskills_server.snapshot_builder.layout import LAYOUTS
from brskills_server.snapshot_builder.macros import sql_literals
from lab.bench.timing import processor_seconds

_IMPORT = """
INSERT INTO {kind} SELECT * FROM read_csv({file}, delim = '";"', quote = '', escape = '', strict_mode = false,
  header = false, columns = {{{columns}}}, ignore_errors = true, encoding = 'latin-1', auto_detect = false)"""


_WITHOUT_CONTROLS = bytes(c if c in {10, 13} or c >= 0xA0 or 0x20 <= c < 0x7F else 0x20 for c in range(256))
"""Some rows have control characters, with which DuckDB reads nothing of a file."""


class Import(NamedTuple):
    """Seconds of both steps, those of processor, and the rows that arrived."""

    unpacking: float
    importing: float
    processor: float
    rows: int


def import_month(source: Path, scratch: Path) -> Import:
    """Unpack and import the files of a month with rows into a database below ``scratch``."""
    unpacking = importing = 0.0
    before = processor_seconds()
    rows = 0
    with TemporaryDirectory(dir=scratch) as name, duckdb.connect(f"{name}/month.db") as connection:
        file = Path(name) / "rows.csv"
        for kind, layout in LAYOUTS.items():
            columns = [f"c{n:02}" for n in range(layout.columns)]
            connection.execute(f"CREATE TABLE {kind} ({', '.join(f'{one} VARCHAR' for one in columns)})")
            statement = _IMPORT.format(
                kind=kind,
                file=sql_literals([file]),
                columns=", ".join(f"'{one}': 'VARCHAR'" for one in columns),
            )
            for path in sorted(source.glob(f"{kind}*.zip")):
                began = time.perf_counter()
                with (
                    zipfile.ZipFile(path) as archive,
                    archive.open(archive.infolist()[0]) as content,
                    file.open("wb") as target,
                ):
                    for piece in iter(lambda: content.read(1024 * 1024), b""):
                        target.write(piece.translate(_WITHOUT_CONTROLS))
                unpacked = time.perf_counter()
                connection.execute(statement)
                unpacking += unpacked - began
                importing += time.perf_counter() - unpacked
            rows += len(connection.table(kind))
    return Import(unpacking, importing, processor_seconds() - before, rows)

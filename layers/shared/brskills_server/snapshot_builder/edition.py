"""The small tables of codes and texts in a month's files; a snapshot keeps what the project's lack."""

import csv
import io
from collections.abc import Iterator
from itertools import chain

from brskills_server.registry import tables
from brskills_server.registry.free_text import visible_text
from brskills_server.registry.snapshot.rows import Edition
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.layout import TABLES
from brskills_server.snapshot_builder.lines import parts
from brskills_server.snapshot_builder.source_files import PublishedFile, PublishedMonth

_MAX_BYTES = 4 * 1024 * 1024  # a table is held in memory; real ones have 0.2 MB at most


def read_edition(month: PublishedMonth) -> Edition:
    """Return the month's day and the texts that only its files have. Raise `SnapshotError`."""
    found = {TABLES[file.kind]: read_table(file) for file in month.files if file.kind in TABLES}
    new = {
        table: {code: text for code, text in texts.items() if not tables.description(table, code)}
        for table, texts in found.items()
    }
    return Edition(month.day, {table: texts for table, texts in new.items() if texts})


def read_table(file: PublishedFile) -> dict[str, str]:
    """Return the texts of a table by code. Raise `SnapshotError` for another table or a large one."""
    if file.content_size > _MAX_BYTES:
        raise SnapshotError(f"{file.path.name} has {file.content_size:,} bytes, too many for a small table")
    width = tables.width(TABLES[file.kind])
    found: dict[str, str] = {}
    try:
        for code, text in chain.from_iterable(_rows(lines) for lines, _, _ in parts(file)):
            found[_code(code, width)] = visible_text(text)
    except (csv.Error, ValueError):
        raise SnapshotError(f"{file.path.name} is not its table of codes and texts") from None
    if not found:
        raise SnapshotError(f"{file.path.name} is empty")
    return found


def _rows(lines: bytes) -> Iterator[list[str]]:
    return filter(None, csv.reader(io.StringIO(lines.decode()), delimiter=";"))


def _code(text: str, width: int) -> str:
    """Return the code with its leading zeros, which some files lack. Raise `ValueError`."""
    code = text.strip().zfill(width)
    if len(code) != width or not code.isdecimal():
        raise ValueError
    return code

"""The month's own tables of codes and texts, as far as they have what the project's tables have not."""

from __future__ import annotations

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

__all__ = ["read_edition", "read_table"]

_LARGEST = 4 * 1024 * 1024  # of a table, which is in memory as a whole: the real ones have 0.2 MB at most


def read_edition(month: PublishedMonth) -> Edition:
    """The month's day, and the texts that its files alone have; raises ``SnapshotError``."""
    found = {TABLES[file.kind]: read_table(file) for file in month.files if file.kind in TABLES}
    return Edition(
        month.day,
        {
            table: more
            for table, texts in found.items()
            if (more := {code: text for code, text in texts.items() if not tables.description(table, code)})
        },
    )


def read_table(file: PublishedFile) -> dict[str, str]:
    """The codes and texts of one of the small tables; raises ``SnapshotError`` where it is not that one."""
    if file.content_size > _LARGEST:
        raise SnapshotError(f"{file.path.name} has {file.content_size:,} bytes, and is a small table")
    width = tables.width(TABLES[file.kind])
    found: dict[str, str] = {}
    try:
        for row in chain.from_iterable(_rows(lines) for lines, _ in parts(file)):
            code, text = row
            found[_code(code, width)] = visible_text(text)
    except (csv.Error, ValueError):
        raise SnapshotError(f"{file.path.name} is not its table of codes and texts") from None
    if not found:
        raise SnapshotError(f"{file.path.name} is empty")
    return found


def _rows(lines: bytes) -> Iterator[list[str]]:
    return filter(None, csv.reader(io.StringIO(lines.decode()), delimiter=";"))


def _code(text: str, width: int) -> str:
    """The code, which has lost its first zeros at times; raises ``ValueError``."""
    code = text.strip().zfill(width)
    if len(code) != width or not code.isdecimal():
        raise ValueError
    return code

"""Reading of a table: a spreadsheet (.xlsx), or a CSV whose encoding, separator and header are detected."""

import csv
import hashlib
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from brskills.lote.bad_table import MAX_BYTES, MAX_CELLS, BadTable
from brskills.lote.number import has_number, read_number

_SAMPLE_ROWS = 200
_SEPARATORS = ";,\t"
_SEPARATOR = re.compile("sep=([;,\t])\r?\n")  # a first line that spreadsheets interpret and hide
_XLSX, _XLS = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Table:
    """A table. ``rows``: as wide as the header. ``separator``: of its CSV. ``digest``: of the file.

    A file without a header gets the names ``coluna_1``, ``coluna_2``, …
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    separator: str
    digest: str


def read_table(path: Path) -> Table:
    """Read a table. Raise `BadTable` or `OSError`."""
    if path.stat().st_size > MAX_BYTES:
        raise BadTable("too_large")
    content = path.read_bytes()
    separator, cells = _read_cells(content)
    rows = [row for row in cells if any(cell.strip() for cell in row)]
    if not rows:
        raise BadTable("empty")
    width = max(map(len, rows))
    if width * len(rows) > MAX_CELLS:
        raise BadTable("too_large")
    names = [f"coluna_{index}" for index in range(1, width + 1)]
    if _is_header(rows[0]):
        names = [name.strip() or names[index] for index, name in enumerate(_pad(rows.pop(0), width))]
    padded = tuple(_pad(row, width) for row in rows)
    return Table(tuple(names), padded, separator, hashlib.sha256(content).hexdigest())


def _read_cells(content: bytes) -> tuple[str, list[list[str]]]:
    """Return the separator and the rows."""
    if content.startswith(_XLSX):
        from brskills.lote.spreadsheet import read_cells  # loads openpyxl, which only spreadsheets need

        return ";", read_cells(content)
    if content.startswith(_XLS):
        raise BadTable("spreadsheet")
    text = _decode(content)
    if declared := _SEPARATOR.match(text):
        return declared[1], _parse_whole(text[declared.end() :], declared[1])
    separator = max(_SEPARATORS, key=lambda mark: _score(text, mark))
    return separator, _parse_whole(text, separator)


def _decode(content: bytes) -> str:
    if content.startswith(_UTF_16):  # "Unicode text" of spreadsheets
        return content.decode("utf-16", "replace")
    for encoding in ("utf-8-sig", "cp1252"):  # cp1252: "Latin-1" of spreadsheets, with dashes
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1")


def _parse(text: str, separator: str) -> list[list[str]]:
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    except csv.Error:
        raise BadTable("not_csv") from None


def _parse_whole(text: str, separator: str) -> list[list[str]]:
    """Return the rows. Raise `BadTable` for a quote that is never closed: it takes all following rows."""
    rows = _parse(text, separator)
    if rows and any("\n" in cell for cell in rows[-1]) and _is_open(text, separator):
        raise BadTable("unclosed_quote", row=len(rows))
    return rows


def _is_open(text: str, separator: str) -> bool:
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True):
            pass
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False


def _score(text: str, separator: str) -> tuple[int, int, int]:
    """Return a score of a separator: rows with a number, rows of the most frequent width, that width."""
    try:
        rows = _parse(text, separator)[:_SAMPLE_ROWS]
    except BadTable:
        return (-1, 0, 0)
    numbered = sum(any(map(has_number, row)) for row in rows)
    widths = Counter(len(row) for row in rows if row)
    width, times = max(widths.items(), key=lambda found: found[1], default=(1, 0))
    return (numbered, times, width) if width > 1 else (numbered, 0, 1)


def _is_header(row: Sequence[str]) -> bool:
    """Return whether no cell of a first row has a number, also one with lost digits."""
    readings = [read_number(cell) for cell in row]
    return all(found.number is None and found.remark in {"empty", "not_a_cnpj"} for found in readings)


def _pad(row: Sequence[str], width: int) -> tuple[str, ...]:
    return (*row, *[""] * (width - len(row)))

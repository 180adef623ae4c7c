"""Reading of a CSV file whose encoding, separator, header and column of numbers are detected."""

import csv
import hashlib
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from brskills.lote.number import Reading, read_number

_SAMPLE_ROWS = 200
_SEPARATORS = ";,\t"
_SEPARATOR = re.compile("sep=([;,\t])\r?\n")  # a first line that spreadsheets interpret and hide
_SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # xlsx and ods; xls
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class BadTable(Exception):
    """``code``: ``empty``, ``no_column``, ``no_such_column``, ``not_csv`` or ``spreadsheet``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Table:
    """A table. ``rows``: as wide as the header. ``column``: index of the numbers. ``digest``: of the file.

    A file without a header gets the names ``coluna_1``, ``coluna_2``, …
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    column: int
    separator: str
    digest: str

    def numbers(self) -> list[Reading]:
        """Return the numbers of all rows."""
        return [read_number(row[self.column]) for row in self.rows]


def read_table(path: Path, column: str | None = None) -> Table:
    """Read a table. ``column``: that of the numbers, by its name or position from 1.

    Raise `BadTable` or `OSError`.
    """
    content = path.read_bytes()
    if content.startswith(_SPREADSHEETS):
        raise BadTable("spreadsheet")
    text = _decode(content)
    if declared := _SEPARATOR.match(text):
        separator, text = declared[1], text[declared.end() :]
    else:
        separator = max(_SEPARATORS, key=lambda mark: _score(text, mark))
    rows = [row for row in _parse(text, separator) if any(cell.strip() for cell in row)]
    if not rows:
        raise BadTable("empty")
    width = max(map(len, rows))
    names = [f"coluna_{index}" for index in range(1, width + 1)]
    if _is_header(rows[0]):
        names = [name.strip() or names[index] for index, name in enumerate(_pad(rows.pop(0), width))]
    padded = tuple(_pad(row, width) for row in rows)
    index = _find_column(names, column) if column else _detect_column(names, padded[:_SAMPLE_ROWS])
    return Table(tuple(names), padded, index, separator, hashlib.sha256(content).hexdigest())


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


def _score(text: str, separator: str) -> tuple[int, int, int]:
    """Return a score of a separator: rows with a number, rows of the most frequent width, that width."""
    try:
        rows = _parse(text, separator)[:_SAMPLE_ROWS]
    except BadTable:
        return (-1, 0, 0)
    numbered = sum(any(map(_has_number, row)) for row in rows)
    widths = Counter(len(row) for row in rows if row)
    width, times = max(widths.items(), key=lambda found: found[1], default=(1, 0))
    return (numbered, times, width) if width > 1 else (numbered, 0, 1)


def _has_number(cell: str) -> bool:
    """Return whether a cell has a number, also one with lost digits."""
    reading = read_number(cell)
    return reading.number is not None or reading.remark == "digits_lost"


def _is_header(row: Sequence[str]) -> bool:
    """Return whether no cell of a first row has a number, also one with lost digits."""
    readings = [read_number(cell) for cell in row]
    return all(found.number is None and found.remark in {"empty", "not_a_cnpj"} for found in readings)


def _pad(row: Sequence[str], width: int) -> tuple[str, ...]:
    return (*row, *[""] * (width - len(row)))


def _find_column(names: Sequence[str], column: str) -> int:
    folded = [name.casefold() for name in names]
    if column.casefold() in folded:
        return folded.index(column.casefold())
    if column.isdecimal() and 1 <= int(column) <= len(names):
        return int(column) - 1
    raise BadTable("no_such_column")


def _detect_column(names: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Return the column with most numbers; of several, one named CNPJ, else the first."""

    def score(index: int) -> tuple[int, bool]:
        return sum(_has_number(row[index]) for row in rows), "cnpj" in names[index].casefold()

    best = max(range(len(names)), key=score)
    if score(best) == (0, False):
        raise BadTable("no_column")
    return best

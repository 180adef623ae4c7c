"""Reading of a spreadsheet (.xlsx): the first sheet, with the values as it shows them.

A hostile file is refused before it is unpacked: a zip says how large its parts are, and none is read further.
"""

import io
import re
import warnings
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from zipfile import BadZipFile, ZipFile

from brskills.lote.bad_table import MAX_CELLS, BadTable

_MAX_UNPACKED, _MAX_PARTS = 256 * 1024 * 1024, 2_000
_MAX_ROWS = 1_048_576  # of a sheet
_LITERALS = re.compile(r'\\.|"[^"]*"|[-/() ]')  # characters of a number format that it shows as they are


def read_cells(content: bytes) -> list[list[str]]:
    """Return the texts of all rows. Raise `BadTable`, also if openpyxl is not installed."""
    try:
        import defusedxml  # noqa: F401, openpyxl refuses XML bombs with it
        import openpyxl
    except ImportError:
        raise BadTable("xlsx_missing") from None
    _check_size(content)
    try:
        with warnings.catch_warnings(action="ignore"):  # of styles and extensions that no value needs
            values, formulas = (
                openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=data_only).worksheets[0]
                for data_only in (True, False)
            )
            _check_merges(content, values)
            return list(_rows(values, formulas))
    except BadTable:
        raise
    except Exception:  # a damaged file makes openpyxl raise almost anything
        raise BadTable("not_xlsx") from None


def _check_size(content: bytes) -> None:
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
    except (BadZipFile, ValueError):
        raise BadTable("not_xlsx") from None
    if "xl/workbook.xml" not in {part.filename for part in parts}:
        raise BadTable("spreadsheet")
    if len(parts) > _MAX_PARTS or sum(part.file_size for part in parts) > _MAX_UNPACKED:
        raise BadTable("too_large")


def _check_merges(content: bytes, sheet: Any) -> None:
    """Raise `BadTable` for merged cells: all but the first of them would be read as empty."""
    from defusedxml.ElementTree import iterparse

    with ZipFile(io.BytesIO(content)) as archive, archive.open(sheet._worksheet_path.lstrip("/")) as part:
        for _, element in iterparse(part):
            if element.tag.rpartition("}")[2] == "mergeCell" and "1" not in _rows_of(element.get("ref", "")):
                raise BadTable("merged", cells=element.get("ref"))
            element.clear()


def _rows_of(reference: str) -> set[str]:
    """Return the first and the last row of a range: a title over the header may be merged."""
    return set(re.findall(r"\d+", reference))


def _rows(values: Any, formulas: Any) -> Iterator[list[str]]:
    """Yield the texts of the rows that have any; of a formula without a stored value, the formula."""
    for sheet in (values, formulas):
        sheet.reset_dimensions()  # a sheet may claim any size
    count = 0
    for index, (row, written) in enumerate(zip(values.iter_rows(), formulas.iter_rows(), strict=True)):
        count += len(row)
        if count > MAX_CELLS or index >= _MAX_ROWS:
            raise BadTable("too_large")
        texts = [_text(cell) or _text(source) for cell, source in zip(row, written, strict=True)]
        if any(texts):
            yield texts


def _text(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "sim" if value else "não"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ").removesuffix(" 00:00:00")
    if isinstance(value, float):
        if not value.is_integer():
            return format(value, ".15g")  # the digits that spreadsheets keep
        value = int(value)
    return _with_zeros(value, cell.number_format) if isinstance(value, int) else str(value)


def _with_zeros(value: int, number_format: str) -> str:
    """Return a number with the leading zeros that its format shows, as ``00000000000``, without a mask."""
    shown = _LITERALS.sub("", number_format)
    return str(value).zfill(len(shown) if set(shown) == {"0"} else 0)

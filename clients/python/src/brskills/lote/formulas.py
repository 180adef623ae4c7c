"""Cells that no spreadsheet runs as a formula, at whatever separator it splits the file.

A spreadsheet splits a file at the separator of its language: ``;`` in Brazil, ``,`` in the United States,
some at tab as well. At another separator than the file's own a cell ends where its text has that mark, and
what follows begins another cell. So it is not enough to look at the beginning of a cell: here every sign that
begins a formula gets an apostrophe, unless no spreadsheet splits at the character before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["SIGNS", "safe_cell", "safe_row"]

SIGNS = "=+-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋﬩−⩵⩶"
"""What begins a formula, and what becomes such a sign when a text is normalized."""

_SIGN = f"[{re.escape(SIGNS)}]"
_LETTER = rf"[\w.)/'{re.escape(SIGNS)}]"  # no spreadsheet splits at these
_LONE = rf"(?<!{_LETTER} (?={_SIGN} ))"  # "COMERCIO - ME": at a space it would be a cell of one sign
_BEGINS_FORMULA = re.compile(rf"(?<!{_LETTER}){_LONE}(?={_SIGN})")
_ENDS_IN_LETTER = re.compile(rf"{_LETTER}\Z")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)*")
_LINE_END = re.compile(r"\r\n?|[\x85\u2028\u2029]")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def safe_cell(text: str) -> str:
    r"""Return the text with an apostrophe before each sign that could begin a formula.

    Line ends become ``\n``, other control characters a space. A plain number stays as it is.

    >>> safe_cell("=1+1"), safe_cell("RUA A,=1+1"), safe_cell("-5,00"), safe_cell("A-B - ME")
    ("'=1+1", "RUA A,'=1+1", '-5,00', 'A-B - ME')
    """
    if _NUMBER.fullmatch(text):
        return text
    return _BEGINS_FORMULA.sub("'", _CONTROL.sub(" ", _LINE_END.sub("\n", text)))


def safe_row(cells: Iterable[str]) -> list[str]:
    """Return the cells of a row, safe; a number keeps its sign only behind text that ends in a letter.

    A spreadsheet that does not split at the row's separator reads what follows into the same cell: ``-5``
    would begin a formula at the start of a row, or behind a mark that it does split at.
    """
    row, before = list[str](), ""
    for cell in map(safe_cell, cells):
        row.append(f"'{cell}" if cell.startswith(("+", "-")) and not _ENDS_IN_LETTER.search(before) else cell)
        before = cell.strip() or before
    return row

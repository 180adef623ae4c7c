"""Escaping of cells against formula injection, for any separator of a spreadsheet.

Spreadsheets split a file at the separator of their language (``;``, ``,`` or tab), also inside a cell's text.
So every sign that begins a formula gets an apostrophe, unless no spreadsheet splits at the character before.
"""

import re
from collections.abc import Iterable

SIGNS = "=+-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋﬩−⩵⩶"
"""The signs that begin a formula, and those that Unicode normalization turns into one."""

_SIGN = f"[{re.escape(SIGNS)}]"
_LETTER = rf"[\w.)/'{re.escape(SIGNS)}]"  # no spreadsheet splits after these
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
    """Return the escaped cells of a row; a number keeps its sign only after text that ends in a letter.

    A spreadsheet with another separator joins cells: ``-5`` would begin a formula at the start of a row, or
    after a character that it splits at.
    """
    row, before = list[str](), ""
    for cell in map(safe_cell, cells):
        row.append(f"'{cell}" if cell.startswith(("+", "-")) and not _ENDS_IN_LETTER.search(before) else cell)
        before = cell.strip() or before
    return row

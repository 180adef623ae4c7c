"""The CNPJ in a cell, as spreadsheets change it.

Numbers lose leading zeros, get ``.0`` appended, or become ``3,3E+13``. The first two can be repaired if the
check digits then match; the third has lost digits. Some programs write ``="00360305000104"``.
"""

import re
from dataclasses import dataclass

from taxid import cnpj

_FORMULA = re.compile('="(.*)"')
_SCIENTIFIC = re.compile(r"[0-9]([.,][0-9]+)?[Ee]\+?[0-9]{1,2}")
_DECIMALS = re.compile(r"([0-9]+)[.,]0+")
_MIN_DIGITS = 12  # an 11-digit number is more likely a CPF than a CNPJ that lost three zeros


@dataclass(frozen=True, slots=True)
class Reading:
    """``number``: 14 characters, or ``None``. ``remark``: a code for a repair or an error.

    ``zeros_restored``, ``decimals_removed``; ``empty``, ``digits_lost``, ``check_digits``, ``not_a_cnpj``.
    """

    number: str | None
    remark: str = ""


def read_number(cell: str) -> Reading:
    """Return the number in a cell.

    >>> read_number("33.000.167/0001-01").number, read_number("360305000104")
    ('33000167000101', Reading(number='00360305000104', remark='zeros_restored'))
    >>> read_number("3,30002E+13")
    Reading(number=None, remark='digits_lost')
    """
    text = plain_text(cell)
    if not text:
        return Reading(None, "empty")
    if is_scientific(text):
        return Reading(None, "digits_lost")
    whole = _DECIMALS.fullmatch(text)
    digits, remark = (whole[1], "decimals_removed") if whole else (text, "")
    if digits.isascii() and digits.isdigit() and _MIN_DIGITS <= len(digits) < 14:
        padded = digits.zfill(14)
        return Reading(padded, "zeros_restored") if cnpj.is_valid(padded) else Reading(None, "check_digits")
    number = cnpj.compact(digits)
    if number is None:
        return Reading(None, "not_a_cnpj")
    return Reading(number, remark) if cnpj.is_valid(number) else Reading(None, "check_digits")


def has_number(cell: str) -> bool:
    """Return whether a cell has a number, also one with lost digits."""
    reading = read_number(cell)
    return reading.number is not None or reading.remark == "digits_lost"


def plain_text(cell: str) -> str:
    """Return the text of a cell without what keeps a spreadsheet from reading it as a number.

    >>> plain_text(" '0012 "), plain_text('="0012"')
    ('0012', '0012')
    """
    text = cell.strip().removeprefix("'").strip()
    formula = _FORMULA.fullmatch(text)
    return formula[1].strip() if formula else text


def is_scientific(text: str) -> bool:
    """Return whether a number is in scientific notation, by which it lost digits."""
    return bool(_SCIENTIFIC.fullmatch(text))

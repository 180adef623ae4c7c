"""The CNPJ in a cell, as spreadsheets change it.

Numbers lose leading zeros, get ``.0`` appended, or become ``3,3E+13``. The first two can be repaired if the
check digits then match; the third has lost digits. Some programs write ``="00360305000104"``.
"""

import re
from dataclasses import dataclass

from taxid import cnpj, cpf

_FORMULA = re.compile('="(.*)"')
_SCIENTIFIC = re.compile(r"[0-9]([.,][0-9]+)?[Ee]\+?[0-9]{1,2}")
_DECIMALS = re.compile(r"([0-9]+)[.,]0+")
_MIN_DIGITS = 12  # of a number that shows where the numbers are: shorter ones may be anything
_CPF_DIGITS = 11


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
    number = cnpj.compact(digits)
    if number is None:
        return _restored(digits)
    return Reading(number, remark) if cnpj.is_valid(number) else Reading(None, "check_digits")


def _restored(text: str) -> Reading:
    """Return the number that lost its zeros; eleven digits of a CPF are none."""
    if not (text.isascii() and text.isdigit()) or (len(text) == _CPF_DIGITS and cpf.is_valid(text)):
        return Reading(None, "not_a_cnpj")
    if whole := cnpj.restore_zeros(text):
        return Reading(whole, "zeros_restored")
    return Reading(None, "check_digits" if _MIN_DIGITS <= len(text) < 14 else "not_a_cnpj")


def has_number(cell: str) -> bool:
    """Return whether a cell has a number, also with lost digits; one of few digits shows nothing."""
    reading = read_number(cell)
    if reading.remark == "zeros_restored":
        return len(plain_text(cell)) >= _MIN_DIGITS
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

"""CNPJ, the tax number of a company: twelve letters or digits and two check digits.

Since July 2026 the first twelve may be letters (IN RFB 2.229/2024). Each character counts as its
ASCII code less 48; weights 5,4,3,2,9,8,7,6,5,4,3,2 and, for the second digit, the same behind a 6;
mod 11, a remainder below 2 gives 0.

>>> compact("12.abc.345/01de-35")
'12ABC34501DE35'
>>> format("12ABC34501DE35")
'12.ABC.345/01DE-35'
"""

import re

__all__ = ["compact", "format", "is_valid", "restore_zeros"]

_masked = re.compile(  # ``\w``: of ASCII; ``_has_form`` checks what it is
    r"(\w{2}) ?[./-]? ?(\w{3}) ?[./-]? ?(\w{3}) ?[./-]? ?(\w{4}) ?[.-]? ?(\w{2})", re.ASCII
).fullmatch
_without_marks = re.compile("[ ./-]").sub
_PLAIN = str.maketrans(  # other dashes, and what is invisible
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff")
)
_LEAST_DIGITS = 3  # of the first number given, 00.000.000/0001-91, without its zeros


def compact(number: str) -> str | None:
    """Return the fourteen upper-case characters of a CNPJ, masked, half-masked or not; else ``None``.

    Between the mask's groups any of its marks, of dashes and of blanks is read.

    >>> compact("16.727.230.0001-97"), compact("00 000 000 0001 91")
    ('16727230000197', '00000000000191')
    """
    text = _plain(number)
    if not text.isascii():  # "ı".upper() is "I": letters of other alphabets must stay invalid
        return None
    text = text.upper()
    if len(text) != 14 and (masked := _masked(text)):
        text = "".join(masked.groups())
    return text if _has_form(text) else None


def restore_zeros(number: str) -> str | None:
    """Return the valid CNPJ that digits are without its leading zeros, masked or not; else ``None``.

    Spreadsheets remove the zeros. One other number in a hundred has such check digits too: it is a hint,
    unless the number is known to be a CNPJ.

    >>> restore_zeros("2674113000106"), restore_zeros("191"), restore_zeros("192")
    ('02674113000106', '00000000000191', None)
    """
    digits = _without_marks("", _plain(number))
    if not (_LEAST_DIGITS <= len(digits) < 14 and digits.isascii() and digits.isdigit()):
        return None
    padded = digits.zfill(14)
    return padded if is_valid(padded) else None


def is_valid(number: str) -> bool:
    """Return whether the check digits of a compact CNPJ match; those of fourteen equal digits never do.

    >>> is_valid("00000000E08G12"), is_valid("93ZB0VRYV6KA66"), is_valid("00000000000000")
    (True, False, False)
    """
    if not _has_form(number) or number == number[0] * 14:
        return False
    a, b, c, d, e, f, g, h, i, j, k, m, first, second = number.encode()
    # ``encode`` gives ASCII codes, 48 more than a character counts: weights that add up to 58 (62 with those
    # of the second digit) make the sum 58 (62) times 48 too large.
    total = 5 * (a + i) + 4 * (b + j) + 3 * (c + k) + 2 * (d + m) + 9 * e + 8 * f + 7 * g + 6 * h - 58 * 48
    if total * 10 % 11 % 10 != first - 48:
        return False
    total = 6 * (a + i) + 5 * (b + j) + 4 * (c + k) + 3 * (d + m) + 2 * e + 9 * f + 8 * g + 7 * h - 62 * 48
    total += 2 * (first - 48)
    return total * 10 % 11 % 10 == second - 48


def format(number: str) -> str:
    """Return a compact CNPJ with its mask."""
    return f"{number[:2]}.{number[2:5]}.{number[5:8]}/{number[8:12]}-{number[12:]}"


def _plain(text: str) -> str:
    return " ".join(text.translate(_PLAIN).split())


def _has_form(text: str) -> bool:
    return (
        len(text) == 14 and text.isascii() and text.isalnum() and text[12:].isdigit() and text == text.upper()
    )

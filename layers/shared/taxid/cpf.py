"""CPF, the tax number of a person: nine digits and two check digits.

Check digits: weights 10…2 (then 11…2) from the left, mod 11, a remainder below 2 gives 0
(IN RFB 1.548/2015 and Receita Federal's published routine).

>>> compact(" 529.982.247-25 ")
'52998224725'
>>> format("52998224725")
'529.982.247-25'
"""

import re

__all__ = ["compact", "format", "is_valid"]

_masked = re.compile(r"([0-9]{3})\.?([0-9]{3})\.?([0-9]{3})-?([0-9]{2})").fullmatch


def compact(number: str) -> str | None:
    """Return the eleven digits of a CPF, masked, half-masked or not; else ``None``."""
    masked = _masked(number.strip())
    return "".join(masked.groups()) if masked else None


def is_valid(number: str) -> bool:
    """Return whether the check digits of eleven ASCII digits match; those of equal digits never do.

    >>> is_valid("52998224724"), is_valid("11111111111"), is_valid("529.982.247-25")
    (False, False, False)
    """
    if not _has_form(number) or number == number[0] * 11:
        return False
    a, b, c, d, e, f, g, h, i, first, second = number.encode()
    # ``encode`` gives ASCII codes, 48 more than a digit: weights that add up to 54 make the sum 54 * 48 too
    # large, and those of the second digit, which add up to 65, 65 * 48.
    total = 10 * a + 9 * b + 8 * c + 7 * d + 6 * e + 5 * f + 4 * g + 3 * h + 2 * i - 54 * 48
    if total * 10 % 11 % 10 != first - 48:
        return False
    total += a + b + c + d + e + f + g + h + i - 9 * 48 + 2 * (first - 48)
    return total * 10 % 11 % 10 == second - 48


def format(number: str) -> str:
    """Return a compact CPF with its mask."""
    return f"{number[:3]}.{number[3:6]}.{number[6:9]}-{number[9:]}"


def _has_form(text: str) -> bool:
    return len(text) == 11 and text.isascii() and text.isdigit()  # isdigit alone takes any alphabet's digits

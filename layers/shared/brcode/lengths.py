"""Wrong lengths: which objects of a text that cannot be read have another length than they declare, and why.

A text is read again with one digit or three for a length, with lengths that count UTF-16, and without the
spaces of names. What reaches the checksum at the very end explains the text (EMVCo QRCPS-MPM 1.1 §3.2); a
length without a known cause stays unexplained, for several would fit.
"""

from collections.abc import Iterator
from typing import NamedTuple

from brcode.tlv import ACCOUNT_TEMPLATES, CRC, LENGTHS, UNRESERVED_TEMPLATES, is_digits

_LONGEST = 700  # a text of more characters is no code with a wrong length
_MOST_WRONG = 3
_MOST_MISSING = 12  # characters that an object lacks
_TEXTS = {"59", "60"}
_TEMPLATES = {"62", *ACCOUNT_TEMPLATES, *UNRESERVED_TEMPLATES}
_VARIABLE = {"52", "54", *_TEXTS, "61", *_TEMPLATES}
_USED = {"00", "01", "53", "58", CRC, *_VARIABLE}


class WrongLength(NamedTuple):
    """An object at ``position`` whose ``value`` has not the length that is ``declared``.

    ``case``: ``one_digit``, ``too_long`` (three digits), ``utf16`` or ``spaces``.
    """

    tag: str
    position: int
    declared: str
    value: str
    case: str


_Reading = tuple[dict[str, str], list[WrongLength]]


def find_wrong_lengths(text: str) -> _Reading | None:
    """Return the objects of a text by id and the fewest wrong lengths that explain it; else ``None``."""
    if len(text) > _LONGEST or text[-8:-4] != f"{CRC}04":
        return None
    for most in range(1, _MOST_WRONG + 1):
        if found := next(_readings(text, 0, {}, most, set()), None):
            return found
    return None


def _readings(
    text: str, at: int, objects: dict[str, str], most: int, failed: set[tuple[int, int]]
) -> Iterator[_Reading]:
    """Yield the readings from ``at`` on with ``most`` wrong lengths at most."""
    if at == len(text):
        yield objects, []
        return
    tag, declared = text[at : at + 2], text[at + 2 : at + 4]
    if tag not in _USED or tag in objects or (at, most) in failed:
        return
    length = LENGTHS.get(declared)
    if length is not None and at + 4 + length <= len(text):
        value = text[at + 4 : at + 4 + length]
        yield from _readings(text, at + 4 + length, {**objects, tag: value}, most, failed)
    for wrong in _wrong_lengths(text, at) if most and tag in _VARIABLE else ():
        if tag not in _TEMPLATES or wrong.value[0] == "0":  # a template begins with an id such as 00
            end = wrong.position + 2 + len(wrong.declared) + len(wrong.value)
            for whole, more in _readings(text, end, {**objects, tag: wrong.value}, most - 1, failed):
                yield whole, [wrong, *more]
    failed.add((at, most))


def _wrong_lengths(text: str, at: int) -> Iterator[WrongLength]:
    """Yield the ways in which the length of the object at ``at`` may be wrong."""
    tag = text[at : at + 2]
    for digits, case in ((1, "one_digit"), (3, "too_long")):
        declared = text[at + 2 : at + 2 + digits]
        length = int(declared) if is_digits(declared, digits) else 0
        value = text[at + 2 + digits :][:length]
        if value and len(value) == length and (digits == 1 or length > 99):
            yield WrongLength(tag, at, declared, value, case)
    declared = text[at + 2 : at + 4]
    length = LENGTHS.get(declared, 0)
    for shorter in range(length - 1, max(0, length - _MOST_MISSING), -1):
        value = text[at + 4 : at + 4 + shorter]
        if len(value.encode("utf-16-le", "replace")) // 2 == length:
            yield WrongLength(tag, at, declared, value, "utf16")
        elif tag in _TEXTS and " " not in text:
            yield WrongLength(tag, at, declared, value, "spaces")

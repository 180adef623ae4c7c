"""Wrong lengths: which objects of a text that cannot be read have another length than they declare.

A text is read again with one digit, three digits or fewer characters for a length, and what reaches the
checksum at its very end names the objects that keep it from being read (EMVCo QRCPS-MPM 1.1 §3.2).
"""

from collections.abc import Iterator
from typing import NamedTuple

from brcode.tlv import ACCOUNT_TEMPLATES, CRC, LENGTHS, UNRESERVED_TEMPLATES, is_digits

_LONGEST = 700  # a text of more characters is no code with a wrong length
_MOST_WRONG = 3
_MOST_MISSING, _MOST_EXCESS = 12, 4  # characters that an object lacks or has more than it declares
_TEXTS = {"59", "60"}
_TEMPLATES = {"62", *ACCOUNT_TEMPLATES, *UNRESERVED_TEMPLATES}
_VARIABLE = {"52", "54", *_TEXTS, "61", *_TEMPLATES}
_USED = {"00", "01", "53", "58", CRC, *_VARIABLE}


class WrongLength(NamedTuple):
    """An object at ``position`` whose ``value`` has not the length that is ``declared``.

    ``case``: ``one_digit``, ``too_long`` (three digits), ``utf16``, ``spaces`` or ``other``.
    """

    tag: str
    position: int
    declared: str
    value: str
    case: str


def find_wrong_lengths(text: str) -> tuple[dict[str, str], list[WrongLength]] | None:
    """Return the objects of a text by id and the fewest wrong lengths that explain it; else ``None``."""
    if len(text) > _LONGEST or text[-8:-4] != f"{CRC}04":
        return None
    for most in range(1, _MOST_WRONG + 1):
        if found := next(_readings(text, 0, {}, most, set(), several=most > 1), None):
            return found
    return None


def _readings(
    text: str, at: int, objects: dict[str, str], most: int, failed: set[tuple[int, int]], *, several: bool
) -> Iterator[tuple[dict[str, str], list[WrongLength]]]:
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
        yield from _readings(text, at + 4 + length, {**objects, tag: value}, most, failed, several=several)
    for wrong in _wrong_lengths(text, at) if most and tag in _VARIABLE else ():
        # a template begins with an id such as 00, and one length without a known cause is enough of a guess
        if (tag in _TEMPLATES and wrong.value[0] != "0") or (several and wrong.case == "other"):
            continue
        end = wrong.position + 2 + len(wrong.declared) + len(wrong.value)
        for whole, more in _readings(
            text, end, {**objects, tag: wrong.value}, most - 1, failed, several=several
        ):
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
    others = (*range(length - 1, length - _MOST_MISSING, -1), *range(length + 1, length + _MOST_EXCESS))
    for other in others if declared in LENGTHS else ():
        value = text[at + 4 : at + 4 + max(other, 0)]
        if value:
            yield WrongLength(tag, at, declared, value, _case(tag, length, value, text))


def _case(tag: str, declared: int, value: str, text: str) -> str:
    if len(value.encode("utf-16-le", "replace")) // 2 == declared:
        return "utf16"
    return "spaces" if tag in _TEXTS and len(value) < declared and " " not in text else "other"

"""The syntax of every EMV code: data objects of a two-digit id, a two-digit length and a value.

EMVCo QRCPS-MPM 1.1 §3.2, §4.1-4.6: lengths are 01 to 99 and count characters, ids are unique within their
level, ``00`` stands first and ``63`` last, some objects are templates of further objects.
"""

from __future__ import annotations

from brcode.record import Record

__all__ = [
    "ACCOUNT_TEMPLATES",
    "ADDITIONAL_DATA",
    "CARD_ACCOUNTS",
    "CRC",
    "GUI",
    "LENGTHS",
    "PIX_GUI",
    "SIZES",
    "TEMPLATES",
    "UNRESERVED_TEMPLATES",
    "Flaw",
    "is_alphanumeric_special",
    "is_digits",
    "parse",
    "write_object",
]

ACCOUNT_TEMPLATES = frozenset(map(str, range(26, 52)))
CARD_ACCOUNTS = frozenset(f"{tag:02d}" for tag in range(2, 26))
ADDITIONAL_DATA = "62"
CRC = "63"
LANGUAGE_TEMPLATE = "64"
UNRESERVED_TEMPLATES = frozenset(map(str, range(80, 100)))
TEMPLATES = ACCOUNT_TEMPLATES | UNRESERVED_TEMPLATES | {ADDITIONAL_DATA, LANGUAGE_TEMPLATE}

GUI = "00"  # in every account and unreserved template
PIX_GUI = "br.gov.bcb.pix"

SIZES = tuple(f"{length:02d}" for length in range(100))
LENGTHS = {size: length for length, size in enumerate(SIZES)}
"""Two ASCII digits to a number: ``int`` would take other digits, signs and spaces too."""


class Flaw(Record):
    """Where the syntax breaks: a rule, the id it concerns and the character it begins at."""

    rule: str
    id: str
    position: int


def parse(text: str) -> tuple[dict[str, str], list[Flaw]]:
    """The objects of one level by id, in order, and what is wrong with the syntax, each flaw once an id.

    Reading stops at an object that cannot be read; those before it are returned. Of an id given twice, the
    first counts.
    """
    objects: dict[str, str] = {}
    flaws: list[Flaw] = []
    repeated: set[str] = set()
    position, end = 0, len(text)
    while position < end:
        tag, start = text[position : position + 2], position + 4
        length = LENGTHS.get(text[position + 2 : start])
        if length is None or tag not in LENGTHS:
            flaws.append(Flaw("object_malformed", "", position))
            break
        if start + length > end:
            flaws.append(Flaw("object_truncated", tag, position))
            break
        if tag not in objects:
            objects[tag] = text[start : start + length]
            if not length:
                flaws.append(Flaw("object_empty", tag, position))
        elif tag not in repeated:
            repeated.add(tag)
            flaws.append(Flaw("object_repeated", tag, position))
        position = start + length
    return objects, flaws


def write_object(tag: str, value: str) -> str:
    """Id, length and value; raises ``IndexError`` for a value longer than 99 characters."""
    return f"{tag}{SIZES[len(value)]}{value}"


def is_alphanumeric_special(text: str) -> bool:
    """Whether ``text`` is printable ASCII, EMV's format "ans"."""
    return text.isascii() and text.isprintable()


def is_digits(text: str, length: int) -> bool:
    """Whether ``text`` is ``length`` ASCII digits, EMV's format "N"."""
    return len(text) == length and text.isascii() and text.isdigit()

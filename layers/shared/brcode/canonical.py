"""A quick reader of static codes in canonical form, in which almost every code is written.

Its grammar is generated from the table of fields. Lengths allow one reading of a text only, so a match whose
length digits are the lengths of what was matched is that reading. A text that this module does not read may
be right nevertheless: ``decode`` then inspects it rule by rule.
"""

from __future__ import annotations

import re
from operator import itemgetter

from brcode.crc import checksum
from brcode.fields import CONSTANTS, FIELDS, SINGLE_USE
from brcode.key_forms import has_check_digits, in_numbering_plan, type_of_match
from brcode.model import Fields
from brcode.tlv import CRC, LENGTHS, SIZES, write_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["ROWS", "read", "split"]

ROWS = tuple(field for field in FIELDS.values() if field.pattern)
"""The fields of a static code."""


def _grammar() -> str:
    """The pattern of a static code; groups are named by field or template, those of lengths ``size_…``."""
    rows = {field.path: field for field in ROWS}
    objects: dict[str, str] = {}
    for path in sorted(rows.keys() | CONSTANTS.keys()):
        if path in CONSTANTS:
            piece = re.escape(write_object(path[-1], CONSTANTS[path]))
        else:
            field = rows[path]
            form = (field.pattern or "") % {"limit": field.limit}
            piece = _group(path[-1], field.name, form, SIZES[field.limit] if field.fixed else "")
            if not (field.name == "key" or field.required or field.default):
                piece = f"(?:{piece})?"
        objects[path[0]] = objects.get(path[0], "") + piece
    templates = {path[0] for path in rows if len(path) > 1}
    code = [_group(tag, f"t{tag}", text) if tag in templates else text for tag, text in objects.items()]
    return f"{''.join(code)}{CRC}04[0-9A-F]{{4}}"


def _group(tag: str, name: str, form: str, size: str = "") -> str:
    return f"{tag}{size or f'(?P<size_{name}>[0-9]{{2}})'}(?P<{name}>{form})"


_PATTERN = re.compile(_grammar())
_match = _PATTERN.fullmatch
_GROUPS = {name: group - 1 for name, group in _PATTERN.groupindex.items()}
_SIZED = [
    (_GROUPS[name], _GROUPS[name.removeprefix("size_")]) for name in _GROUPS if name.startswith("size_")
]
_KEY, _METHOD = _GROUPS["key"], _GROUPS["single_use"]
_values = itemgetter(*(_GROUPS[field.name] for field in ROWS))
# Where each of ``Fields`` stands among the groups and what ``read`` appends to them
_APPENDED = {
    name: len(_GROUPS) + place for place, name in enumerate(("key_type", "single_use", "unknown", ""))
}
_PLACES = _GROUPS | _APPENDED
_fields = itemgetter(*(_PLACES.get(name, _PLACES[""]) for name in Fields._fields))


def split(text: str) -> tuple[Any, ...] | None:
    """The values of ``ROWS`` in a static code in canonical form; ``None`` for any other text.

    The CRC and the key's check digits are not checked.
    """
    groups = _split(text)
    return None if groups is None else _values(groups)


def read(text: str) -> Fields | None:
    """The fields of a static code in canonical form that breaks no rule; ``None`` for any other text."""
    groups = _split(text)
    if groups is None or checksum(text[:-4].encode()) != text[-4:]:
        return None
    key, method = groups[_KEY], groups[_METHOD]
    key_type = type_of_match(key)
    if not has_check_digits(key, key_type):
        return None
    return Fields._make(_fields((*groups, key_type, method and SINGLE_USE[method], (), None)))


def _split(text: str) -> tuple[Any, ...] | None:
    """The groups of a match, if the lengths and the phone number are right."""
    match = _match(text)
    if match is None or "  " in text:
        return None
    groups = match.groups()
    for size, value in _SIZED:
        found = groups[value]
        if found and LENGTHS[groups[size]] != len(found):
            return None
    key = groups[_KEY]
    if key[0] == "+" and not in_numbering_plan(key):
        return None
    return groups

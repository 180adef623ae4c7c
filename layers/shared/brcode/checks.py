"""The class of the rows of ``brcode.fields``, and the checks that those rows refer to.

Each check takes the row and the charge and returns the value for the code, with the steps that changed it,
or raises ``InvalidCharge``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from brcode.amount import parse_amount
from brcode.errors import InvalidCharge
from brcode.keys import parse_key
from brcode.location import fit_location
from brcode.model import Adjustment
from brcode.text import clean
from brcode.tlv import is_digits

NO_TXID = "***"
_Steps = tuple[Adjustment, ...]


class Field(NamedTuple):
    """One parameter of ``encode``.

    ``path``: the ids of its template, if any, and of itself; empty where the code does not hold it.
    ``limit``: its maximum length; ``fixed``: it always has that length. ``key_type`` has no ``check``: it is
    checked with ``key``. ``pattern``: its form in a static code, for ``brcode.canonical``, with
    ``%(limit)d`` for the limit. ``default``: the value where the charge has none.
    """

    name: str
    path: tuple[str, ...] = ()
    limit: int = 0
    check: Callable[[Field, Mapping[str, Any]], tuple[object, _Steps]] | None = None
    pattern: str | None = None
    default: str | None = None
    required: bool = False
    fixed: bool = False


def key(field: Field, charge: Mapping[str, Any]) -> tuple[str, _Steps]:
    """Return a key in DICT's form; ``key_type`` is checked with it."""
    return parse_key(charge[field.name], charge.get("key_type")).value, ()


def amount(field: Field, charge: Mapping[str, Any]) -> tuple[str, _Steps]:
    """Return reais with two decimals."""
    return parse_amount(charge[field.name]), ()


def label(field: Field, charge: Mapping[str, Any]) -> tuple[str, _Steps]:
    """Return a name or a city, which every code must have, cut to the limit."""
    if charge.get(field.name) in (None, ""):
        raise InvalidCharge.of(field.name, "required")
    return _clean(field, charge, field.limit)


def sentence(field: Field, charge: Mapping[str, Any]) -> tuple[str, _Steps]:
    """Return a text for the payer. It is never cut: a shortened sentence may say something else."""
    text, steps = _clean(field, charge)
    if len(text) > field.limit:
        case = {} if field.limit else {"case": "no_room"}
        raise InvalidCharge.of(field.name, "too_long", limit=field.limit, length=len(text), **case)
    return text, steps


def txid(field: Field, charge: Mapping[str, Any]) -> tuple[str, _Steps]:
    """Return letters and digits, or the three asterisks of a charge without an identifier."""
    text = _text(field, charge)
    right = "".join(char for char in text if char.isascii() and char.isalnum())
    if text == NO_TXID or (text == right and 1 <= len(text) <= field.limit):
        return text, ()
    if text and text == right:
        raise InvalidCharge.of(field.name, "too_long", limit=field.limit, length=len(text))
    params = {"right": right} if text.isascii() and 1 <= len(right) <= field.limit else {}
    raise InvalidCharge.of(field.name, "invalid_txid", limit=field.limit, **params)


def postal_code(field: Field, charge: Mapping[str, Any]) -> tuple[str, _Steps]:
    """Return eight digits, given as 70074900, 70074-900 or 70.074-900."""
    text = _text(field, charge).strip()
    if len(text) == 10 and text[2] == ".":
        text = text[:2] + text[3:]
    if len(text) == 9 and text[5] == "-":
        text = text[:5] + text[6:]
    if not is_digits(text, field.limit):
        raise InvalidCharge.of(field.name, "invalid_postal_code")
    return text, ()


def digits(field: Field, charge: Mapping[str, Any]) -> tuple[str, _Steps]:
    """Return exactly as many digits as the limit."""
    text = _text(field, charge)
    if not is_digits(text, field.limit):
        raise InvalidCharge.of(field.name, f"invalid_{field.name}")
    return text, ()


def location(field: Field, charge: Mapping[str, Any]) -> tuple[str, _Steps]:
    """Return an address without its protocol."""
    return fit_location(field.name, _text(field, charge), field.limit)


def ispb(field: Field, charge: Mapping[str, Any]) -> tuple[str, _Steps]:
    """Return the ISPB of the facilitator that hands out the cash."""
    text = _text(field, charge)
    right = text.strip().upper()
    if not is_ispb(right):
        raise InvalidCharge.of(field.name, "invalid_ispb")
    if text != right:
        raise InvalidCharge.of(field.name, "invalid_ispb", right=right)
    return text, ()


def flag(field: Field, charge: Mapping[str, Any]) -> tuple[bool, _Steps]:
    """Return a boolean."""
    value = charge[field.name]
    if not isinstance(value, bool):
        raise InvalidCharge.of(field.name, "invalid_type", expected="boolean", got=type(value).__name__)
    return value, ()


def is_ispb(text: str) -> bool:
    """Return whether ``text`` is eight digits or upper-case letters (BCB API Pix 2.10.0)."""
    return len(text) == 8 and text.isascii() and text.isalnum() and text == text.upper()


def _clean(field: Field, charge: Mapping[str, Any], limit: int | None = None) -> tuple[str, _Steps]:
    text, steps = clean(field.name, _text(field, charge), limit)
    if not text:
        case = {} if charge[field.name].strip() else {"case": "blank"}
        raise InvalidCharge.of(field.name, "empty_after_cleaning", **case)
    return text, steps


def _text(field: Field, charge: Mapping[str, Any]) -> str:
    value = charge[field.name]
    if not isinstance(value, str):
        raise InvalidCharge.of(field.name, "invalid_type", expected="text", got=type(value).__name__)
    return value

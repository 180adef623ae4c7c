"""From what a caller asks for to the fields of a code; every fault is found before any is reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from brcode.checks import NO_TXID
from brcode.errors import InvalidCharge, Issue
from brcode.field import Field
from brcode.fields import FIELDS
from brcode.key_forms import key_form
from brcode.model import Adjustment, Fields
from brcode.tlv import PIX_GUI

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["prepare"]

_HEADER = 4  # id and length of an object
_ROOM_IN_TEMPLATE = 99 - _HEADER - len(PIX_GUI)  # what the GUI leaves of template 26
_ISPB_OBJECT = _HEADER + FIELDS["withdrawal_ispb"].limit
_ORDER = {name: position for position, name in enumerate(FIELDS)}


def prepare(charge: Mapping[str, Any]) -> tuple[Fields, tuple[Adjustment, ...]]:
    """The fields as they will stand in the code, and the steps that made texts fit.

    ``charge`` holds the parameters of ``encode`` that are given. Raises ``InvalidCharge`` with every faulty
    field, in the order of those parameters.
    """
    issues = _conflicts(charge)
    values: dict[str, Any] = {field.name: field.default for field in FIELDS.values() if field.default}
    adjustments: list[Adjustment] = []
    for field in FIELDS.values():
        if field.check is None or not (field.name in charge or field.required):
            continue
        try:
            value, steps = field.check(_within_template(field, charge, values), charge)
        except InvalidCharge as refused:
            issues += refused.issues
            continue
        values[field.name] = value
        adjustments += steps
    issues += _overflow(charge, values)
    if values.pop("strict", False):
        issues += _refusals(adjustments)
    if issues:
        raise InvalidCharge(tuple(sorted(issues, key=lambda issue: _ORDER[issue.field])))
    return Fields(**values, key_type=key_form(values.get("key", ""))), tuple(adjustments)


def _conflicts(charge: Mapping[str, Any]) -> list[Issue]:
    """What is missing or cannot stand together (see ``encode`` for the sources)."""
    locations = [name for name in ("location", "recurrence_location") if name in charge]
    if not locations and "key" not in charge:
        return [Issue("key", "required", {})]
    clashes: dict[str, Iterable[str]] = {}  # a field, and what it cannot be given together with
    if "key" in charge and "location" in charge:
        clashes |= {"key": ["location"], "location": ["key"]}
    if "key_type" in charge and "key" not in charge:
        clashes["key_type"] = [*locations, *(["withdrawal_ispb"] if "withdrawal_ispb" in charge else [])]
    if "withdrawal_ispb" in charge and locations:
        clashes["withdrawal_ispb"] = locations
    # txid and description of a dynamic code are read from its location
    if "location" in charge and charge.get("txid", NO_TXID) != NO_TXID:
        clashes["txid"] = ["location"]
    if "description" in charge and ("location" in charge or "key" not in charge):
        clashes["description"] = locations
    return [
        Issue(name, "conflicting_fields", {"others": ", ".join(others)}) for name, others in clashes.items()
    ]


def _within_template(field: Field, charge: Mapping[str, Any], values: Mapping[str, Any]) -> Field:
    """The field with its limit lowered to the room in template 26: a description may be shorter for it."""
    if field.name != "description":
        return field
    return field._replace(limit=max(0, min(field.limit, _room(charge, values) - _HEADER)))


def _overflow(charge: Mapping[str, Any], values: Mapping[str, Any]) -> tuple[Issue, ...]:
    """A key that leaves no room for the ISPB in template 26."""
    room = _room(charge, values)
    if room >= 0:
        return ()
    length = len(values["key"])
    return (Issue("key", "too_long", {"limit": length + room, "length": length}),)


def _room(charge: Mapping[str, Any], values: Mapping[str, Any]) -> int:
    """Characters of template 26 that the key and the ISPB leave."""
    ispb = _ISPB_OBJECT if "withdrawal_ispb" in charge else 0
    return _ROOM_IN_TEMPLATE - _HEADER - len(values.get("key", "")) - ispb


def _refusals(adjustments: list[Adjustment]) -> list[Issue]:
    """What ``strict`` refuses: one issue a field, with the value that would be accepted."""
    reasons: dict[str, list[str]] = {}
    right = {}
    for step in adjustments:
        reasons.setdefault(step.field, []).append(step.reason)
        right[step.field] = step.after
    return [
        Issue(name, "would_adjust", {"reasons": ", ".join(reasons[name]), "right": right[name]})
        for name in right
    ]

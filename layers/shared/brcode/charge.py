"""Turning a charge into the fields of a code, with every issue found before any is raised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from brcode.checks import NO_TXID, Field
from brcode.errors import InvalidCharge, Issue
from brcode.fields import FIELDS
from brcode.key_forms import key_form
from brcode.location import location_kind, same_host
from brcode.model import Adjustment, Fields
from brcode.tlv import PIX_GUI

_HEADER_LENGTH = 4  # id and length of an object
_ROOM_IN_TEMPLATE = 99 - _HEADER_LENGTH - len(PIX_GUI)  # what the GUI leaves of template 26
_ISPB_OBJECT = _HEADER_LENGTH + FIELDS["withdrawal_ispb"].limit
_OTHER_KINDS = {
    "location": ("recurrence_location", {"rec"}),
    "recurrence_location": ("location", {"cob", "cobv"}),
}
"""Location → the other one, and the kinds that belong there."""

_BEHIND_LOCATION = {"amount", "txid", "description"}
_POSITIONS = {name: position for position, name in enumerate(FIELDS)}


def prepare(charge: Mapping[str, Any]) -> tuple[Fields, tuple[Adjustment, ...]]:
    """Return the fields of the code, and the steps that made texts fit.

    ``charge`` holds the parameters of ``encode`` that are given. Raise ``InvalidCharge`` with every issue, in
    the order of those parameters.
    """
    issues = _conflicts(charge)
    values: dict[str, Any] = {field.name: field.default for field in FIELDS.values() if field.default}
    adjustments: list[Adjustment] = []
    for field in FIELDS.values():
        if field.check is None or not (field.name in charge or field.required):
            continue
        try:
            value, steps = field.check(_within_template(field, charge, values), charge)
        except InvalidCharge as error:
            issues += [_with_advice(issue, charge) for issue in error.issues]
            continue
        values[field.name] = value
        adjustments += steps
    issues += _overflow(charge, values)
    issues += _misplaced_locations(values)
    if values.pop("strict", False):
        issues += _strict_issues(adjustments)
    if issues:
        raise InvalidCharge(tuple(sorted(issues, key=lambda issue: _POSITIONS[str(issue.field)])))
    return Fields(**values, key_type=key_form(values.get("key", ""))), tuple(adjustments)


def _with_advice(issue: Issue, charge: Mapping[str, Any]) -> Issue:
    """Return the issue, for a blank optional field with the advice to omit it."""
    field = FIELDS[str(issue.field)]
    if field.required or issue.code == "required" or str(charge[field.name]).strip():
        return issue
    return issue._replace(params={**issue.params, "looks": "blank"})


def _conflicts(charge: Mapping[str, Any]) -> list[Issue]:
    """Return the issues of missing fields and of those that exclude each other (sources: see ``encode``)."""
    locations = [name for name in ("location", "recurrence_location") if name in charge]
    if not locations and "key" not in charge:
        return [Issue("key", "required", {})]
    clashes: dict[str, Iterable[str]] = {}  # field → the fields it excludes
    if "key" in charge and "location" in charge:
        clashes |= {"key": ["location"], "location": ["key"]}
    if "key_type" in charge and "key" not in charge:
        clashes["key_type"] = [*locations, *(["withdrawal_ispb"] if "withdrawal_ispb" in charge else [])]
    if "withdrawal_ispb" in charge and locations:
        clashes["withdrawal_ispb"] = locations
    # a dynamic code's are read from its location, and a recurrence alone has no amount (§2.7, §2.8.1)
    if "location" in charge and charge.get("txid", NO_TXID) != NO_TXID:
        clashes["txid"] = ["location"]
    if "location" in charge or "key" not in charge:
        clashes |= {name: locations for name in ("amount", "description") if name in charge}
    is_behind = "location" in charge and "key" not in charge
    behind = {"others": "location", "case": "behind"}
    return [
        Issue(
            name,
            "conflicting_fields",
            behind if is_behind and name in _BEHIND_LOCATION else {"others": ", ".join(others)},
        )
        for name, others in clashes.items()
    ]


def _within_template(field: Field, charge: Mapping[str, Any], values: Mapping[str, Any]) -> Field:
    """Return the field, for a description with its limit lowered to the room left in template 26."""
    if field.name != "description":
        return field
    return field._replace(limit=max(0, min(field.limit, _room(charge, values) - _HEADER_LENGTH)))


def _overflow(charge: Mapping[str, Any], values: Mapping[str, Any]) -> tuple[Issue, ...]:
    """Return the issue of a key that leaves no room for the ISPB in template 26."""
    room = _room(charge, values)
    if room >= 0:
        return ()
    length = len(values["key"])
    return (Issue("key", "too_long", {"case": "withdrawal", "limit": length + room, "length": length}),)


def _room(charge: Mapping[str, Any], values: Mapping[str, Any]) -> int:
    """Return the characters of template 26 that key and ISPB leave free."""
    ispb = _ISPB_OBJECT if "withdrawal_ispb" in charge else 0
    return _ROOM_IN_TEMPLATE - _HEADER_LENGTH - len(values.get("key", "")) - ispb


def _misplaced_locations(values: Mapping[str, Any]) -> list[Issue]:
    """Return the issues of locations in each other's place or of two hosts (manual §2.5.2, §2.8.3)."""
    issues = [
        Issue(name, "wrong_location_kind", {"kind": kind, "others": other})
        for name, (other, kinds) in _OTHER_KINDS.items()
        if name in values and (kind := location_kind(values[name])) in kinds
    ]
    if _OTHER_KINDS.keys() <= values.keys() and not same_host(*map(values.__getitem__, _OTHER_KINDS)):
        issues.append(Issue("recurrence_location", "hosts_differ", {"others": "location"}))
    return issues


def _strict_issues(adjustments: list[Adjustment]) -> list[Issue]:
    """Return what ``strict`` forbids: one issue a field, with the value that would be accepted."""
    reasons: dict[str, list[str]] = {}
    right = {}
    for step in adjustments:
        reasons.setdefault(step.field, []).append(step.reason)
        right[step.field] = step.after
    return [
        Issue(name, "would_adjust", {"reasons": ", ".join(reasons[name]), "right": right[name]})
        for name in right
    ]

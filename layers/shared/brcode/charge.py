"""From what a caller asks for to the fields of a code: all is checked, and all that is wrong told at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from brcode import location
from brcode.amount import parse_amount
from brcode.errors import InvalidCharge, Issue
from brcode.keys import parse_key
from brcode.model import Adjustment, Fields, Kind
from brcode.text import clean
from brcode.texts import PUBLIC_NAMES
from brcode.tlv import is_digits, is_ispb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["CITY_LIMIT", "NAME_LIMIT", "NO_TXID", "UNKNOWN_MCC", "prepare"]

NAME_LIMIT = 25
CITY_LIMIT = 15
NO_TXID = "***"
UNKNOWN_MCC = "0000"
_LONGEST_DESCRIPTION = 72
_ROOM_BESIDE_KEY = 73  # template 26 holds 99: less 18 of the GUI, and 8 for the ids and lengths of 01 and 02
_ISPB_OBJECT = 12  # 0308 and eight characters
_HEADER = 4  # id and length
_LONGEST_KEY_OF_SAQUE = _ROOM_BESIDE_KEY + _HEADER - _ISPB_OBJECT

# What is given decides what the code is (M 1.5, 1.6; API Pix 2.9.0, jornadas 2 to 4)
_DECISIVE = ("key", "location", "recurrence_location", "withdrawal_ispb")
_KINDS = {
    ("key",): Kind.ESTATICO,
    ("key", "withdrawal_ispb"): Kind.SAQUE,
    ("location",): Kind.DINAMICO,
    ("recurrence_location",): Kind.RECORRENCIA,
    ("key", "recurrence_location"): Kind.COMPOSTO,
    ("location", "recurrence_location"): Kind.COMPOSTO,
}
_ORDER = {field: position for position, field in enumerate(PUBLIC_NAMES)}
_LONGEST_TXID = 25


def prepare(given: Mapping[str, Any], *, strict: bool) -> tuple[Kind, Fields, tuple[Adjustment, ...]]:
    """The kind, the fields as they will stand in the code, and the steps that made texts fit.

    ``given`` holds the parameters of ``encode`` that are not ``None``. Raises ``InvalidCharge`` with every
    faulty field, in the order of those parameters.
    """
    issues = list(_conflicts(given))
    values: dict[str, Any] = {"txid": NO_TXID, "mcc": UNKNOWN_MCC}
    adjustments: list[Adjustment] = []

    def take(check: Callable[..., Any], *args: object) -> Any:
        try:
            return check(*args)
        except InvalidCharge as refused:
            issues.extend(refused.issues)
            return None

    if "key" in given:
        key = take(parse_key, given["key"], given.get("key_type"))
        values["key_type"], values["key"] = key or (None, "")
    for field, check in _CHECKS.items():
        if field in given:
            values[field] = take(check, field, given[field])
    room = _ROOM_BESIDE_KEY - len(values.get("key", "")) - _ISPB_OBJECT * ("withdrawal_ispb" in given)
    if room < -_HEADER:
        issues += _invalid("key", "too_long", limit=_LONGEST_KEY_OF_SAQUE, length=len(values["key"])).issues
    for field, fit in _FITTED.items():
        if field in given or field in _REQUIRED:
            values[field], steps = take(fit, field, given.get(field), room) or (None, ())
            adjustments += steps
    if take(_flag, "strict", strict):
        issues += _refusals(adjustments)
    if issues:
        raise InvalidCharge(tuple(sorted(issues, key=lambda issue: _ORDER[issue.field])))
    return _KINDS[_decisive(given)], Fields(**values), tuple(adjustments)


def _decisive(given: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(field for field in _DECISIVE if field in given)


def _conflicts(given: Mapping[str, Any]) -> list[Issue]:
    """What is missing or cannot stand together."""
    decisive = _decisive(given)
    if set(decisive) <= {"withdrawal_ispb"}:
        return [Issue("key", "required", {})]
    clashes: list[tuple[str, ...]] = []  # a field, and what it cannot stand beside
    if "key" in given and "location" in given:
        clashes += [("key", "location"), ("location", "key")]
    elif "key_type" in given and "key" not in given:
        clashes.append(("key_type", *decisive))
    if "withdrawal_ispb" in given and decisive not in _KINDS:
        clashes.append(("withdrawal_ispb", *(field for field in decisive if "location" in field)))
    # txid and description of a dynamic code lie behind its location
    if "location" in given and given.get("txid", NO_TXID) != NO_TXID:
        clashes.append(("txid", "location"))
    if "description" in given and ("location" in given or "key" not in given):
        clashes.append(("description", *(field for field in decisive if "location" in field)))
    return [
        Issue(field, "conflicting_fields", {"others": ", ".join(PUBLIC_NAMES[other] for other in others)})
        for field, *others in clashes
    ]


def _refusals(adjustments: list[Adjustment]) -> list[Issue]:
    """What ``strict`` has against adjustments: one issue a field, with the value that would be accepted."""
    reasons: dict[str, list[str]] = {}
    right = {}
    for step in adjustments:
        reasons.setdefault(step.field, []).append(step.reason)
        right[step.field] = step.after
    return [
        Issue(field, "would_adjust", {"reasons": ", ".join(reasons[field]), "right": right[field]})
        for field in right
    ]


def _text(field: str, value: object) -> str:
    if not isinstance(value, str):
        raise _invalid(field, "invalid_type", expected="text", got=type(value).__name__)
    return value


def _flag(field: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _invalid(field, "invalid_type", expected="boolean", got=type(value).__name__)
    return value


def _txid(field: str, value: object) -> str:
    text = _text(field, value)
    right = "".join(char for char in text if char.isascii() and char.isalnum())
    if text == NO_TXID or (text == right and 1 <= len(text) <= _LONGEST_TXID):
        return text
    if text and text == right:
        raise _invalid(field, "too_long", limit=_LONGEST_TXID, length=len(text))
    raise _invalid(
        field,
        "invalid_txid",
        **({"right": right} if text.isascii() and 1 <= len(right) <= _LONGEST_TXID else {}),
    )


def _postal_code(field: str, value: object) -> str:
    text = _text(field, value).strip()
    if len(text) == 10 and text[2] == ".":  # 70.074-900
        text = text[:2] + text[3:]
    if len(text) == 9 and text[5] == "-":
        text = text[:5] + text[6:]
    if not is_digits(text, 8):
        raise _invalid(field, "invalid_postal_code")
    return text


def _mcc(field: str, value: object) -> str:
    text = _text(field, value)
    if not is_digits(text, 4):
        raise _invalid(field, "invalid_mcc")
    return text


def _ispb(field: str, value: object) -> str:
    text = _text(field, value)
    right = text.strip().upper()
    if not is_ispb(right):
        raise _invalid(field, "invalid_ispb")
    if text != right:
        raise _invalid(field, "invalid_ispb", right=right)
    return text


def _name(field: str, value: object, _room: int) -> tuple[str, tuple[Adjustment, ...]]:
    if value is None or value == "":
        raise _invalid(field, "required")
    text, steps = clean(field, _text(field, value), NAME_LIMIT if field == "merchant_name" else CITY_LIMIT)
    if not text:
        raise _invalid(field, "empty_after_cleaning")
    return text, steps


def _description(field: str, value: object, room: int) -> tuple[str, tuple[Adjustment, ...]]:
    """What the payer reads; never cut, for a cut sentence may say something else."""
    text, steps = clean(field, _text(field, value))
    limit = max(0, min(room, _LONGEST_DESCRIPTION))
    if not text:
        raise _invalid(field, "empty_after_cleaning")
    if len(text) > limit:
        raise _invalid(field, "too_long", limit=limit, length=len(text))
    return text, steps


def _location(field: str, value: object, _room: int) -> tuple[str, tuple[Adjustment, ...]]:
    return location.prepare(field, _text(field, value))


def _amount(_field: str, value: Any) -> str:
    return parse_amount(value)


_CHECKS: dict[str, Callable[[str, object], object]] = {
    "amount": _amount,
    "txid": _txid,
    "postal_code": _postal_code,
    "mcc": _mcc,
    "withdrawal_ispb": _ispb,
    "single_use": _flag,
}
_REQUIRED = ("merchant_name", "merchant_city")
_FITTED: dict[str, Callable[[str, object, int], tuple[str, tuple[Adjustment, ...]]]] = {
    "merchant_name": _name,
    "merchant_city": _name,
    "description": _description,
    "location": _location,
    "recurrence_location": _location,
}


def _invalid(field: str, code: str, **params: str | int) -> InvalidCharge:
    return InvalidCharge((Issue(field, code, params),))

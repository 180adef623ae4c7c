"""Reading a JSON body: exactly as written, or refused.

Numbers become ``int`` or ``Decimal``, never a float, so that 0.30000000000000004 is seen for what it
is. A name given twice has no one meaning and is refused.
"""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ValidationError

from web.problem import FieldFault, InvalidFields, Problem

if TYPE_CHECKING:
    from web.request import Request

__all__ = ["MAX_BODY_BYTES", "Whole", "check_shape", "parse_json", "read_json", "read_model"]

MAX_BODY_BYTES = 16 * 1024
_MAX_INT_DIGITS = 30

Model = TypeVar("Model", bound=BaseModel)


def _whole(value: Any) -> Any:
    """3600.0 is a whole number in JSON, and what callers send whose numbers are all floating."""
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) <= _MAX_INT_DIGITS:
        return int(value) if value == value.to_integral_value() else value
    return value


Whole = BeforeValidator(_whole)
"""For a field that takes whole numbers: ``Annotated[int, Whole]``."""


def read_json(request: Request, *, optional: bool = False) -> dict[str, Any]:
    """The body's JSON object; of an absent body ``{}`` where it is optional.

    Raises ``Problem`` ``body_too_large``, ``unsupported_media_type``, ``malformed_json`` or
    ``invalid_fields`` (for JSON that is no object).
    """
    if len(request.body) > MAX_BODY_BYTES:
        raise Problem("body_too_large")
    if optional and not request.body.strip():
        return {}
    media_type = request.headers.get("content-type", "application/json").split(";")[0].strip().lower()
    if media_type != "application/json" and not media_type.endswith("+json"):
        raise Problem("unsupported_media_type")
    content = parse_json(request.body)
    if not isinstance(content, dict):
        raise InvalidFields([_wrong_type("", "objeto (object)")])
    return content


def read_model(model: type[Model], content: dict[str, Any]) -> Model:
    """A request checked against its model; raises ``InvalidFields`` with every fault of its shape."""
    checked, faults = check_shape(model, content)
    if checked is None:
        raise InvalidFields(faults)
    return checked


def check_shape(model: type[Model], content: dict[str, Any]) -> tuple[Model | None, list[FieldFault]]:
    """The model, or ``None`` and the faults by field. A known field that is ``null`` counts as absent."""
    given = {
        name: value for name, value in content.items() if value is not None or name not in model.model_fields
    }
    try:
        return model.model_validate(given, strict=True), []
    except ValidationError as error:
        return None, [_fault(model, field, found) for field, found in _by_field(error).items()]


def _by_field(error: ValidationError) -> dict[str, list[Any]]:
    faults: dict[str, list[Any]] = {}
    for found in error.errors(include_url=False, include_context=True, include_input=False):
        faults.setdefault(str(found["loc"][0]) if found["loc"] else "", []).append(found)
    return faults


def parse_json(body: bytes) -> Any:
    """JSON with exact numbers; raises ``Problem`` ``malformed_json``."""
    try:
        return _EXACT.decode(body.decode())
    except UnicodeDecodeError:
        raise Problem("malformed_json", params={"reason": "UTF-8"}) from None
    except json.JSONDecodeError as error:
        raise Problem("malformed_json", params={"reason": f"{error.lineno}:{error.colno}"}) from None
    except RecursionError:
        raise Problem("malformed_json", params={"reason": "…[[[[…"}) from None


def _integer(digits: str) -> int | Decimal:
    # int() is quadratic and refuses over 4,300 digits; no field of ours holds such a number anyway.
    return int(digits) if len(digits) <= _MAX_INT_DIGITS else Decimal(digits)


def _decimal(digits: str) -> Decimal:
    try:
        return Decimal(digits)
    except InvalidOperation:  # an exponent beyond what Decimal holds
        return Decimal("1E-999999" if "e-" in digits.lower() else "1E+999999")


def _refuse(constant: str) -> None:
    raise Problem("malformed_json", params={"reason": constant})


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        ((double, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise Problem("malformed_json", params={"reason": f"{double!a} ×2"})
    for name, value in pairs:
        _refuse_lone_surrogates(name)
        _refuse_lone_surrogates(value)
    return content


def _refuse_lone_surrogates(value: Any) -> None:
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Problem("malformed_json", params={"reason": r"\ud800-\udfff"}) from None


_EXACT = json.JSONDecoder(
    parse_int=_integer, parse_float=_decimal, parse_constant=_refuse, object_pairs_hook=_unique
)

_EXPECTED = {
    "string_type": "texto (string)",
    "bool_type": "booleano (true, false)",
    "int_type": "inteiro (integer)",
    "is_instance_of": "número (number)",
    "decimal_type": "número (number)",
}


def _fault(model: type[BaseModel], field: str, found: list[Any]) -> FieldFault:
    kind, context = found[0]["type"], found[0].get("ctx", {})
    if kind == "missing":
        return FieldFault(field, "required")
    if kind == "extra_forbidden":
        known = (info.alias or name for name, info in model.model_fields.items())
        return FieldFault(field, "unknown_field", {"known": ", ".join(known) or "—"})
    if kind == "literal_error":
        return FieldFault(field, "invalid_value", {"expected": context["expected"]})
    if kind in {"greater_than_equal", "less_than_equal"}:
        return FieldFault(field, "out_of_range", {"expected": _range(model, field)})
    if kind == "string_too_long":
        return FieldFault(field, "too_long", {"limit": context["max_length"]})
    if kind == "string_too_short":
        return FieldFault(field, "empty")
    # One finding for each member of a union: any of them would have been right.
    return _wrong_type(field, *dict.fromkeys(_EXPECTED.get(fault["type"], fault["type"]) for fault in found))


def _wrong_type(field: str, *expected: str) -> FieldFault:
    return FieldFault(field, "invalid_type", {"expected": " / ".join(expected)})


def _range(model: type[BaseModel], field: str) -> str:
    schema = model.model_json_schema()["properties"][field]
    members = (schema, *schema.get("anyOf", ()))
    limits = next(member for member in members if "minimum" in member)
    return f"{limits['minimum']}…{limits['maximum']}"

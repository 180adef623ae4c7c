"""Checking the content of a request against a table of its fields: the faults that its model would find."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal, NamedTuple, get_args, get_origin

from skills.refusals import EXPECTED, RequestFault, wrong_type

__all__ = ["Shape", "faults_of_shape"]

_EXPECTED = {
    str: EXPECTED["string_type"],
    bool: EXPECTED["bool_type"],
    int: EXPECTED["int_type"],
    Decimal: EXPECTED["decimal_type"],
}


class Shape(NamedTuple):
    """What a field takes: a type, a union of types or a ``Literal``; of a text also how long it may be."""

    type: Any
    required: bool = False
    least: int = 0
    most: int | None = None


def faults_of_shape(shapes: Mapping[str, Shape], content: Mapping[str, Any]) -> list[RequestFault]:
    """The faults by field, those of unknown fields last. A known field that is ``null`` counts as absent."""
    faults = [fault for name, shape in shapes.items() if (fault := _fault(name, shape, content.get(name)))]
    known = ", ".join(shapes)
    return faults + [
        RequestFault(name, "unknown_field", {"known": known}) for name in content if name not in shapes
    ]


def _fault(name: str, shape: Shape, value: Any) -> RequestFault | None:
    if value is None:
        return RequestFault(name, "required") if shape.required else None
    kinds = get_args(shape.type) or (shape.type,)
    if get_origin(shape.type) is Literal:
        expected = ", ".join(map(repr, kinds))
        return None if value in kinds else RequestFault(name, "invalid_value", {"expected": expected})
    if not isinstance(value, kinds) or (isinstance(value, bool) and int in kinds):
        return wrong_type(name, *(_EXPECTED[kind] for kind in kinds))
    if shape.least and len(value) < shape.least:
        return RequestFault(name, "empty")
    if shape.most and len(value) > shape.most:
        return RequestFault(name, "too_long", {"limit": shape.most})
    return None

"""Checking the content of a request against a table of its fields: the faults that its model would find."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any, Literal, NamedTuple, get_args, get_origin

from brskills_server.skills.refusals import EXPECTED, RequestFault, unknown_fields, wrong_type

__all__ = ["Shape", "as_whole_number", "faults_of_shape"]

_MOST_DIGITS = 30

_EXPECTED = {
    str: EXPECTED["string_type"],
    bool: EXPECTED["bool_type"],
    int: EXPECTED["int_type"],
    Decimal: EXPECTED["decimal_type"],
}


class Shape(NamedTuple):
    """What a field takes: a type, a union of types or a ``Literal``.

    ``least``, ``most``: how long a text may be. ``limits``: the least and the greatest number.
    """

    type: Any
    required: bool = False
    least: int = 0
    most: int | None = None
    limits: tuple[int, int] | None = None

    @property
    def is_whole_number(self) -> bool:
        """Whether it takes whole numbers and no text."""
        kinds = get_args(self.type) or (self.type,)
        return int in kinds and str not in kinds


def as_whole_number(value: Any) -> Any:
    """3600.0 is a whole number in JSON, and what callers send whose numbers are all floating."""
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) <= _MOST_DIGITS:
        return int(value) if value == value.to_integral_value() else value
    return value


def faults_of_shape(shapes: Mapping[str, Shape], content: Mapping[str, Any]) -> list[RequestFault]:
    """The faults by field, those of unknown fields last. A known field that is ``null`` counts as absent."""
    faults = [
        fault
        for name, shape in shapes.items()
        if (name in content or shape.required) and (fault := _fault(name, shape, content.get(name)))
    ]
    return faults + unknown_fields(shapes, content) if content.keys() - shapes.keys() else faults


def _fault(name: str, shape: Shape, value: Any) -> RequestFault | None:
    if value is None:
        return RequestFault(name, "required") if shape.required else None
    kinds, is_literal = _kinds(shape.type)
    if is_literal:
        expected = ", ".join(map(repr, kinds))
        return None if value in kinds else RequestFault(name, "invalid_value", {"expected": expected})
    if int in kinds:
        value = as_whole_number(value)
    if not isinstance(value, kinds) or (isinstance(value, bool) and int in kinds):
        return wrong_type(name, *(_EXPECTED[kind] for kind in kinds))
    if shape.limits and not shape.limits[0] <= value <= shape.limits[1]:
        return RequestFault(name, "out_of_range", {"expected": "…".join(map(str, shape.limits))})
    if shape.least and len(value) < shape.least:
        return RequestFault(name, "empty")
    if shape.most and len(value) > shape.most:
        return RequestFault(name, "too_long", {"limit": shape.most})
    return None


@cache
def _kinds(annotation: Any) -> tuple[tuple[Any, ...], bool]:
    """The types, or a ``Literal``'s values, and whether it is one."""
    return get_args(annotation) or (annotation,), get_origin(annotation) is Literal

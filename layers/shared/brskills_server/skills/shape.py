"""Checking a request by a table of its fields, without loading pydantic, a third of a cold start.

The table finds the issues that the request's model finds, which a test compares.
"""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal, get_args, get_origin

from brskills_server.skills.issues import EXPECTED, FieldIssue, issue, unknown_fields, wrong_type

_MOST_DIGITS = 30
_WHOLE_NUMBER = re.compile(rf"-?[0-9]{{1,{_MOST_DIGITS}}}").fullmatch
_BOOLEANS = {"true": True, "false": False}

_EXPECTED = {
    str: EXPECTED["string_type"],
    bool: EXPECTED["bool_type"],
    int: EXPECTED["int_type"],
    Decimal: EXPECTED["decimal_type"],
}


class Shape:
    """What a field takes: a type, a union of types or a ``Literal``.

    ``least``, ``most``: the length of a text. ``limits``: the least and the greatest number. ``many``: it
    also takes a list of such values.
    """

    def __init__(
        self,
        type: Any,
        required: bool = False,
        least: int = 0,
        most: int | None = None,
        limits: tuple[int, int] | None = None,
        many: bool = False,
    ) -> None:
        self.required, self.least, self.most, self.limits = required, least, most, limits
        self._many = many
        self._choices = get_args(type) if get_origin(type) is Literal else ()
        self._types = () if self._choices else get_args(type) or (type,)
        self.accepted = () if self._choices or least or most or limits else self._types
        """The types of which every value is valid."""
        self.is_whole_number = int in self._types and str not in self._types
        """Whether the field takes whole numbers and no text."""

    @cached_property
    def _expected(self) -> list[str]:
        return [_EXPECTED[each] for each in self._types]

    def issue_of(self, name: str, value: Any) -> FieldIssue | None:
        """Return what is wrong with a value. ``None`` as a value is an absent field."""
        if value is None:
            return issue(name, "required") if self.required else None
        if self._many:
            return self._issue_of_values(name, value)
        if self._choices:
            expected = ", ".join(map(repr, self._choices))
            return None if value in self._choices else issue(name, "invalid_value", expected=expected)
        if not self._is_of_type(value):
            return wrong_type(name, *self._expected)
        if self.limits and not self.limits[0] <= value <= self.limits[1]:
            return issue(name, "out_of_range", expected="…".join(map(str, self.limits)))
        if self.least and len(value) < self.least:
            return issue(name, "empty")
        if self.most and len(value) > self.most:
            return issue(name, "too_long", limit=self.most)
        return None

    def from_query(self, values: Sequence[str]) -> Any:
        """Return the value of a query parameter, which may be repeated; a wrong one stays a text.

        >>> Shape(str, many=True).from_query(["SP,RJ", "MG"]), Shape(int).from_query(["25"])
        (['SP', 'RJ', 'MG'], 25)
        """
        text = ",".join(values)
        if self._many:
            return text.split(",")
        if self.is_whole_number:
            return int(text) if _WHOLE_NUMBER(text) else text
        return _BOOLEANS.get(text, text) if bool in self._types else values[-1]

    def _issue_of_values(self, name: str, value: Any) -> FieldIssue | None:
        values = value if isinstance(value, list) else [value]
        if all(self._is_of_type(each) for each in values):
            return None
        return wrong_type(name, *([] if values is value else [EXPECTED["list_type"]]), *self._expected)

    def _is_of_type(self, value: Any) -> bool:
        if int in self._types:
            value = as_whole_number(value)
        return isinstance(value, self._types) and not (isinstance(value, bool) and int in self._types)


def as_whole_number(value: Any) -> Any:
    """Return a ``Decimal`` without decimals as an ``int``: 3600.0 is a whole number in JSON."""
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) <= _MOST_DIGITS:
        return int(value) if value == value.to_integral_value() else value
    return value


def check_shape(shapes: Mapping[str, Shape], content: Mapping[str, Any]) -> list[FieldIssue]:
    """Return the issues by field, unknown fields last. A known field that is ``null`` counts as absent."""
    issues = []
    for name, shape in shapes.items():
        value = content.get(name)
        if type(value) in shape.accepted or (value is None and not shape.required):
            continue
        if found := shape.issue_of(name, value):
            issues.append(found)
    return issues + unknown_fields(shapes, content) if content.keys() - shapes.keys() else issues

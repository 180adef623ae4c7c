"""Reading of JSON into frozen dataclasses by their annotations.

Amounts become `Decimal`, days `date`, instants `datetime`, lists tuples. Unknown members are ignored;
absent ones get the field's default.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")

_FROM_TEXT: Mapping[Any, Callable[[str], Any]] = {
    Decimal: Decimal,
    date: date.fromisoformat,
    datetime: datetime.fromisoformat,
}


def read(kind: type[T], content: Any) -> T:
    """Return ``content`` as a ``kind``. Raise `TypeError`, `ValueError` or `ArithmeticError`."""
    found: T = _value(kind, content)
    return found


def _value(kind: Any, content: Any) -> Any:
    if isinstance(kind, UnionType):
        if content is None:
            return None
        kind = next(member for member in get_args(kind) if member is not NoneType)
    if get_origin(kind) is tuple:
        return tuple(_value(get_args(kind)[0], item) for item in _checked(list, content))
    if is_dataclass(kind):
        return _record(kind, _checked(dict, content))
    if kind in _FROM_TEXT:
        return _FROM_TEXT[kind](_checked(str, content))
    return _checked(kind, content)


def _checked(kind: type[Any], content: Any) -> Any:
    if not isinstance(content, kind):
        raise TypeError(f"{kind.__name__} expected")
    return content


def _record(kind: Any, members: Mapping[str, Any]) -> Any:
    """Return a dataclass. A field without a default reads an absent member as null."""
    described = _described(kind)
    wanted = [(name, hint) for name, hint, optional in described if name in members or not optional]
    return kind(**{name: _value(hint, members.get(name)) for name, hint in wanted})


@cache
def _described(kind: Any) -> tuple[tuple[str, Any, bool], ...]:
    """Return the name and the type of each field, and whether it has a default."""
    hints = get_type_hints(kind)
    return tuple((field.name, hints[field.name], field.default is not MISSING) for field in fields(kind))

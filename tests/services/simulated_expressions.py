"""DynamoDB's update and condition expressions, as far as the adapter uses them, over plain values."""

import operator
import re
from collections.abc import Callable
from functools import cache
from typing import Any

Item = dict[str, Any]
Value = Callable[[Item, dict[str, Any], dict[str, str]], Any]

_TOKEN = re.compile(r"[#:\w.]+|<=|>=|<>|[=<>(),+-]")
_COMPARISONS = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def holds(expression: str, item: Item, values: dict[str, Any], names: dict[str, str]) -> bool:
    """Return whether a condition holds; a missing operand makes a comparison false."""
    return not expression or bool(_condition(expression)(item, values, names))


def apply(expression: str, item: Item, values: dict[str, Any], names: dict[str, str]) -> None:
    """Change an item by an update expression."""
    parts = re.split(r"\b(SET|REMOVE|ADD|DELETE)\b", expression)
    before = {**item}
    for clause, actions in zip(parts[1::2], parts[2::2], strict=True):
        for action in actions.split(","):
            target, *rest = re.split(r"\s*=\s*|\s+", action.strip())
            holder, name = _place(item, target, names)
            given = _operand(rest[0])(before, values, names) if rest else None
            if clause == "SET":
                holder[name] = given
            elif clause == "REMOVE":
                holder.pop(name, None)
            elif clause == "ADD":
                held = holder.get(name, frozenset() if isinstance(given, frozenset) else 0)
                holder[name] = held | given if isinstance(given, frozenset) else held + given
            else:
                holder[name] = holder.get(name, frozenset()) - given


def _place(item: Item, path: str, names: dict[str, str]) -> tuple[Item, str]:
    """Return the map that holds a path's last name; a map on the way is copied."""
    *above, last = [names.get(part, part) for part in path.split(".")]
    for name in above:
        item[name] = {**item[name]}
        item = item[name]
    return item, last


@cache
def _operand(token: str) -> Value:
    def read(item: Item, values: dict[str, Any], names: dict[str, str]) -> Any:
        if token.startswith(":"):
            return values[token]
        found: Any = item
        for part in token.split("."):
            found = found.get(names.get(part, part)) if isinstance(found, dict) else None
        return found

    return read


@cache
def _condition(expression: str) -> Value:
    return _any_of(_TOKEN.findall(expression))


def _any_of(tokens: list[str]) -> Value:
    """Take alternatives up to a closing parenthesis."""
    options = [_all_of(tokens)]
    while tokens and tokens[0] == "OR":
        tokens.pop(0)
        options.append(_all_of(tokens))
    return lambda *of: any(option(*of) for option in options)


def _all_of(tokens: list[str]) -> Value:
    terms = [_term(tokens)]
    while tokens and tokens[0] == "AND":
        tokens.pop(0)
        terms.append(_term(tokens))
    return lambda *of: all(term(*of) for term in terms)


def _term(tokens: list[str]) -> Value:
    first = tokens.pop(0)
    if first == "(":
        inner = _any_of(tokens)
        tokens.pop(0)
        return inner
    if first in {"attribute_exists", "attribute_not_exists", "begins_with"}:
        return _function(first, tokens)
    left = _size(tokens) if first == "size" else _operand(first)
    compare, right = _COMPARISONS[tokens.pop(0)], _operand(tokens.pop(0))

    def compared(*of: Any) -> bool:
        a, b = left(*of), right(*of)
        return a is not None and b is not None and bool(compare(a, b))

    return compared


def _function(name: str, tokens: list[str]) -> Value:
    arguments = []
    while (token := tokens.pop(0)) != ")":
        if token not in "(,":
            arguments.append(_operand(token))
    if name == "begins_with":
        return lambda *of: str(arguments[0](*of)).startswith(arguments[1](*of))
    is_wanted = name == "attribute_exists"
    return lambda *of: (arguments[0](*of) is not None) == is_wanted


def _size(tokens: list[str]) -> Value:
    _, path, _ = tokens.pop(0), _operand(tokens.pop(0)), tokens.pop(0)
    return lambda *of: None if path(*of) is None else len(path(*of))

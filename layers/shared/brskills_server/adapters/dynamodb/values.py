"""Plain values as DynamoDB's attribute values, and the parts of an UpdateItem."""

from collections.abc import Mapping
from typing import Any

Key = str | tuple[str, str]
"""Of an item: its ``pk``, with its ``sk`` in a table that has one."""


def encode(
    value: str | int | bytes | frozenset[str] | tuple[Any, ...] | Mapping[str, Any],
) -> dict[str, Any]:
    """Return a text, integer, boolean, bytes, set of texts, tuple or mapping as an attribute value.

    >>> encode({"status": "active", "version": 2})
    {'M': {'status': {'S': 'active'}, 'version': {'N': '2'}}}
    """
    if isinstance(value, Mapping):
        return {"M": {name: encode(part) for name, part in value.items()}}
    if isinstance(value, frozenset):
        return {"SS": sorted(value)}
    if isinstance(value, tuple):
        return {"L": [encode(part) for part in value]}
    if isinstance(value, bool):
        return {"BOOL": value}
    if isinstance(value, int):
        return {"N": str(value)}
    return {"S": value} if isinstance(value, str) else {"B": value}


def encode_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item of plain values in DynamoDB's form."""
    return {name: encode(value) for name, value in item.items()}


def encode_key(key: Key) -> dict[str, Any]:
    """Return a key in DynamoDB's form."""
    return encode_item({"pk": key} if isinstance(key, str) else {"pk": key[0], "sk": key[1]})


def decode_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plain values of an item, or of a mapping in it; the reverse of :func:`encode`."""
    return {name: _decode(*attribute) for name, value in item.items() for attribute in value.items()}


def _decode(kind: str, value: Any) -> Any:
    if kind == "M":
        return decode_item(value)
    if kind == "SS":
        return frozenset(value)
    if kind == "L":
        return tuple(_decode(*attribute) for part in value for attribute in part.items())
    return int(value) if kind == "N" else value


def change(
    update: str, names: Mapping[str, str], values: Mapping[str, Any], condition: str = ""
) -> dict[str, Any]:
    """Return the parts of an UpdateItem, without ``update`` of a DeleteItem.

    ``names`` and ``values``: by placeholder without ``#`` and ``:``.
    """
    parts: dict[str, Any] = {"UpdateExpression": update} if update else {}
    if condition:
        parts["ConditionExpression"] = condition
    if values:
        parts["ExpressionAttributeValues"] = {f":{place}": encode(value) for place, value in values.items()}
    if names:
        parts["ExpressionAttributeNames"] = {f"#{place}": name for place, name in names.items()}
    return parts


def assign(fields: Mapping[str, Any]) -> tuple[str, dict[str, str], dict[str, Any]]:
    """Return the arguments of :func:`change` that set every field, or remove it if ``None``.

    >>> assign({"plan": "pro", "monthly_limit": None})
    ('SET #f0 = :f0 REMOVE #f1', {'f0': 'plan', 'f1': 'monthly_limit'}, {'f0': 'pro'})
    """
    names = {f"f{n}": field for n, field in enumerate(fields)}
    values = {place: fields[field] for place, field in names.items() if fields[field] is not None}
    clauses = []
    if values:
        clauses.append("SET " + ", ".join(f"#{place} = :{place}" for place in values))
    if removed := [f"#{place}" for place in names if place not in values]:
        clauses.append("REMOVE " + ", ".join(removed))
    return " ".join(clauses), names, values


def count_up_to(limit: int, counter: str, expires_at: int, more: int) -> dict[str, Any]:
    """Return the parts of an UpdateItem that adds ``more`` to a counter unless that exceeds ``limit``."""
    return change(
        "ADD #count :more SET expires_at = :ends",
        {"count": counter},
        {"more": more, "most": limit - more, "ends": expires_at},
        "attribute_not_exists(#count) OR #count <= :most",
    )

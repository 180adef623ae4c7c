"""A ``storage.Table`` in memory, for tests that go through every order of things.

It knows just the expressions that opening an account, moving it to a plan and recording a subscription
use, and fails on any other; the same code runs against DynamoDB's rules in the tests beside those.
"""

from __future__ import annotations

import copy
import re
from typing import Any

from storage import Item, Unmet

__all__ = ["MemoryTable"]


class MemoryTable:
    """Items by key; every method does what its namesake does, at once."""

    def __init__(self) -> None:
        self.items: dict[str, Item] = {}

    def get(self, pk: str) -> Item | None:
        return copy.deepcopy(self.items.get(pk))

    def put(self, item: Item, **condition: Any) -> None:
        self.transact({"Put": {"Item": item, **condition}})

    def update(self, pk: str, **expression: Any) -> Item:
        self.transact({"Update": {"Key": {"pk": {"S": pk}}, **expression}})
        return copy.deepcopy(self.items[pk])

    def transact(self, *writes: dict[str, Any]) -> None:
        flat = [(kind, write) for each in writes for kind, write in each.items()]
        for _, write in flat:
            pk = write.get("Key", write.get("Item"))["pk"]["S"]
            if not _holds(self.items.get(pk, {}), write):
                raise Unmet(self.get(pk))
        for kind, write in flat:
            if kind == "Put":
                self.items[write["Item"]["pk"]["S"]] = copy.deepcopy(write["Item"])
            else:
                _change(self.items[write["Key"]["pk"]["S"]], write)


def _holds(item: Item, write: dict[str, Any]) -> bool:
    return all(_is_true(item, test, write) for test in write.get("ConditionExpression", "").split(" AND "))


def _is_true(item: Item, test: str, write: dict[str, Any]) -> bool:
    if not test:
        return True
    if existence := re.fullmatch(r"attribute_(not_)?exists\((\w+)\)", test):
        return (existence[2] in item) != bool(existence[1])
    name, value = test.split(" = ")
    return item.get(_name(name, write)) == write["ExpressionAttributeValues"][value]


def _change(item: Item, write: dict[str, Any]) -> None:
    sets, _, removals = write["UpdateExpression"].removeprefix("SET ").partition(" REMOVE ")
    for assignment in sets.split(", "):
        name, value = assignment.split(" = ")
        item[_name(name, write)] = copy.deepcopy(write["ExpressionAttributeValues"][value])
    for name in filter(None, removals.split(", ")):
        item.pop(_name(name, write), None)


def _name(name: str, write: dict[str, Any]) -> str:
    return write["ExpressionAttributeNames"][name] if name.startswith("#") else name

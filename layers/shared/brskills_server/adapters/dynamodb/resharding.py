"""Splitting an account into shards, and joining them, while calls are counted.

An account has no shards, or ``shards`` items that count, all with the same keys, or while they are joined
``joining`` items, of which its own alone counts. Each step is one transaction: a failure in between leaves
one of these, in which every call is counted and every change of keys applies at once. Its items have the
``split_id`` of their split, so that those of two splits are never taken for one account.

Only an account that gets a limit is joined. One that needs fewer keeps its shards: while they are joined, one
item would have to take all of its calls.
"""

import secrets
from functools import cached_property
from typing import Any

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb import items
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.shards import (
    KnownShards,
    calls_of,
    item_count,
    item_key,
    items_needed,
    read_items,
)
from brskills_server.adapters.dynamodb.table import DynamoStore, Item
from brskills_server.adapters.dynamodb.values import assign, change

_IS_ONE_ITEM = "attribute_exists(pk) AND attribute_not_exists(shards) AND attribute_not_exists(joining)"

_TRIES = 20
_PAUSES = (0.1,) * 100
"""Before a write is sent again that a busy item did not take: until then few calls are answered."""


class DynamoShards(DynamoStore):
    """The items of accounts."""

    @cached_property
    def _known(self) -> KnownShards:
        return KnownShards()

    def read_usage(self, account: str) -> Account | None:
        """GetItem of the account, and of each shard."""
        found = read_items(self._table, account)
        return items.account_of({**found[0], **calls_of(found)}) if found else None

    def _set_limit(self, account: str, **fields: Any) -> bool:
        """Set plan or limit: UpdateItem, then :meth:`_split`; before it :meth:`_join` if there are shards."""
        parts = change(*assign(fields), _IS_ONE_ITEM)
        for _ in range(_TRIES):
            try:
                self._split(self._table.update(item_key(account, 0), parts, pauses=_PAUSES))
            except ConditionFailed as failed:
                if failed.item is None or item_count(failed.item) == 1:
                    return False
                if _is_set(failed.item, fields):
                    self._split(failed.item)
                    return True
                self._join(account)
            else:
                return True
        raise StoreUnavailable("the account changes too quickly")

    def _split(self, item: Item) -> None:
        """Transaction: UpdateItem of the account, PutItem of each further shard it needs."""
        found: Item | None = item
        for _ in range(_TRIES):
            if found is None or "joining" in found or item_count(found) >= _needed(found):
                return
            try:
                self._table.together(*self._splitting(found), pauses=_PAUSES)
            except ConditionFailed as failed:  # its keys or its plan changed meanwhile
                found = failed.item
            else:
                return
        raise StoreUnavailable("the account changes too quickly")

    def _splitting(self, item: Item) -> list[dict[str, Any]]:
        account, has, needed = item["pk"].partition("#")[2], item_count(item), _needed(item)
        split_id = item.get("split_id") or secrets.token_hex(4)
        copied = {"plan": item["plan"], "keys": item["keys"], "split_id": split_id}
        as_read = "#plan = :plan AND #keys = :keys AND attribute_not_exists(monthly_limit)"
        names, values = {"plan": "plan", "keys": "keys"}, {**copied, "needed": needed}
        is_split, split = has_items(has)
        if has > 1:
            is_split += " AND split_id = :split_id"
        parts = change(
            "SET shards = :needed, split_id = :split_id",
            names,
            values | split,
            f"{as_read} AND {is_split} AND attribute_not_exists(joining)",
        )
        return [
            self._table.updating(item["pk"], parts, returned=True),
            *(
                self._table.creating({"pk": item_key(account, number), **copied})
                for number in range(has, needed)
            ),
        ]

    def _join(self, account: str) -> None:
        """Move the calls of shards into the account's item: GetItem of each, and two transactions.

        The first lets no shard count any more, so that the second finds the counters as they were read,
        unless a call was released.
        """
        for _ in range(_TRIES):
            found = read_items(self._table, account)
            if not found or item_count(found[0]) == 1:
                return
            try:
                writes = self._closing(found) if "shards" in found[0] else self._adding(found)
                self._table.together(*writes, pauses=_PAUSES)
            except ConditionFailed:
                continue
        raise StoreUnavailable("the account changes too quickly")

    def _closing(self, found: list[Item]) -> list[dict[str, Any]]:
        own, *shards = found
        is_split, number = has_items(len(found))
        closed = change("SET joining = :shards REMOVE shards", {}, number, is_split)
        no_keys = change("REMOVE #keys", {"keys": "keys"}, {}, "attribute_exists(pk)")
        return [
            self._table.updating(own["pk"], closed),
            *(self._table.updating(shard["pk"], no_keys) for shard in shards),
        ]

    def _adding(self, found: list[Item]) -> list[dict[str, Any]]:
        own, *shards = found
        names, values = _placed(calls_of(shards))
        added = "ADD " + ", ".join(f"#{place} :{place}" for place in names) if names else ""
        values |= {"joining": len(found), "split_id": own["split_id"]}
        as_read = "joining = :joining AND split_id = :split_id"
        parts = change(f"{added} REMOVE joining, split_id", names, values, as_read)
        return [self._table.updating(own["pk"], parts), *map(self._deleting, shards)]

    def _deleting(self, shard: Item) -> dict[str, Any]:
        """Return the write that deletes a shard with the counters that were read."""
        names, values = _placed(calls_of([shard]))
        as_read = ["attribute_exists(pk)", *(f"#{place} = :{place}" for place in names)]
        return self._table.deleting(shard["pk"], change("", names, values, " AND ".join(as_read)))


def has_items(number: int) -> tuple[str, dict[str, int]]:
    """Return a condition of an account's item, and its values: so many items count."""
    if number == 1:
        return "attribute_not_exists(shards)", {}
    return "shards = :shards", {"shards": number}


def _needed(item: Item) -> int:
    return items_needed(item["plan"], item.get("monthly_limit"))


def _is_set(item: Item, fields: dict[str, Any]) -> bool:
    """Return whether an account has these fields, and its items count."""
    return "joining" not in item and all(item.get(name) == value for name, value in fields.items())


def _placed(counters: dict[str, int]) -> tuple[dict[str, str], dict[str, int]]:
    """Return counters' names and values by placeholder."""
    names = {f"c{n}": name for n, name in enumerate(counters)}
    return names, {place: counters[name] for place, name in names.items()}

"""The keys of accounts: in the account's item, in each of its shards, and a record for each key.

A key's record is written with the key's entry in its account, or before it: a failure in between leaves a key
that is active nowhere, never an account without its key.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb import items
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.resharding import DynamoShards, has_items
from brskills_server.adapters.dynamodb.shards import item_key
from brskills_server.adapters.dynamodb.values import also, change

KEY_IS_ACTIVE = "(#keys.#key = :zero OR #keys.#key > :now)"

_EXISTS = "attribute_exists(pk)"
_TRIES = 5


class DynamoKeys(DynamoShards):
    """The part of ``AccountStore`` for keys. Shards change in the transaction that changes their account."""

    def account_of_key(self, key: str) -> str | None:
        item = self._table.get(items.KEY + key)
        return None if item is None else str(item["account"])

    def add_key(self, account: str, key: str) -> bool:
        """Transaction: UpdateItem of the account and of each shard, PutItem of the key's record."""
        parts = change("SET #keys.#new = :zero", {"keys": "keys", "new": key}, {"zero": 0}, _EXISTS)
        return self._list_key(account, key, parts)

    def rotate_key(
        self, account: str, old: str, new: str, *, ends: int, expired: Collection[str], most: int, now: int
    ) -> bool:
        """Transaction as in :meth:`add_key`, then UpdateItem of the old record."""
        update = "SET #keys.#new = :zero, #keys.#key = :ends"
        places = {f"expired{n}": key for n, key in enumerate(expired)}
        if places:
            update += " REMOVE " + ", ".join(f"#keys.#{place}" for place in places)
        names = {"keys": "keys", "key": old, "new": new, **places}
        values = {"zero": 0, "now": now, "ends": ends, "most": most - 1 + len(places)}
        forgotten = "".join(f" AND attribute_exists(#keys.#{place})" for place in places)
        parts = change(update, names, values, f"{KEY_IS_ACTIVE} AND size(#keys) <= :most{forgotten}")
        return self._list_key(account, new, parts) and self._expire_key(old, ends)

    def revoke_key(self, account: str, key: str, now: int) -> bool:
        """UpdateItem of the account (with shards a transaction), UpdateItem of the key's record."""
        names = {"keys": "keys", "key": key}
        parts = change("REMOVE #keys.#key", names, {"zero": 0, "now": now}, KEY_IS_ACTIVE)
        return self._change_keys(account, parts) and self._expire_key(key, now)

    def revoke_all_keys(self, account: str, now: int) -> Account | None:
        """UpdateItem of the account (with shards a transaction), UpdateItem of each key's record."""
        parts = change("SET #keys = :none", {"keys": "keys"}, {"none": {}}, _EXISTS)
        try:
            own = also(parts, *has_items(1))
            before = items.account_of(self._table.update(items.ACCOUNT + account, own, returned="ALL_OLD"))
        except ConditionFailed as failed:
            found = self.read_usage(account) if failed.item and "shards" in failed.item else None
            if found is None or not self._change_keys(account, parts):
                return None
            before = found
        for key in before.keys:
            self._expire_key(key, now)
        return before

    def _list_key(self, account: str, key: str, parts: dict[str, Any]) -> bool:
        record = self._table.creating({"pk": items.KEY + key, "account": account})
        return self._change_keys(account, parts, record)

    def _change_keys(self, account: str, parts: Mapping[str, Any], *others: Mapping[str, Any]) -> bool:
        """Make the same change of keys in an account and its shards, with other writes, or in none.

        A transaction, or an UpdateItem where that is all. Return ``False`` if a condition fails.
        """
        shards = 1
        for _ in range(_TRIES):
            own = also(parts, *has_items(shards))
            copies = [self._table.updating(item_key(account, n), parts) for n in range(1, shards)]
            try:
                if others or copies:
                    first = self._table.updating(items.ACCOUNT + account, own, returned=True)
                    self._table.together(first, *others, *copies)
                else:
                    self._table.update(items.ACCOUNT + account, own)
            except ConditionFailed as failed:
                found = (failed.item or {}).get("shards", 1)
                if found == shards or (failed.writes and 0 not in failed.writes):
                    return False
                shards = found
            else:
                return True
        raise StoreUnavailable("the account changes too quickly")

    def _expire_key(self, key: str, ends: int) -> bool:
        # The record only names the account. It may be deleted already, and an error here must not hide that
        # the account, which decides, was changed.
        with suppress(StoreUnavailable):
            self._table.try_update(
                items.KEY + key, change("SET expires_at = :ends", {}, {"ends": ends}, _EXISTS)
            )
        return True

"""Accounts and their keys in the Access table.

A key's record is written with the key's entry in its account, or before it: a failure in between leaves a key
that is active nowhere, never an account without its key.
"""

from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb import items
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.table import DynamoStore, Item
from brskills_server.adapters.dynamodb.values import assign, change

KEY_IS_ACTIVE = "(#keys.#key = :zero OR #keys.#key > :now)"
_EXISTS = "attribute_exists(pk)"


class DynamoAccounts(DynamoStore):
    """``AccountStore``. The attribute ``own_lane`` holds ``Account.dedicated_gateway_key``."""

    def read_account(self, account: str) -> Account | None:
        item = self._table.get(items.ACCOUNT + account)
        return None if item is None else items.account_of(item)

    def account_of_key(self, key: str) -> str | None:
        item = self._table.get(items.KEY + key)
        return None if item is None else str(item["account"])

    def open_account(self, account: Account) -> bool:
        """PutItem of each key's record, then of the account."""
        for key in account.keys:
            self._table.put({"pk": items.KEY + key, "account": account.id})
        try:
            self._table.create(items.account_fields(account))
        except ConditionFailed:
            return False
        return True

    def add_key(self, account: str, key: str) -> bool:
        """Transaction: UpdateItem of the account, PutItem of the key's record."""
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
        """UpdateItem of the account, UpdateItem of the key's record."""
        names = {"keys": "keys", "key": key}
        parts = change("REMOVE #keys.#key", names, {"zero": 0, "now": now}, KEY_IS_ACTIVE)
        return self._table.try_update(items.ACCOUNT + account, parts) and self._expire_key(key, now)

    def revoke_all_keys(self, account: str, now: int) -> Account | None:
        """UpdateItem of the account, UpdateItem of each key's record."""
        parts = change("SET #keys = :none", {"keys": "keys"}, {"none": {}}, _EXISTS)
        try:
            before = items.account_of(self._table.update(items.ACCOUNT + account, parts, returned="ALL_OLD"))
        except ConditionFailed:
            return None
        for key in before.keys:
            self._expire_key(key, now)
        return before

    def set_plan(self, account: str, plan: str, monthly_limit: int | None) -> bool:
        return self._set(account, plan=plan, monthly_limit=monthly_limit)

    def set_limit(self, account: str, monthly_limit: int | None) -> bool:
        return self._set(account, monthly_limit=monthly_limit)

    def set_skills(self, account: str, skills: Collection[str]) -> bool:
        return self._set(account, skills=frozenset(skills) or None)  # DynamoDB has no empty sets

    def set_dedicated_gateway_key(self, account: str, plan: str) -> bool:
        return self._set(account, own_lane=plan)

    def _set(self, account: str, **fields: Any) -> bool:
        return self._table.try_update(items.ACCOUNT + account, change(*assign(fields), _EXISTS))

    def delete_account(self, account: str) -> Account | None:
        """GetItem of the account, DeleteItem of its keys' records and grants, of it, and of later ones."""
        found = _parts(self._table.get(items.ACCOUNT + account) or {})
        for pk in found:
            self._table.delete(pk)
        deleted = self._table.delete(items.ACCOUNT + account)
        if deleted is None:
            return None
        for pk in _parts(deleted) - found:
            self._table.delete(pk)
        return items.account_of(deleted)

    def list_accounts(self) -> Iterator[Account]:
        return map(items.account_of, self._table.scan(items.ACCOUNT))

    def list_demo_calls(self) -> Iterator[dict[str, int]]:
        return (items.by_name(item, items.CALLS) for item in self._table.scan(items.DEMO))

    def _list_key(self, account: str, key: str, parts: dict[str, Any]) -> bool:
        try:
            self._table.update_and_create(
                items.ACCOUNT + account, parts, {"pk": items.KEY + key, "account": account}
            )
        except ConditionFailed:
            return False
        return True

    def _expire_key(self, key: str, ends: int) -> bool:
        # The record only names the account. It may be deleted already, and an error here must not hide that
        # the account, which decides, was changed.
        with suppress(StoreUnavailable):
            self._table.try_update(
                items.KEY + key, change("SET expires_at = :ends", {}, {"ends": ends}, _EXISTS)
            )
        return True


def _parts(item: Item) -> set[str]:
    """Return the keys of an account's key records and grants."""
    keys, grants = item.get("keys", ()), item.get("grants", ())
    return {items.KEY + key for key in keys} | {items.GRANT + grant for grant in grants}

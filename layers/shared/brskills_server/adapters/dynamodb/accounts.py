"""Accounts in the Access table."""

from collections.abc import Collection, Iterator
from typing import Any

from brskills_server.accounts.account import Account
from brskills_server.adapters.dynamodb import items
from brskills_server.adapters.dynamodb.account_keys import DynamoKeys
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.shards import is_shard, item_count
from brskills_server.adapters.dynamodb.table import Item
from brskills_server.adapters.dynamodb.values import assign, change

_EXISTS = "attribute_exists(pk)"


class DynamoAccounts(DynamoKeys):
    """``AccountStore``. The attribute ``own_lane`` holds ``Account.dedicated_gateway_key``."""

    def read_account(self, account: str) -> Account | None:
        item = self._table.get(items.ACCOUNT + account)
        return None if item is None else items.account_of(item)

    def open_account(self, account: Account) -> bool:
        """PutItem of each key's record, then of the account."""
        for key in account.keys:
            self._table.put({"pk": items.KEY + key, "account": account.id})
        try:
            self._table.create(items.account_fields(account))
        except ConditionFailed:
            return False
        self._split(items.account_fields(account))
        return True

    def set_plan(self, account: str, plan: str, monthly_limit: int | None) -> bool:
        return self._set_limit(account, plan=plan, monthly_limit=monthly_limit)

    def set_limit(self, account: str, monthly_limit: int | None) -> bool:
        return self._set_limit(account, monthly_limit=monthly_limit)

    def set_skills(self, account: str, skills: Collection[str]) -> bool:
        return self._set(account, skills=frozenset(skills) or None)  # DynamoDB has no empty sets

    def set_dedicated_gateway_key(self, account: str, plan: str) -> bool:
        return self._set(account, own_lane=plan)

    def _set(self, account: str, **fields: Any) -> bool:
        return self._table.try_update(items.ACCOUNT + account, change(*assign(fields), _EXISTS))

    def delete_account(self, account: str) -> Account | None:
        """GetItem of the account, DeleteItem of its keys' records and grants, of it, and of later ones.

        Shards are joined before.
        """
        item = self._table.get(items.ACCOUNT + account) or {}
        if item_count(item) > 1:
            self._join(account)
        found = _parts(item)
        for pk in found:
            self._table.delete(pk)
        deleted = self._table.delete(items.ACCOUNT + account)
        if deleted is None:
            return None
        for pk in _parts(deleted) - found:
            self._table.delete(pk)
        return items.account_of(deleted)

    def list_accounts(self) -> Iterator[Account]:
        for item in self._table.scan(items.ACCOUNT):
            if is_shard(item["pk"]):
                continue
            account = items.account_of(item)
            if item_count(item) == 1:
                yield account
            elif whole := self.read_usage(account.id):
                yield whole

    def list_demo_calls(self) -> Iterator[dict[str, int]]:
        return (items.by_name(item, items.CALLS) for item in self._table.scan(items.DEMO))


def _parts(item: Item) -> set[str]:
    """Return the keys of an account's key records and grants."""
    keys, grants = item.get("keys", ()), item.get("grants", ())
    return {items.KEY + key for key in keys} | {items.GRANT + grant for grant in grants}

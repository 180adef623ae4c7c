"""Grants and clients in the Access table.

A grant's item is written with the grant's entry in its account. It is deleted before that entry is: a failure
in between leaves a dangling entry, which is removed when the account has no room.
"""

from collections.abc import Collection
from contextlib import suppress

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.accounts.grant import Client, Grant
from brskills_server.adapters.dynamodb import items
from brskills_server.adapters.dynamodb.accounts import KEY_IS_ACTIVE
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.table import DynamoStore
from brskills_server.adapters.dynamodb.values import assign, change

_LISTED = {"grants": "grants"}
_HAS_ROOM = "(attribute_not_exists(#grants) OR size(#grants) < :most)"
_IS_OF_ACCOUNT = "#account = :account"
_HAS_ENDED = "attribute_not_exists(pk) OR expires_at <= :now"
_CHANGED = (
    *("family", "turn", "access", "access_ends", "former", "former_ends"),
    *("used_at", "expires_at", "version"),
)


class DynamoGrants(DynamoStore):
    """``GrantStore``."""

    def open_grant(self, grant: Grant, most: int, now: int) -> bool:
        """Transaction: UpdateItem of the account, PutItem of the grant.

        Without room: GetItem of the account and DeleteItem of each expired grant; if there was one,
        UpdateItem of the account, and the transaction again.
        """
        names = {"keys": "keys", "key": grant.key, **_LISTED}
        values = {"zero": 0, "now": now, "most": most, "grant": frozenset({grant.id})}
        parts = change("ADD #grants :grant", names, values, f"{KEY_IS_ACTIVE} AND {_HAS_ROOM}")
        for _ in range(2):
            with suppress(ConditionFailed):
                self._table.update_and_create(items.ACCOUNT + grant.account, parts, items.grant_fields(grant))
                return True
            if not self._remove_ended(grant.account, now):
                return False
        return False

    def read_grant(self, grant: str, now: int) -> Grant | None:
        item = self._table.get(items.GRANT + grant)
        return items.grant_of(item) if item and item["expires_at"] > now else None

    def grants_of(self, account: str, now: int) -> list[Grant]:
        """GetItem of the account, BatchGetItem of its grants."""
        found = self._table.get_all([items.GRANT + grant for grant in self._listed(account)])
        return [items.grant_of(item) for item in found if item["expires_at"] > now]

    def change_grant(self, grant: Grant) -> bool:
        update, names, values = assign({name: getattr(grant, name) for name in _CHANGED})
        names["seen"], values["seen"] = "version", grant.version - 1
        return self._table.try_update(items.GRANT + grant.id, change(update, names, values, "#seen = :seen"))

    def end_grant(self, account: str, grant: str) -> bool:
        """DeleteItem of the grant, UpdateItem of the account."""
        parts = change("", {"account": "account"}, {"account": account}, _IS_OF_ACCOUNT)
        if not self._table.try_delete(items.GRANT + grant, parts):
            return False
        with suppress(StoreUnavailable):  # it has ended, and an error here must not hide that
            self._unlist(account, [grant])
        return True

    def count_grant(self, grant: str, month: str, oldest: str, calls: int, now: int) -> None:
        """UpdateItem; another where earlier months are dropped."""
        update, values = "ADD #calls :calls SET used_at = :now", {"calls": calls, "now": now}
        parts = change(update, {"calls": items.CALLS + month}, values, "attribute_exists(pk)")
        with suppress(ConditionFailed):  # it has ended
            items.drop_months(self._table, self._table.update(items.GRANT + grant, parts), oldest)

    def keep_client(self, client: Client, expires_at: int) -> None:
        self._table.put(items.client_fields(client, expires_at))

    def read_client(self, client: str, now: int) -> Client | None:
        item = self._table.get(items.CLIENT + client)
        return items.client_of(item) if item and item["expires_at"] > now else None

    def extend_client(self, client: str, expires_at: int) -> None:
        parts = change("SET expires_at = :ends", {}, {"ends": expires_at}, "expires_at < :ends")
        self._table.try_update(items.CLIENT + client, parts)

    def _listed(self, account: str) -> frozenset[str]:
        return frozenset((self._table.get(items.ACCOUNT + account) or {}).get("grants", ()))

    def _remove_ended(self, account: str, now: int) -> bool:
        """Delete listed grants that have expired or ended; return whether there were any."""
        ended = [
            grant
            for grant in self._listed(account)
            if self._table.try_delete(items.GRANT + grant, change("", {}, {"now": now}, _HAS_ENDED))
        ]
        if ended:
            self._unlist(account, ended)
        return bool(ended)

    def _unlist(self, account: str, grants: Collection[str]) -> None:
        parts = change("DELETE #grants :ended", _LISTED, {"ended": frozenset(grants)}, "attribute_exists(pk)")
        self._table.try_update(items.ACCOUNT + account, parts)

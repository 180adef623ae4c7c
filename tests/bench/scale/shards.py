"""Counters of an unlimited account in several items (docs/decisions/35-shards.md): tried here, not built.

    ACCOUNT#<id>        as it is, and ``shards``: how many there are. Its own counters stay, and count along
    SHARD#<id>#<n>      keys (the account's), plan, calls#2026-11 …, closed (absent: no)

A call is counted by the write that there is today, to a shard instead of the account. Whatever changes the
keys changes them everywhere, in one transaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from random import randrange

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.access import _MONTH_HAS_ROOM, _counting
from brskills_server.adapters.dynamodb.accounts import _EXISTS
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.items import ACCOUNT, CALLS, account_of, by_name, named
from brskills_server.adapters.dynamodb.table import Item, Table
from brskills_server.adapters.dynamodb.values import change
from brskills_server.metering.ports import CallRefused

__all__ = ["Shards"]

_SHARD = "SHARD#"
_TRIES = 20
_OPEN = "attribute_not_exists(closed)"


class Shards:
    """Of one account. ``count``: how many the caller knows of; 0 is the account's item alone."""

    def __init__(
        self, table: Table, account: str, count: int, choose: Callable[[int], int] = randrange
    ) -> None:
        self._table = table
        self._account = ACCOUNT + account
        self._pks = [f"{_SHARD}{account}#{n}" for n in range(count)]
        self._choose = choose

    def begin(self) -> None:
        """Make them. Whoever does not know of them yet goes on counting in the account."""
        account = self._read()
        made = {"keys": account["keys"], "plan": account["plan"]}
        told = change(
            "SET shards = :count",
            {"keys": "keys"},
            {"count": len(self._pks), "keys": account["keys"]},
            "#keys = :keys AND attribute_not_exists(monthly_limit)",
        )
        shards = [self._table._creation_request({"pk": pk, **made}) for pk in self._pks]
        self._table.together(self._table.updating(self._account, told), *({"Put": one} for one in shards))

    def reserve(self, key: str, month: str, now: int) -> str:
        """Count a call; returns where, for :meth:`release`. Raises ``CallRefused``.

        One write, as today; where a shard is closed or gone, a second one, to the account.
        """
        if self._pks:
            pk = self._pks[self._choose(len(self._pks))]
            try:
                self._table.update(pk, _counting(key, month, now, 1, _OPEN, {}))
            except ConditionFailed as failed:
                if failed.item and "closed" not in failed.item:
                    raise CallRefused(None) from None  # the key is not active
            else:
                return pk
        try:
            self._table.update(self._account, _counting(key, month, now, 1, _MONTH_HAS_ROOM, {}))
        except ConditionFailed as failed:
            raise CallRefused(None if failed.item is None else account_of(failed.item)) from None
        return self._account

    def release(self, pk: str, month: str) -> None:
        """Take a call back where it was counted, or where its count has gone since."""
        parts = change(
            "ADD #calls :less", {"calls": CALLS + month}, {"less": -1, "zero": 0}, "#calls > :zero"
        )
        if not self._table.try_update(pk, parts) and pk != self._account:
            self._table.try_update(self._account, parts)

    def usage(self) -> Mapping[str, int]:
        """Calls by month: all that were answered before this was asked, and of later ones some.

        Each item is read at a moment of its own, and one write ends all shards. So where some are missing
        that the account names, all are read again, and where it names none, they are left out.
        """
        for _ in range(_TRIES):
            account, *shards = sorted(
                self._table.get_all([self._account, *self._pks]), key=lambda item: item["pk"] != self._account
            )
            if len(shards) >= account.get("shards", 0):
                return _total([account, *shards] if "shards" in account else [account])
        raise StoreUnavailable("the shards change too quickly")

    def revoke(self, key: str) -> None:
        """End a key in the account and in all shards that it has, or nowhere: ``ConditionFailed``."""
        names = {"keys": "keys", "key": key}
        listed, count = "attribute_exists(#keys.#key)", {"count": len(self._pks)}
        ending = change("REMOVE #keys.#key", names, {}, listed)
        account = change("REMOVE #keys.#key", names, count, f"{listed} AND shards = :count")
        writes = [self._table.updating(pk, ending) for pk in self._pks]
        self._table.together(self._table.updating(self._account, account), *writes)

    def fold(self, plan: str, monthly_limit: int) -> None:
        """Count in the account's item alone from now on, under a limit; may be repeated where it broke off.

        Closed shards count no more, so what is added up is all; the limit begins in the write that adds it.
        """
        closing = change("SET closed = :yes", {}, {"yes": 1}, _EXISTS)
        try:
            self._table.together(*(self._table.updating(pk, closing) for pk in self._pks))
        except ConditionFailed:
            return  # they are gone: it was done before
        for _ in range(_TRIES):
            shards = self._table.get_all(self._pks)
            if len(shards) < len(self._pks):
                return  # somebody else has done it meanwhile
            adding = self._adding(_total(shards), plan, monthly_limit)
            try:
                self._table.together(adding, *map(self._ending, shards))
            except ConditionFailed:  # a release came between, or somebody else
                continue
            return
        raise StoreUnavailable("the shards change too quickly")

    def _adding(self, total: Mapping[str, int], plan: str, monthly_limit: int) -> Mapping[str, object]:
        names = {f"c{n}": CALLS + month for n, month in enumerate(total)} | {"plan": "plan"}
        values: dict[str, int | str] = {f"c{n}": calls for n, calls in enumerate(total.values())}
        sums = ", ".join(f"#{place} :{place}" for place in values)
        update = "SET #plan = :plan, monthly_limit = :limit REMOVE shards" + (f" ADD {sums}" if sums else "")
        values |= {"plan": plan, "limit": monthly_limit}
        return self._table.updating(self._account, change(update, names, values, "attribute_exists(shards)"))

    def _ending(self, shard: Item) -> Mapping[str, object]:
        """Delete a shard, if its counters are those that were read."""
        counts = named(CALLS, by_name(shard, CALLS))
        names = {f"c{n}": name for n, name in enumerate(counts)}
        values = {f"c{n}": calls for n, calls in enumerate(counts.values())}
        same = " AND ".join([_EXISTS, *(f"#{place} = :{place}" for place in names)])
        return self._table.deleting(shard["pk"], names, values, same)

    def _read(self) -> Item:
        item = self._table.get(self._account)
        if item is None:
            raise CallRefused(None)
        return item


def _total(items: Iterable[Item]) -> Counter[str]:
    total: Counter[str] = Counter()
    for item in items:
        total.update(by_name(item, CALLS))  # one below zero counts too, which a sum of Counters leaves out
    return total

"""Watches of accounts in the Watches table, of which ``watch_items`` has the layout."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Any

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.items import ACCOUNT
from brskills_server.adapters.dynamodb.sorted_table import SortedTable
from brskills_server.adapters.dynamodb.table import DynamoStore
from brskills_server.adapters.dynamodb.values import change
from brskills_server.adapters.dynamodb.watch_items import (
    BEHIND,
    COUNT,
    FIRST_CHARACTERS,
    LAST,
    WATCH,
    WATCHED,
    watch_items,
    watch_key,
    watch_of,
    watched_key,
)
from brskills_server.watches.watch import Added, Watch, outcomes

_TRIES = 10
_AT_ONCE = 49  # two items each, with the account and the count: a transaction takes a hundred
_PAGE = 100

EXISTS = change("", {}, {}, "attribute_exists(pk)")
_IS_NEW = change("", {}, {}, "attribute_not_exists(pk)")
_ANYHOW: Mapping[str, Any] = {}


class DynamoWatches(DynamoStore):
    """The part of ``WatchStore`` for watches."""

    def __init__(self, client: Any, access_table: str, watches_table: str) -> None:
        super().__init__(client, access_table)
        self._watches = SortedTable(client, watches_table)

    def add_watches(self, account: str, wanted: Sequence[Watch], limit: int | None) -> list[Added] | None:
        """Transactions of up to 49 watches, each after a GetItem of the count and a BatchGetItem."""
        added: list[Added] = []
        for start in range(0, len(wanted), _AT_ONCE):
            some = self._add(account, wanted[start : start + _AT_ONCE], limit)
            if some is None:
                return None
            added += some
        return added

    def _add(self, account: str, wanted: Sequence[Watch], limit: int | None) -> list[Added] | None:
        is_there = self._table.checking(ACCOUNT + account, EXISTS)
        for _ in range(_TRIES):
            # The count is read first: what is not found then had no room, if there was none.
            count = (self._watches.get((ACCOUNT + account, COUNT)) or {}).get("watches", 0)
            keys = [watch_key(account, watch.cnpj) for watch in wanted]
            found = {item["cnpj"]: watch_of(item) for item in self._watches.get_all(keys)}
            added = outcomes(wanted, found, None if limit is None else limit - count)
            writes = self._writes(account, added, found, limit)
            if not writes:
                return added if self._table.get(ACCOUNT + account) else None
            try:
                self._table.together(is_there, *writes)
            except ConditionFailed as failed:
                if 0 in failed.writes:
                    return None
                continue  # another call was first
            return added
        raise StoreUnavailable("the watches change too quickly")

    def _writes(
        self, account: str, added: Sequence[Added], found: Mapping[str, Watch], limit: int | None
    ) -> list[dict[str, Any]]:
        """Return the parts of a transaction that stores what is new or has another reference."""
        writes = []
        for watch, is_new in added:
            if watch is None or found.get(watch.cnpj) == watch:
                continue
            is_as_found = _IS_NEW if is_new else change("", {}, {"since": watch.since}, "since = :since")
            of_account, of_all = watch_items(account, watch)
            writes += [self._watches.putting(of_account, is_as_found), self._watches.putting(of_all, _ANYHOW)]
        if more := sum(outcome.is_new for outcome in added):
            writes.append(self._watches.updating((ACCOUNT + account, COUNT), _counting(more, limit)))
        return writes

    def read_watch(self, account: str, cnpj: str) -> Watch | None:
        item = self._watches.get(watch_key(account, cnpj))
        return None if item is None else watch_of(item)

    def list_watches(self, account: str, after: str, limit: int) -> list[Watch]:
        found = self._watches.query(ACCOUNT + account, WATCH + after + BEHIND, WATCH + LAST, limit)
        return [watch_of(item) for item in islice(found, limit)]

    def end_watch(self, account: str, cnpj: str) -> None:
        """Transaction: DeleteItem of both items, UpdateItem of the count."""
        fewer = change("ADD watches :fewer", {}, {"fewer": -1}, "attribute_exists(pk)")
        with suppress(ConditionFailed):  # there is none
            self._table.together(
                self._watches.deleting(watch_key(account, cnpj), EXISTS),
                self._watches.deleting(watched_key(account, cnpj), _ANYHOW),
                self._watches.updating((ACCOUNT + account, COUNT), fewer),
            )

    def watches_of_all(self, after: tuple[str, str], limit: int) -> list[tuple[str, Watch]]:
        """Query a partition after the other until there are enough."""
        first = "#".join(after) + BEHIND
        partitions = (start for start in FIRST_CHARACTERS if start >= after[0][:1])
        found = chain.from_iterable(
            self._watches.query(WATCHED + start, first, LAST, limit) for start in partitions
        )
        return [(item["account"], watch_of(item)) for item in islice(found, limit)]

    def delete_watches(self, account: str) -> None:
        """Delete what an account has in the table: those of all accounts first, which its own ones name."""
        items = self._watches.query(ACCOUNT + account, BEHIND, LAST, _PAGE)
        while page := list(islice(items, _PAGE)):
            self._watches.delete_all(watched_key(account, item["cnpj"]) for item in page if "since" in item)
            self._watches.delete_all((item["pk"], item["sk"]) for item in page)


def _counting(more: int, limit: int | None) -> dict[str, Any]:
    update, values = "ADD watches :more", {"more": more}
    if limit is None:
        return change(update, {}, values)
    condition = "attribute_not_exists(watches) OR watches <= :most"
    return change(update, {}, {**values, "most": limit - more}, condition)

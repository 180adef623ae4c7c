"""Counters of calls, free absences and uncounted work by month, of accounts and of demo addresses."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb import items
from brskills_server.adapters.dynamodb.account_keys import KEY_IS_ACTIVE
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.idempotency_records import count_in_record
from brskills_server.adapters.dynamodb.releases import DynamoReleases
from brskills_server.adapters.dynamodb.shards import is_shard, read_items
from brskills_server.adapters.dynamodb.table import Item
from brskills_server.adapters.dynamodb.values import change, count_up_to
from brskills_server.metering.idempotency_record import Transition
from brskills_server.metering.ports import (
    AccountCalls,
    AddressCalls,
    CallRefused,
    Counted,
    RecordChanged,
)

_TRIES = 5

_MONTH_HAS_ROOM = (
    "(attribute_not_exists(monthly_limit) OR #calls < monthly_limit"
    " OR (attribute_not_exists(#calls) AND monthly_limit > :zero))"
)
# A condition cannot add: the limit that was read gives the most calls that the month may have.
_UNLIMITED = "attribute_not_exists(monthly_limit)"
_LIMITED = "monthly_limit = :limit AND (attribute_not_exists(#calls) OR #calls <= :most)"


class DynamoCallCounts(DynamoReleases):
    """``CallStore``."""

    def reserve_calls(self, wanted: AccountCalls) -> Counted:
        """UpdateItem that checks key and room, counts, and returns the item also if it fails.

        Another for the first calls of a month, if earlier ones are dropped. Several calls: a GetItem before
        it. With a transition: a transaction between two GetItems. In a shard, which has room for any number,
        without the GetItem before it.
        """
        pk = self._known.draw(wanted.account)
        if is_shard(pk):
            try:
                return self._reserve_in_shard(pk, wanted)
            except ConditionFailed as failed:
                if _has_keys(failed.item):
                    raise CallRefused(None) from None
                self._known.forget(wanted.account)
        if wanted.calls > 1 or wanted.transition:
            return self._reserve_under_read_limit(wanted)
        try:
            item = self._table.update(items.ACCOUNT + wanted.account, _counting(wanted, _MONTH_HAS_ROOM, {}))
        except ConditionFailed as failed:
            raise CallRefused(None if failed.item is None else items.account_of(failed.item)) from None
        return self._counted(item, wanted)

    def _reserve_in_shard(self, pk: str, wanted: AccountCalls) -> Counted:
        parts = _counting(wanted, "", {})
        if wanted.transition is None:
            return self._counted(self._table.update(pk, parts), wanted)
        self._count_in_both(pk, parts, wanted.transition, wanted.calls)
        item = self._table.get(pk) or self._table.get(items.ACCOUNT + wanted.account)
        if item is None:  # the account was deleted at this moment
            raise CallRefused(None)
        return self._counted(item, wanted)

    def _reserve_under_read_limit(self, wanted: AccountCalls) -> Counted:
        pk, calls = items.ACCOUNT + wanted.account, wanted.calls
        for _ in range(_TRIES):
            found = self.read_account(wanted.account)
            is_active = found is not None and found.is_active(wanted.key, wanted.now)
            if found is None or not is_active or not found.has_room(wanted.month, calls):
                raise CallRefused(found)
            limit = found.monthly_limit
            room = {} if limit is None else {"limit": limit, "most": limit - calls}
            parts = _counting(wanted, _LIMITED if room else _UNLIMITED, room)
            with suppress(ConditionFailed):  # the account changed meanwhile
                if wanted.transition is None:
                    return self._counted(self._table.update(pk, parts), wanted)
                self._count_in_both(pk, parts, wanted.transition, calls)
                return self._counted(self._table.get(pk) or {"pk": pk, "plan": found.plan}, wanted)
        raise StoreUnavailable("the account changes too quickly")

    def _counted(self, item: Item, wanted: AccountCalls) -> Counted:
        self._known.note(wanted.account, item)
        calls = item.get(items.CALLS + wanted.month, 0)
        if calls == wanted.calls:
            self._drop_months(item, wanted)
        return Counted(item["plan"], item.get("monthly_limit"), calls)

    def _drop_months(self, item: Item, wanted: AccountCalls) -> None:
        """Drop months of an account, and of its shards: an item alone does not know which are the newest."""
        found = [item]
        if "shards" in item or is_shard(item["pk"]):
            with suppress(StoreUnavailable):  # the call is counted, and the next month will try again
                found = read_items(self._table, wanted.account)
        items.drop_months(self._table, found, wanted.oldest)

    def reserve_demo_calls(self, wanted: AddressCalls) -> int | None:
        """UpdateItem; with a transition, a transaction and a GetItem."""
        if wanted.limit < wanted.calls:
            return None
        pk, counter = items.DEMO + wanted.address, items.CALLS + wanted.month
        parts = count_up_to(wanted.limit, counter, wanted.expires_at, wanted.calls)
        try:
            if wanted.transition is None:
                return int(self._table.update(pk, parts)[counter])
            self._count_in_both(pk, parts, wanted.transition, wanted.calls)
        except ConditionFailed:
            return None
        return self.demo_calls(wanted.address).get(wanted.month, wanted.calls)

    def _count_in_both(self, pk: str, parts: Mapping[str, Any], transition: Transition, calls: int) -> None:
        """Count in both. Raise ``RecordChanged``, or ``ConditionFailed`` if only the month refuses."""
        record = count_in_record(self._table, transition, calls)
        try:
            self._table.together(self._table.updating(pk, parts, returned=True), record)
        except ConditionFailed as failed:
            if 1 in failed.writes:
                raise RecordChanged from None
            raise

    def count_uncounted(self, account: str, key: str, month: str, now: int, units: int) -> tuple[str, int]:
        counter = items.UNCOUNTED + month
        names = {"units": counter, "keys": "keys", "key": key}
        parts = change("ADD #units :more", names, {"more": units, "zero": 0, "now": now}, KEY_IS_ACTIVE)
        for pk in (self._known.draw(account), items.ACCOUNT + account):
            try:
                item = self._table.update(pk, parts)
            except ConditionFailed as failed:
                if _has_keys(failed.item):
                    break
                self._known.forget(account)
            else:
                self._known.note(account, item)
                return item["plan"], item[counter]
        raise CallRefused(None)

    def count_demo_uncounted(self, address: str, month: str, expires_at: int, units: int) -> int:
        counter = items.UNCOUNTED + month
        update = "ADD #units :more SET expires_at = :ends"
        parts = change(update, {"units": counter}, {"more": units, "ends": expires_at})
        return int(self._table.update(items.DEMO + address, parts)[counter])

    def demo_calls(self, address: str) -> dict[str, int]:
        return items.by_name(self._table.get(items.DEMO + address) or {}, items.CALLS)


def _has_keys(refusing: Item | None) -> bool:
    """Return whether an item that refuses a call counts at all, so that the key has ended.

    Keys change in all items of an account at once, so one of them decides.
    """
    return refusing is not None and "keys" in refusing


def _counting(wanted: AccountCalls, has_room: str, values: Mapping[str, int]) -> dict[str, Any]:
    """Return an update that counts calls of an account with an active key, if there is room."""
    return change(
        "ADD #calls :more",
        {"calls": items.CALLS + wanted.month, "keys": "keys", "key": wanted.key},
        {"more": wanted.calls, "zero": 0, "now": wanted.now, **values},
        f"{KEY_IS_ACTIVE} AND {has_room}" if has_room else KEY_IS_ACTIVE,
    )

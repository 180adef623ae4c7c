"""Counters of calls, free absences and uncounted work by month, of accounts and of demo addresses."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb import items
from brskills_server.adapters.dynamodb.accounts import KEY_IS_ACTIVE, DynamoAccounts
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.idempotency_records import count_in_record, release_from_record
from brskills_server.adapters.dynamodb.table import Item
from brskills_server.adapters.dynamodb.values import change, count_up_to
from brskills_server.metering.idempotency_record import Transition
from brskills_server.metering.ports import (
    AccountCalls,
    AddressCalls,
    CallRefused,
    Counted,
    RecordChanged,
    Release,
)

_TRIES = 5

_MONTH_HAS_ROOM = (
    "(attribute_not_exists(monthly_limit) OR #calls < monthly_limit"
    " OR (attribute_not_exists(#calls) AND monthly_limit > :zero))"
)
# A condition cannot add: the limit that was read gives the most calls that the month may have.
_UNLIMITED = "attribute_not_exists(monthly_limit)"
_LIMITED = "monthly_limit = :limit AND (attribute_not_exists(#calls) OR #calls <= :most)"
_BELOW_LIMIT = "#count < :limit OR (attribute_not_exists(#count) AND :limit > :zero)"


class DynamoCallCounts(DynamoAccounts):
    """``CallStore``."""

    def reserve_calls(self, wanted: AccountCalls) -> Counted:
        """UpdateItem that checks key and room, counts, and returns the item also if it fails.

        Another for the first calls of a month, if earlier ones are dropped. Several calls: a GetItem before
        it. With a transition: a transaction between two GetItems.
        """
        if wanted.calls > 1 or wanted.transition:
            return self._reserve_under_read_limit(wanted)
        try:
            item = self._table.update(items.ACCOUNT + wanted.account, _counting(wanted, _MONTH_HAS_ROOM, {}))
        except ConditionFailed as failed:
            raise CallRefused(None if failed.item is None else items.account_of(failed.item)) from None
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
                return self._counted(self._table.get(pk) or {"plan": found.plan}, wanted)
        raise StoreUnavailable("the account changes too quickly")

    def _counted(self, item: Item, wanted: AccountCalls) -> Counted:
        calls = item.get(items.CALLS + wanted.month, 0)
        if calls == wanted.calls:
            items.drop_months(self._table, item, wanted.oldest)
        return Counted(item["plan"], item.get("monthly_limit"), calls)

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
            self._table.together(self._table.updating(pk, parts), record)
        except ConditionFailed as failed:
            if 1 in failed.writes:
                raise RecordChanged from None
            raise

    def release(self, release: Release, transition: Transition | None = None) -> bool:
        """Transaction: the month's calls, the release's id, and the record's calls with a transition."""
        caller = release.caller
        pk = items.DEMO + caller.address if caller.is_demo else items.ACCOUNT + caller.account
        once = change("SET expires_at = :ends", {}, {"ends": release.expires_at}, "attribute_not_exists(pk)")
        writes = [
            self._table.updating(pk, _releasing(release)),
            self._table.updating(items.RELEASE + release.id, once),
        ]
        if transition:
            writes.append(release_from_record(self._table, transition, release.calls))
        try:
            self._table.together(*writes)
        except ConditionFailed as failed:
            if 1 in failed.writes:  # it was applied before
                return True
            if 2 in failed.writes:
                raise RecordChanged from None
            return False
        return True

    def has_release(self, release: str) -> bool:
        return self._table.get(items.RELEASE + release) is not None

    def count_uncounted(self, account: str, key: str, month: str, now: int, units: int) -> tuple[str, int]:
        counter = items.UNCOUNTED + month
        names = {"units": counter, "keys": "keys", "key": key}
        parts = change("ADD #units :more", names, {"more": units, "zero": 0, "now": now}, KEY_IS_ACTIVE)
        try:
            item = self._table.update(items.ACCOUNT + account, parts)
        except ConditionFailed:
            raise CallRefused(None) from None
        return item["plan"], item[counter]

    def count_demo_uncounted(self, address: str, month: str, expires_at: int, units: int) -> int:
        counter = items.UNCOUNTED + month
        update = "ADD #units :more SET expires_at = :ends"
        parts = change(update, {"units": counter}, {"more": units, "ends": expires_at})
        return int(self._table.update(items.DEMO + address, parts)[counter])

    def demo_calls(self, address: str) -> dict[str, int]:
        return items.by_name(self._table.get(items.DEMO + address) or {}, items.CALLS)


def _counting(wanted: AccountCalls, has_room: str, values: Mapping[str, int]) -> dict[str, Any]:
    """Return an update that counts calls of an account with an active key, if there is room."""
    return change(
        "ADD #calls :more",
        {"calls": items.CALLS + wanted.month, "keys": "keys", "key": wanted.key},
        {"more": wanted.calls, "zero": 0, "now": wanted.now, **values},
        f"{KEY_IS_ACTIVE} AND {has_room}",
    )


def _releasing(release: Release) -> dict[str, Any]:
    """Return an update that releases calls, counted as a free absence if the release has an allowance."""
    names, values = {"calls": items.CALLS + release.month}, {"less": -release.calls, "calls": release.calls}
    if release.allowance is None:
        return change("ADD #calls :less", names, values, "#calls >= :calls")
    names["count"] = items.ABSENCES + release.month
    values |= {"one": 1, "zero": 0, "limit": release.allowance}
    return change("ADD #calls :less, #count :one", names, values, f"#calls >= :calls AND ({_BELOW_LIMIT})")

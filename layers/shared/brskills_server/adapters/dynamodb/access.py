"""The ports of ``access`` in one table: accounts (``accounts``), grants (``grants``), the history
(``history``), and here counters, salts and events.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from brskills_server.accounts.account import Account
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.adapters.dynamodb.accounts import KEY_IS_ACTIVE, DynamoAccounts
from brskills_server.adapters.dynamodb.client import ConditionFailed
from brskills_server.adapters.dynamodb.grants import DynamoGrants
from brskills_server.adapters.dynamodb.history import DynamoHistory
from brskills_server.adapters.dynamodb.idempotency import DynamoClaims, count_in_claim, take_from_claim
from brskills_server.adapters.dynamodb.items import (
    ABSENCES,
    ACCOUNT,
    CALLS,
    DEMO,
    EVENT,
    ISSUED,
    RELEASE,
    SALT,
    SIGNUP,
    UNCOUNTED,
    account_of,
    billing_fields,
    by_name,
)
from brskills_server.adapters.dynamodb.months import drop_months
from brskills_server.adapters.dynamodb.table import Item
from brskills_server.adapters.dynamodb.values import assign, change
from brskills_server.adapters.stores import AccessStore
from brskills_server.metering.idempotency_record import Transition
from brskills_server.metering.ports import CallRefused, Counted, RecordChanged
from brskills_server.metering.reservation import Release

__all__ = ["DynamoAccess"]

_TRIES = 5

_MONTH_HAS_ROOM = (
    "(attribute_not_exists(monthly_limit) OR #calls < monthly_limit"
    " OR (attribute_not_exists(#calls) AND monthly_limit > :zero))"
)
# A condition cannot add: of a limit that was read it says what the month may have at most.
_UNLIMITED = "attribute_not_exists(monthly_limit)"
_LIMITED = "monthly_limit = :limit AND (attribute_not_exists(#calls) OR #calls <= :most)"
_BELOW_LIMIT = "#count < :limit OR (attribute_not_exists(#count) AND :limit > :zero)"
_FIRST_CHANGE = "#plan = :plan_before AND attribute_not_exists(billing_version)"
_LATER_CHANGE = "#plan = :plan_before AND billing_version = :version_before"


class DynamoAccess(DynamoAccounts, DynamoClaims, DynamoGrants, DynamoHistory, AccessStore):
    """See ``items`` for the layout of the table."""

    def ping(self) -> None:
        """One GetItem."""
        self._table.get("STATUS")

    def reserve_calls(
        self,
        account: str,
        key: str,
        month: str,
        oldest: str,
        now: int,
        calls: int = 1,
        transition: Transition | None = None,
    ) -> Counted:
        """One UpdateItem: exists, active, room, counted. When it fails it tells the item as it is.

        Another with the first call of a month, where earlier ones are dropped.
        More calls than one: a GetItem before it. With a transition: a transaction between two GetItems.
        """
        if calls > 1 or transition:
            return self._reserve_beside(account, key, month, oldest, now, calls, transition)
        parts = _counting(key, month, now, 1, _MONTH_HAS_ROOM, {})
        try:
            return self._counted(self._table.update(ACCOUNT + account, parts), month, oldest, 1)
        except ConditionFailed as failed:
            raise CallRefused(None if failed.item is None else account_of(failed.item)) from None

    def _reserve_beside(
        self,
        account: str,
        key: str,
        month: str,
        oldest: str,
        now: int,
        calls: int,
        transition: Transition | None,
    ) -> Counted:
        """Count under the limit that was read, which must still be the account's."""
        for _ in range(_TRIES):
            found = self.read_account(account)
            if found is None or not found.is_active(key, now) or not found.has_room(month, calls):
                raise CallRefused(found)
            limit = found.monthly_limit
            room = {} if limit is None else {"limit": limit, "most": limit - calls}
            parts = _counting(key, month, now, calls, _LIMITED if room else _UNLIMITED, room)
            with suppress(ConditionFailed):  # it has changed meanwhile
                if transition is None:
                    return self._counted(self._table.update(ACCOUNT + account, parts), month, oldest, calls)
                self._together(ACCOUNT + account, parts, count_in_claim(self._table, transition, calls))
                item = self._table.get(ACCOUNT + account) or {"plan": found.plan}
                return self._counted(item, month, oldest, calls)
        raise StoreUnavailable("the account changes too quickly")

    def _counted(self, item: Item, month: str, oldest: str, calls: int) -> Counted:
        counted = Counted(item["plan"], item.get("monthly_limit"), item.get(CALLS + month, 0))
        if counted.calls == calls:
            drop_months(self._table, item, oldest)
        return counted

    def release(self, release: Release, transition: Transition | None = None) -> bool:
        """One transaction: the claim's calls if there is a transition, the month's, and the release's id."""
        caller = release.caller
        pk = DEMO + caller.address if caller.is_demo else ACCOUNT + caller.account
        once = change("SET expires_at = :ends", {}, {"ends": release.expires_at}, "attribute_not_exists(pk)")
        writes = [
            self._table.updating(pk, _releasing(release)),
            self._table.updating(RELEASE + release.id, once),
        ]
        if transition:
            writes.append(take_from_claim(self._table, transition, release.calls))
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
        """One GetItem."""
        return self._table.get(RELEASE + release) is not None

    def count_uncounted(self, account: str, key: str, month: str, now: int, units: int) -> tuple[str, int]:
        """One UpdateItem."""
        counter = UNCOUNTED + month
        names = {"units": counter, "keys": "keys", "key": key}
        values = {"more": units, "zero": 0, "now": now}
        parts = change("ADD #units :more", names, values, KEY_IS_ACTIVE)
        try:
            item = self._table.update(ACCOUNT + account, parts)
        except ConditionFailed:
            raise CallRefused(None) from None
        return item["plan"], item[counter]

    def count_demo_uncounted(self, address: str, month: str, expires_at: int, units: int) -> int:
        """One UpdateItem."""
        counter = UNCOUNTED + month
        update = "ADD #units :more SET expires_at = :ends"
        parts = change(update, {"units": counter}, {"more": units, "ends": expires_at})
        return int(self._table.update(DEMO + address, parts)[counter])

    def reserve_demo_calls(
        self,
        address: str,
        month: str,
        limit: int,
        expires_at: int,
        calls: int = 1,
        transition: Transition | None = None,
    ) -> int | None:
        """One UpdateItem; with a transition a transaction and a GetItem."""
        if limit < calls:
            return None
        parts = _counting_up_to(limit, CALLS + month, expires_at, calls)
        try:
            if transition is None:
                return int(self._table.update(DEMO + address, parts)[CALLS + month])
            self._together(DEMO + address, parts, count_in_claim(self._table, transition, calls))
        except ConditionFailed:
            return None
        return self.demo_calls(address).get(month, calls)

    def demo_calls(self, address: str) -> dict[str, int]:
        """One GetItem."""
        return by_name(self._table.get(DEMO + address) or {}, CALLS)

    def read_window(self, pseudonym: str) -> dict[str, int]:
        """One GetItem."""
        return by_name(self._table.get(SIGNUP + pseudonym) or {}, ISSUED)

    def count_in_window(self, pseudonym: str, day: str, limit: int, expires_at: int) -> bool:
        """One UpdateItem."""
        parts = _counting_up_to(limit, ISSUED + day, expires_at, 1)
        return limit > 0 and self._table.try_update(SIGNUP + pseudonym, parts)

    def month_salt(self, month: str, proposed: bytes, expires_at: int) -> bytes:
        """One GetItem; the first time in a month also a PutItem."""
        pk = SALT + month
        item = self._table.get(pk)
        if item is None:
            item = {"pk": pk, "salt": proposed, "expires_at": expires_at}
            try:
                self._table.create(item)
            except ConditionFailed:  # another process was first: its salt is the month's
                item = self._table.get(pk) or item
        return bytes(item["salt"])

    def has_event(self, event: str) -> bool:
        """One GetItem."""
        return self._table.get(EVENT + event) is not None

    def record_event(self, event: str, expires_at: int, before: Account, after: Account) -> bool:
        """One transaction: UpdateItem of the account, PutItem of the event."""
        plan = {"plan": after.plan, "monthly_limit": after.monthly_limit} if after.plan != before.plan else {}
        update, names, values = assign(plan | billing_fields(after.billing))
        names["plan"], values["plan_before"] = "plan", before.plan
        condition = _FIRST_CHANGE
        if before.billing.version:
            condition, values["version_before"] = _LATER_CHANGE, before.billing.version
        created = {"pk": EVENT + event, "expires_at": expires_at}
        parts = change(update, names, values, condition)
        try:
            self._table.update_and_create(ACCOUNT + before.id, parts, created)
        except ConditionFailed:
            return False
        return True

    def _together(self, pk: str, parts: Mapping[str, Any], claim: Mapping[str, Any]) -> None:
        """Raises ``RecordChanged``, and ``ConditionFailed`` where only the count's condition does not hold."""
        try:
            self._table.together(claim, self._table.updating(pk, parts))
        except ConditionFailed as failed:
            if 0 in failed.writes:
                raise RecordChanged from None
            raise


def _releasing(release: Release) -> dict[str, Any]:
    """The parts of an update that takes calls back, as a free absence where the release has an allowance."""
    names, values = {"calls": CALLS + release.month}, {"less": -release.calls, "calls": release.calls}
    if release.allowance is None:
        return change("ADD #calls :less", names, values, "#calls >= :calls")
    names["count"] = ABSENCES + release.month
    values |= {"one": 1, "zero": 0, "limit": release.allowance}
    return change("ADD #calls :less, #count :one", names, values, f"#calls >= :calls AND ({_BELOW_LIMIT})")


def _counting_up_to(limit: int, counter: str, expires_at: int, more: int) -> dict[str, Any]:
    """The parts of an update that adds ``more``, of which the limit has room for as many."""
    return change(
        "ADD #count :more SET expires_at = :ends",
        {"count": counter},
        {"more": more, "most": limit - more, "ends": expires_at},
        "attribute_not_exists(#count) OR #count <= :most",
    )


def _counting(
    key: str, month: str, now: int, calls: int, has_room: str, values: Mapping[str, int]
) -> dict[str, Any]:
    """The parts of an update that counts calls of an account with an active key, while there is room."""
    return change(
        "ADD #calls :more",
        {"calls": CALLS + month, "keys": "keys", "key": key},
        {"more": calls, "zero": 0, "now": now, **values},
        f"{KEY_IS_ACTIVE} AND {has_room}",
    )

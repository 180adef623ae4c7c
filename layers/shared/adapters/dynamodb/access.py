"""The ports of ``access`` in one table: accounts (``accounts``), and here counters, salts and events."""

from access import Account
from access.ports import AccessStore, CallRefused, Counted
from adapters.dynamodb.accounts import KEY_IS_ACTIVE, DynamoAccounts
from adapters.dynamodb.client import ConditionFailed
from adapters.dynamodb.items import (
    ABSENCES,
    ACCOUNT,
    CALLS,
    DEMO,
    EVENT,
    ISSUED,
    SALT,
    SIGNUP,
    account_of,
    billing_fields,
    by_name,
)
from adapters.dynamodb.values import assign, change

__all__ = ["DynamoAccess"]

_MONTH_HAS_ROOM = (
    "(attribute_not_exists(monthly_limit) OR #calls < monthly_limit"
    " OR (attribute_not_exists(#calls) AND monthly_limit > :zero))"
)
_BELOW_LIMIT = "#count < :limit OR (attribute_not_exists(#count) AND :limit > :zero)"
_IS_FREE = f"#calls > :zero AND ({_BELOW_LIMIT})"
_FIRST_CHANGE = "#plan = :plan_before AND attribute_not_exists(billing_version)"
_LATER_CHANGE = "#plan = :plan_before AND billing_version = :version_before"


class DynamoAccess(DynamoAccounts, AccessStore):
    """See ``items`` for the layout of the table."""

    def ping(self) -> None:
        """One GetItem."""
        self._table.get("STATUS")

    def reserve_call(self, account: str, key: str, month: str, oldest: str, now: int) -> Counted:
        """One UpdateItem: exists, active, room, counted. When it fails it tells the item as it is."""
        parts = change(
            "ADD #calls :one REMOVE #oldest, #oldest_absences",
            {
                "calls": CALLS + month,
                "oldest": CALLS + oldest,
                "oldest_absences": ABSENCES + oldest,
                "keys": "keys",
                "key": key,
            },
            {"one": 1, "zero": 0, "now": now},
            f"{KEY_IS_ACTIVE} AND {_MONTH_HAS_ROOM}",
        )
        try:
            item = self._table.update(ACCOUNT + account, parts)
        except ConditionFailed as failed:
            raise CallRefused(None if failed.item is None else account_of(failed.item)) from None
        return Counted(item["plan"], item.get("monthly_limit"), item[CALLS + month])

    def release_call(self, account: str, month: str) -> None:
        """One UpdateItem."""
        self._release(ACCOUNT + account, month)

    def release_absence(self, account: str, month: str, allowance: int) -> bool:
        """One UpdateItem."""
        return self._release_absence(ACCOUNT + account, month, allowance)

    def reserve_demo_call(self, address: str, month: str, limit: int, expires_at: int) -> int | None:
        """One UpdateItem."""
        return self._count(DEMO + address, CALLS + month, limit, expires_at)

    def release_demo_call(self, address: str, month: str) -> None:
        """One UpdateItem."""
        self._release(DEMO + address, month)

    def release_demo_absence(self, address: str, month: str, allowance: int) -> bool:
        """One UpdateItem."""
        return self._release_absence(DEMO + address, month, allowance)

    def demo_calls(self, address: str) -> dict[str, int]:
        """One GetItem."""
        return by_name(self._table.get(DEMO + address) or {}, CALLS)

    def signups(self, pseudonym: str) -> dict[str, int]:
        """One GetItem."""
        return by_name(self._table.get(SIGNUP + pseudonym) or {}, ISSUED)

    def count_signup(self, pseudonym: str, day: str, limit: int, expires_at: int) -> bool:
        """One UpdateItem."""
        return self._count(SIGNUP + pseudonym, ISSUED + day, limit, expires_at) is not None

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

    def _count(self, pk: str, attribute: str, limit: int, expires_at: int) -> int | None:
        parts = change(
            "ADD #count :one SET expires_at = :ends",
            {"count": attribute},
            {"one": 1, "zero": 0, "limit": limit, "ends": expires_at},
            _BELOW_LIMIT,
        )
        try:
            return int(self._table.update(pk, parts)[attribute])
        except ConditionFailed:
            return None

    def _release_absence(self, pk: str, month: str, allowance: int) -> bool:
        names = {"calls": CALLS + month, "count": ABSENCES + month}
        values = {"minus_one": -1, "one": 1, "zero": 0, "limit": allowance}
        return self._table.try_update(
            pk, change("ADD #calls :minus_one, #count :one", names, values, _IS_FREE)
        )

    def _release(self, pk: str, month: str) -> None:
        values = {"minus_one": -1, "zero": 0}
        parts = change("ADD #calls :minus_one", {"calls": CALLS + month}, values, "#calls > :zero")
        self._table.try_update(pk, parts)

"""Counting calls, exactly.

The account item holds plan, limit, keys and one counter a month, so a single conditional write says
that the account exists, that the key is alive, that the month has room — and counts. When it fails,
the item that comes back tells a dead key from a used-up month.

    ACCOUNT#<id>   plan, monthly_limit (absent: unlimited), keys {sha256: expiry or 0}, calls#2026-11 …
    KEY#<sha256>   account
    DEMO#<hash>    calls#2026-11 of one address (see access.address), expires_at
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from access import month as calendar
from access.errors import InvalidKey, QuotaExceeded
from access.plans import PLANS
from access.quota import Quota
from storage import Unmet

if TYPE_CHECKING:
    from collections.abc import Callable

    from storage import Item, Table

__all__ = ["DEMO", "Caller", "Ledger", "Reservation", "account_pk", "is_alive", "quota_of"]

DEMO = "demo"
"""The account id and plan of the public key."""

_HISTORY_MONTHS = 13
_REMEMBERED = 1000


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: an account, the digest of the key used and, for the demo key, the hashed address."""

    account: str
    key: str
    address: str = ""

    @property
    def is_demo(self) -> bool:
        """Whether this is the public key, which has no account record."""
        return self.account == DEMO


@dataclass(frozen=True, slots=True)
class Reservation:
    """One call counted: where, and how the month stands with it."""

    pk: str
    quota: Quota


class Ledger:
    """Reserve, give back, check and read. Every method may raise ``storage.StoreUnavailable``."""

    def __init__(self, table: Table, demo_limit: int, clock: Callable[[], float] = time.time) -> None:
        self._table = table
        self._demo_limit = demo_limit
        self._clock = clock
        self._spent: dict[str, str] = {}  # pk → month seen used up by this process

    def reserve(self, caller: Caller) -> Reservation:
        """Count one call, or raise ``InvalidKey`` or ``QuotaExceeded`` with nothing counted."""
        now = self._clock()
        month = calendar.name_of(now)
        pk = _pk(caller)
        if self._spent.get(pk) == month:
            self._refuse_if_spent(caller, pk, month, now)
        try:
            item = self._count_demo(pk, month, now) if caller.is_demo else self._count(caller, pk, month, now)
        except Unmet as unmet:
            self._check(caller, unmet.found, now)
            self._remember(pk, month)
            raise QuotaExceeded(self._quota(caller, unmet.found, month, now)) from None
        return Reservation(pk, self._quota(caller, item, month, now))

    def give_back(self, reservation: Reservation) -> None:
        """Uncount a reserved call in the month it was counted in."""
        counter = {"#calls": f"calls#{reservation.quota.month}"}
        self._table.update(
            reservation.pk,
            UpdateExpression="ADD #calls :minus_one",
            ConditionExpression="#calls > :zero",
            ExpressionAttributeNames=counter,
            ExpressionAttributeValues={":minus_one": {"N": "-1"}, ":zero": {"N": "0"}},
        )

    def verify(self, caller: Caller) -> None:
        """Raise ``InvalidKey`` unless the key opens its account at this moment."""
        if not caller.is_demo:
            self._check(caller, self._table.get(_pk(caller)), self._clock())

    def usage(self, caller: Caller) -> tuple[Quota, dict[str, int]]:
        """How the month stands, and the calls of earlier months by name; raises ``InvalidKey``."""
        now = self._clock()
        item = self._table.get(_pk(caller))
        self._check(caller, item, now)
        month = calendar.name_of(now)
        return self._quota(caller, item, month, now), history_of(item, before=month)

    def _count(self, caller: Caller, pk: str, month: str, now: float) -> Item:
        return self._table.update(
            pk,
            UpdateExpression="ADD #calls :one REMOVE #oldest",
            ConditionExpression=(
                "(#keys.#key = :never OR #keys.#key > :now) AND (attribute_not_exists(monthly_limit)"
                " OR #calls < monthly_limit OR (attribute_not_exists(#calls) AND monthly_limit > :never))"
            ),
            ExpressionAttributeNames={
                "#calls": f"calls#{month}",
                "#oldest": f"calls#{calendar.shifted(month, -_HISTORY_MONTHS)}",
                "#keys": "keys",
                "#key": caller.key,
            },
            ExpressionAttributeValues={
                ":one": {"N": "1"},
                ":never": {"N": "0"},
                ":now": {"N": str(int(now))},
            },
        )

    def _count_demo(self, pk: str, month: str, now: float) -> Item:
        return self._table.update(
            pk,
            UpdateExpression="ADD #calls :one SET expires_at = :end",
            ConditionExpression=("#calls < :limit OR (attribute_not_exists(#calls) AND :limit > :zero)"),
            ExpressionAttributeNames={"#calls": f"calls#{month}"},
            ExpressionAttributeValues={
                ":one": {"N": "1"},
                ":zero": {"N": "0"},
                ":limit": {"N": str(self._demo_limit)},
                ":end": {"N": str(int(calendar.end_of(now).timestamp()))},
            },
        )

    def _refuse_if_spent(self, caller: Caller, pk: str, month: str, now: float) -> None:
        # A refused conditional write costs as much as a write; hammering on a spent key only reads.
        item = self._table.get(pk)
        self._check(caller, item, now)
        quota = self._quota(caller, item, month, now)
        if quota.used_up:
            raise QuotaExceeded(quota)
        del self._spent[pk]

    def _remember(self, pk: str, month: str) -> None:
        if len(self._spent) >= _REMEMBERED:
            self._spent.clear()
        self._spent[pk] = month

    def _check(self, caller: Caller, item: Item | None, now: float) -> None:
        if not caller.is_demo and not is_alive(item, caller.key, now):
            raise InvalidKey

    def _quota(self, caller: Caller, item: Item | None, month: str, now: float) -> Quota:
        if caller.is_demo:
            return Quota(DEMO, month, _number(item or {}, f"calls#{month}"), self._demo_limit, now)
        return quota_of(item or {}, now)


def account_pk(account: str) -> str:
    """The key of an account's item."""
    return f"ACCOUNT#{account}"


def is_alive(item: Item | None, key: str, now: float) -> bool:
    """Whether an account's item holds a key that has not expired; expiry 0 is never."""
    expiry = (item or {}).get("keys", {}).get("M", {}).get(key)
    return expiry is not None and (expiry["N"] == "0" or float(expiry["N"]) > now)


def quota_of(item: Item, now: float) -> Quota:
    """How an account's item stands in the month of ``now``."""
    month = calendar.name_of(now)
    limit = int(item["monthly_limit"]["N"]) if "monthly_limit" in item else None
    plan = item["plan"]["S"] if "plan" in item else next(iter(PLANS))
    return Quota(plan, month, _number(item, f"calls#{month}"), limit, now)


def history_of(item: Item | None, before: str) -> dict[str, int]:
    """Calls by month of an account's item, oldest first, up to but without ``before``."""
    months = sorted(name[6:] for name in (item or {}) if name.startswith("calls#"))
    return {month: _number(item or {}, f"calls#{month}") for month in months if month < before}


def _pk(caller: Caller) -> str:
    return f"DEMO#{caller.address}" if caller.is_demo else account_pk(caller.account)


def _number(item: dict[str, Any], name: str) -> int:
    return int(item[name]["N"]) if name in item else 0

"""Accounts and their keys: opening, finding, rotating, revoking.

A key record leads to its account; whether the key opens it stands in the account alone, so revoking
is one write and holds at once. Key records are written before they are listed in an account: a
failure in between leaves a key that opens nothing, never an account without its key.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from access import api_key
from access.errors import DemoKey, InvalidKey, TooManyKeys
from access.ledger import DEMO, Caller, account_pk, is_alive
from access.plans import PLANS
from storage import Unmet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from access.plans import Plan
    from storage import Item, Table

__all__ = ["Accounts", "Issued", "plan_change"]

MAX_KEYS = 10
"""Keys of an account that may be alive at once, those in overlap included."""


@dataclass(frozen=True, slots=True)
class Issued:
    """A new key. ``api_key`` exists nowhere else: it is shown once and only its hash is kept."""

    api_key: str
    account: str
    plan: Plan


class Accounts:
    """The accounts in a table; every method may raise ``storage.StoreUnavailable``."""

    def __init__(self, table: Table, demo_digest: str, clock: Callable[[], float] = time.time) -> None:
        self._table = table
        self._demo_digest = demo_digest
        self._clock = clock

    def identify(self, key: str) -> tuple[Caller, Item | None]:
        """The caller a living key belongs to and its account item (the demo key has none).

        Raises ``InvalidKey``; a key of the wrong form is refused without asking the store.
        """
        digest = api_key.digest(key)
        if digest == self._demo_digest:
            return Caller(DEMO, digest), None
        if not api_key.is_well_formed(key):
            raise InvalidKey
        record = self._table.get(f"KEY#{digest}")
        if record is None:
            raise InvalidKey
        caller = Caller(record["account"]["S"], digest)
        item = self._table.get(account_pk(caller.account))
        if not is_alive(item, digest, self._clock()):
            raise InvalidKey
        return caller, item

    def open(self, plan_id: str, email: str | None = None) -> Issued:
        """A new account on a plan, with one key."""
        plan = PLANS[plan_id]
        account = f"acc_{secrets.token_hex(8)}"
        key, digest = self._new_key(account)
        item: Item = {
            "pk": {"S": account_pk(account)},
            "plan": {"S": plan.id},
            "keys": {"M": {digest: {"N": "0"}}},
            "created_at": {"N": str(int(self._clock()))},
        }
        if plan.monthly_limit is not None:
            item["monthly_limit"] = {"N": str(plan.monthly_limit)}
        if email is not None:
            item["email"] = {"S": email}
        self._table.put(item, ConditionExpression="attribute_not_exists(pk)")
        return Issued(key, account, plan)

    def rotate(self, caller: Caller, overlap: int) -> Issued:
        """A further key of the same account; the caller's own ends ``overlap`` seconds from now.

        Raises ``DemoKey``, ``InvalidKey`` or ``TooManyKeys``. An overlap never lengthens the
        life of a key that is already ending.
        """
        account = self.own(caller)
        now = int(self._clock())
        keys = {name: int(float(expiry["N"])) for name, expiry in account["keys"]["M"].items()}
        dead = [name for name, expiry in keys.items() if 0 < expiry <= now and name != caller.key]
        if overlap and len(keys) - len(dead) >= MAX_KEYS:
            raise TooManyKeys(MAX_KEYS)
        ends = min(keys[caller.key] or now + overlap, now + overlap)
        key, digest = self._new_key(caller.account)
        removal = " REMOVE " + ", ".join(f"#keys.#dead{n}" for n in range(len(dead))) if dead else ""
        self._change_keys(
            caller,
            "SET #keys.#new = :never, #keys.#key = :ends" + removal,
            names={"#new": digest} | {f"#dead{n}": name for n, name in enumerate(dead)},
            values={":ends": {"N": str(ends)}},
        )
        self._let_age(caller.key, ends)
        return Issued(key, caller.account, PLANS[account["plan"]["S"]])

    def revoke(self, caller: Caller) -> None:
        """End the caller's key at once; raises ``DemoKey`` or ``InvalidKey``."""
        self.own(caller)
        self._change_keys(caller, "REMOVE #keys.#key", names={}, values={})
        self._let_age(caller.key, int(self._clock()))

    def add_key(self, account: str) -> Issued:
        """A further key of an account whose owner lost theirs: for the operator. KeyError if unknown."""
        item = self.get(account)
        key, digest = self._new_key(account)
        self._table.update(
            account_pk(account),
            UpdateExpression="SET #keys.#new = :never",
            ConditionExpression="attribute_exists(pk)",
            ExpressionAttributeNames={"#keys": "keys", "#new": digest},
            ExpressionAttributeValues={":never": {"N": "0"}},
        )
        return Issued(key, account, PLANS[item["plan"]["S"]])

    def revoke_all(self, account: str) -> None:
        """End every key of an account: for the operator. KeyError if unknown."""
        item = self.get(account)
        self._table.update(
            account_pk(account),
            UpdateExpression="SET #keys = :none",
            ConditionExpression="attribute_exists(pk)",
            ExpressionAttributeNames={"#keys": "keys"},
            ExpressionAttributeValues={":none": {"M": {}}},
        )
        for digest in item["keys"]["M"]:
            self._let_age(digest, int(self._clock()))

    def set_plan(self, account: str, plan_id: str) -> None:
        """Move an account to a plan; its keys and the month's count stay. KeyError if unknown."""
        change, values = plan_change(plan_id)
        try:
            self._table.update(
                account_pk(account),
                UpdateExpression="SET " + change,
                ConditionExpression="attribute_exists(pk)",
                ExpressionAttributeNames={"#plan": "plan"},
                ExpressionAttributeValues=values,
            )
        except Unmet:
            raise KeyError(account) from None

    def own(self, caller: Caller) -> Item:
        """The item of the account a living key opens; raises ``DemoKey`` or ``InvalidKey``."""
        if caller.is_demo:
            raise DemoKey
        item = self._table.get(account_pk(caller.account))
        if item is None or not is_alive(item, caller.key, self._clock()):
            raise InvalidKey
        return item

    def get(self, account: str) -> Item:
        """An account's item; KeyError if there is none."""
        item = self._table.get(account_pk(account))
        if item is None:
            raise KeyError(account)
        return item

    def all(self) -> Iterator[Item]:
        """Every account's item, in no order: for the operator."""
        return self._table.scan(
            FilterExpression="begins_with(pk, :prefix)",
            ExpressionAttributeValues={":prefix": {"S": account_pk("")}},
        )

    def _new_key(self, account: str) -> tuple[str, str]:
        key = api_key.generate()
        digest = api_key.digest(key)
        self._table.put({"pk": {"S": f"KEY#{digest}"}, "account": {"S": account}})
        return key, digest

    def _change_keys(
        self, caller: Caller, change: str, names: dict[str, str], values: dict[str, dict[str, str]]
    ) -> None:
        try:
            self._table.update(
                account_pk(caller.account),
                UpdateExpression=change,
                ConditionExpression="#keys.#key = :never OR #keys.#key > :now",
                ExpressionAttributeNames={"#keys": "keys", "#key": caller.key} | names,
                ExpressionAttributeValues={
                    ":never": {"N": "0"},
                    ":now": {"N": str(int(self._clock()))},
                }
                | values,
            )
        except Unmet:
            raise InvalidKey from None

    def _let_age(self, digest: str, ends: int) -> None:
        self._table.update(
            f"KEY#{digest}",
            UpdateExpression="SET expires_at = :ends",
            ConditionExpression="attribute_exists(pk)",
            ExpressionAttributeValues={":ends": {"N": str(ends)}},
        )


def plan_change(plan_id: str) -> tuple[str, dict[str, dict[str, str]]]:
    """The end of a ``SET`` that puts an account on a plan (``#plan`` is ``plan``), and its values."""
    limit = PLANS[plan_id].monthly_limit
    if limit is None:
        return "#plan = :plan REMOVE monthly_limit", {":plan": {"S": plan_id}}
    return "#plan = :plan, monthly_limit = :limit", {":plan": {"S": plan_id}, ":limit": {"N": str(limit)}}

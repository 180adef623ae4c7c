"""The stores in memory: for tests, and to try the service out. Nothing outlives the process.

What each method does is said at its port (``access.ports``, ``registry.store``).
"""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from threading import RLock
from typing import Any

from access import Account
from access.ports import AccessStore, CallRefused
from adapters.stores import Stores, StoreSettings
from registry.store import Fields

__all__ = ["MemoryAccess", "MemoryCompanies", "open_stores"]


class MemoryAccess(AccessStore):
    """A lock makes each operation atomic among threads."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._accounts: dict[str, Account] = {}
        self._account_of_key: dict[str, str] = {}
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._salts: dict[str, bytes] = {}
        self._events: set[str] = set()

    def ping(self) -> None:
        pass

    def read_account(self, account: str) -> Account | None:
        return self._accounts.get(account)

    def account_of_key(self, key: str) -> str | None:
        return self._account_of_key.get(key)

    def open_account(self, account: Account) -> bool:
        with self._lock:
            self._account_of_key |= dict.fromkeys(account.keys, account.id)
            return self._accounts.setdefault(account.id, account) is account

    def add_key(self, account: str, key: str) -> bool:
        with self._lock:
            self._account_of_key[key] = account
            return self._change(account, keys={**self._keys(account), key: 0})

    def rotate_key(
        self, account: str, old: str, new: str, *, ends: int, expired: Collection[str], most: int, now: int
    ) -> bool:
        with self._lock:
            self._account_of_key[new] = account
            keys = {**self._keys(account, without=expired), old: ends, new: 0}
            if not self._is_active(account, old, now) or not self._keys(account).keys() >= {*expired}:
                return False
            return len(keys) <= most and self._change(account, keys=keys)

    def revoke_key(self, account: str, key: str, now: int) -> bool:
        with self._lock:
            keys = self._keys(account, without=[key])
            return self._is_active(account, key, now) and self._change(account, keys=keys)

    def revoke_all_keys(self, account: str, now: int) -> Account | None:
        with self._lock:
            before = self._accounts.get(account)
            self._change(account, keys={})
            return before

    def set_plan(self, account: str, plan: str, monthly_limit: int | None) -> bool:
        with self._lock:
            return self._change(account, plan=plan, monthly_limit=monthly_limit)

    def set_limit(self, account: str, monthly_limit: int | None) -> bool:
        with self._lock:
            return self._change(account, monthly_limit=monthly_limit)

    def delete_account(self, account: str) -> Account | None:
        with self._lock:
            before = self._accounts.pop(account, None)
            for key in before.keys if before else ():
                del self._account_of_key[key]
            return before

    def set_own_lane(self, account: str, plan: str) -> bool:
        with self._lock:
            return self._change(account, own_lane=plan)

    def list_accounts(self) -> Iterator[Account]:
        with self._lock:
            return iter(list(self._accounts.values()))

    def list_demo_calls(self) -> Iterator[dict[str, int]]:
        with self._lock:
            addresses = {address for kind, address, _ in self._counts if kind == "demo"}
            return iter([self._counted("demo", address) for address in addresses])

    def reserve_call(self, account: str, key: str, month: str, oldest: str, now: int) -> Account:
        with self._lock:
            if not self._is_active(account, key, now):
                raise CallRefused(self._accounts.get(account))
            found = self._accounts[account]
            counted = found.calls.get(month, 0)
            if found.monthly_limit is not None and counted >= found.monthly_limit:
                raise CallRefused(found)
            kept = {name: calls for name, calls in found.calls.items() if name != oldest}
            del self._counts["absences", account, oldest]
            self._change(account, calls={**kept, month: counted + 1})
            return self._accounts[account]

    def release_call(self, account: str, month: str) -> None:
        with self._lock:
            found = self._accounts.get(account)
            if found is not None and found.calls.get(month):
                self._change(account, calls={**found.calls, month: found.calls[month] - 1})

    def release_absence(self, account: str, month: str, allowance: int) -> bool:
        with self._lock:
            found = self._accounts.get(account)
            if found is None or not found.calls.get(month):
                return False
            if self._count(("absences", account, month), allowance) is None:
                return False
            self.release_call(account, month)
            return True

    def reserve_demo_call(self, address: str, month: str, limit: int, expires_at: int) -> int | None:
        return self._count(("demo", address, month), limit)

    def release_demo_call(self, address: str, month: str) -> None:
        with self._lock:
            if self._counts["demo", address, month]:
                self._counts["demo", address, month] -= 1

    def release_demo_absence(self, address: str, month: str, allowance: int) -> bool:
        with self._lock:
            if not self._counts["demo", address, month]:
                return False
            if self._count(("demo absences", address, month), allowance) is None:
                return False
            self.release_demo_call(address, month)
            return True

    def demo_calls(self, address: str) -> dict[str, int]:
        return self._counted("demo", address)

    def signups(self, pseudonym: str) -> dict[str, int]:
        return self._counted("signup", pseudonym)

    def count_signup(self, pseudonym: str, day: str, limit: int, expires_at: int) -> bool:
        return self._count(("signup", pseudonym, day), limit) is not None

    def month_salt(self, month: str, proposed: bytes, expires_at: int) -> bytes:
        with self._lock:
            return self._salts.setdefault(month, proposed)

    def has_event(self, event: str) -> bool:
        return event in self._events

    def record_event(self, event: str, expires_at: int, before: Account, after: Account) -> bool:
        with self._lock:
            found = self._accounts.get(before.id)
            if event in self._events or found is None:
                return False
            if (found.plan, found.billing.version) != (before.plan, before.billing.version):
                return False
            self._events.add(event)
            if after.plan != before.plan:
                self._change(before.id, plan=after.plan, monthly_limit=after.monthly_limit)
            return self._change(before.id, billing=after.billing)

    def _change(self, account: str, **changed: Any) -> bool:
        if account not in self._accounts:
            return False
        self._accounts[account] = replace(self._accounts[account], **changed)
        return True

    def _is_active(self, account: str, key: str, now: int) -> bool:
        return account in self._accounts and self._accounts[account].is_active(key, now)

    def _keys(self, account: str, without: Collection[str] = ()) -> dict[str, int]:
        keys = self._accounts[account].keys if account in self._accounts else {}
        return {key: expiry for key, expiry in keys.items() if key not in without}

    def _counted(self, *of: str) -> dict[str, int]:
        with self._lock:
            return {when: count for (*name, when), count in self._counts.items() if name == [*of]}

    def _count(self, name: tuple[str, str, str], limit: int) -> int | None:
        with self._lock:
            if self._counts[name] >= limit:
                return None
            self._counts[name] += 1
            return self._counts[name]


class MemoryCompanies:
    """``registry.store.Store``."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._entries: dict[str, Fields] = {}
        self._state: dict[str, str | int] = {}

    def load(self, cnpj: str) -> Fields | None:
        return self._entries.get(cnpj)

    def save(self, cnpj: str, entry: Fields, expires_at: int) -> None:
        self._entries[cnpj] = {**entry, "expires_at": expires_at}

    def state(self) -> Fields:
        with self._lock:
            return dict(self._state)

    def set_state(self, changes: Fields) -> None:
        with self._lock:
            self._state |= changes

    def claim(self, field: str, value: int, at_most: int) -> bool:
        with self._lock:
            held = self._state.get(field)
            if isinstance(held, int) and held > at_most:
                return False
            self._state[field] = value
            return True


def open_stores(_settings: StoreSettings) -> Stores:
    """Empty stores, which other processes do not see."""
    return Stores(MemoryAccess(), MemoryCompanies())

"""Calls of the demo key: counted by address, and of IPv6 addresses also by the /48 that they belong to.

The /48 is counted first and released last, so it never has fewer calls than its addresses have together:
whatever fails in between, no call is answered that either has not counted.
"""

from __future__ import annotations

from collections.abc import Mapping

from access.account import DEMO, Account, Caller
from access.address import SITE_ALLOWANCE
from access.claim import Step
from access.ports import CallRefused, CallStore, ClaimChanged, Counted

__all__ = ["DemoCalls"]


class DemoCalls:
    """Over a store; ``limit`` calls an address and month. Every method may raise ``StoreUnavailable``."""

    def __init__(self, store: CallStore, limit: int) -> None:
        self._store = store
        self._limit = limit

    def account(self, caller: Caller) -> Account:
        """Return the calls of an address as those of an account."""
        return self._account(caller, self._limit, self._store.demo_calls(caller.address))

    def reserve(self, caller: Caller, month: str, ends: int, calls: int, step: Step | None) -> Counted:
        """Count calls; raises ``CallRefused`` or ``ClaimChanged`` with nothing counted."""
        if caller.site:
            self._count(caller, caller.site, SITE_ALLOWANCE * self._limit, month, ends, calls, None)
        try:
            return self._count(caller, caller.address, self._limit, month, ends, calls, step)
        except (CallRefused, ClaimChanged):
            if caller.site:
                self._store.release_demo_calls(caller.site, month, calls)
            raise

    def release(self, caller: Caller, month: str, calls: int, step: Step | None) -> None:
        """Take calls of a month back."""
        self._store.release_demo_calls(caller.address, month, calls, step)
        if caller.site:
            self._store.release_demo_calls(caller.site, month, calls)

    def release_absence(self, caller: Caller, month: str, allowance: int, step: Step | None) -> bool:
        """Take one call back, as one of the address's free absences; its /48 has more of them too."""
        is_free = self._store.release_demo_absence(caller.address, month, allowance, step)
        if is_free and caller.site:
            self._store.release_demo_absence(caller.site, month, SITE_ALLOWANCE * allowance)
        return is_free

    def _count(
        self,
        caller: Caller,
        holder: str,
        limit: int,
        month: str,
        ends: int,
        calls: int,
        step: Step | None,
    ) -> Counted:
        counted = self._store.reserve_demo_calls(holder, month, limit, ends, calls, step)
        if counted is None:
            known = {month: limit} if calls == 1 else self._store.demo_calls(holder)
            raise CallRefused(self._account(caller, limit, known))
        return Counted(DEMO, limit, counted)

    def _account(self, caller: Caller, limit: int, calls: Mapping[str, int]) -> Account:
        return Account(DEMO, DEMO, limit, {caller.key: 0}, calls)

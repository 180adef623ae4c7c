"""Calls of the demo key: counted by address, and of IPv6 addresses also by the /48 that they belong to.

The /48 is counted first and released last, so it never has fewer calls than its addresses have together:
whatever fails in between, no call is answered that either has not counted.
"""

from __future__ import annotations

from collections.abc import Mapping

from brskills_server.accounts.account import DEMO, Account, Caller
from brskills_server.accounts.network_hash import SITE_ALLOWANCE
from brskills_server.accounts.ports import CallRefused, CallStore, ClaimChanged, Counted
from brskills_server.metering.idempotency_record import Step
from brskills_server.metering.releases import Releases

__all__ = ["DemoCalls"]


class DemoCalls:
    """Over a store; ``limit`` calls an address and month. Every method may raise ``StoreUnavailable``."""

    def __init__(self, store: CallStore, limit: int, releases: Releases) -> None:
        self._store = store
        self._limit = limit
        self._releases = releases

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
                self._releases.release_site(caller, month, calls)
            raise

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

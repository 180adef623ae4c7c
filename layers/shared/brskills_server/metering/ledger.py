"""Exact counting of calls: one write counts a call and decides whether it may be made."""

import time
from collections.abc import Callable

from brskills_server.accounts import calendar
from brskills_server.accounts.account import DEMO, Account, Caller
from brskills_server.accounts.errors import InvalidKey
from brskills_server.metering.demo_calls import DemoCalls
from brskills_server.metering.errors import QuotaExceeded
from brskills_server.metering.idempotency_record import Transition
from brskills_server.metering.ports import AccountCalls, CallRefused, CallStore
from brskills_server.metering.quota import Quota, Reservation, quota_of
from brskills_server.metering.releases import Releases
from brskills_server.metering.uncounted import Allowance

_REMEMBERED = 1000


class Ledger:
    """The counted calls of a deployment. Every method may raise ``StoreUnavailable``.

    ``demo_limit``: calls of an address with the demo key in a month; ``clock``: Unix seconds.
    """

    def __init__(self, store: CallStore, demo_limit: int, clock: Callable[[], float] = time.time) -> None:
        self.store = store
        self.clock = clock
        self.allowance = Allowance(store, clock)
        self.releases = Releases(store, clock)
        self._demo = DemoCalls(store, demo_limit, self.releases)
        self._used_up: dict[tuple[str, str], str] = {}  # account and address → month seen used up

    def reserve(
        self, caller: Caller, calls: int = 1, *, partial: bool = False, transition: Transition | None = None
    ) -> Reservation:
        """Count all calls or, if ``partial``, as many as the month has room for, at least one.

        Raise ``InvalidKey`` or ``QuotaExceeded``, or ``RecordChanged`` with a ``transition``: then nothing is
        counted.
        """
        now = self.clock()
        hour = calendar.hour_number(int(now) // calendar.HOUR_SECONDS)
        month = hour.month
        if self._used_up.get((caller.account, caller.address)) == month:
            self._refuse_if_still_used_up(caller)
        try:
            if caller.account == DEMO:
                counted = self._demo.reserve(caller, month, hour.month_ends_at, calls, transition)
            else:
                key, oldest = caller.key, hour.oldest_month
                wanted = AccountCalls(caller.account, key, month, oldest, int(now), calls, transition)
                counted = self.store.reserve_calls(wanted)
        except CallRefused as refused:
            quota = quota_of(_checked(caller, refused.account, now), now)
            if quota.used_up:
                self._remember_used_up(caller, month)
            elif partial and calls > 1:
                room = min(calls - 1, quota.remaining or 1)
                return self.reserve(caller, room, partial=True, transition=transition)
            raise QuotaExceeded(quota, calls) from None
        if self.releases.unconfirmed:  # the store answers again
            self.releases.confirm()
        quota = Quota(counted.plan, month, counted.calls, counted.monthly_limit, now)
        return Reservation(caller, quota, calls)

    def verify(self, caller: Caller) -> None:
        """Raise ``InvalidKey`` unless the key is active now."""
        if not caller.is_demo:
            self._read(caller, self.clock())

    def quota(self, caller: Caller) -> Quota:
        """Return the month's quota. Raise ``InvalidKey``."""
        now = self.clock()
        return quota_of(self._read(caller, now), now)

    def usage(self, caller: Caller) -> tuple[Quota, dict[str, int]]:
        """Return the month's quota, and the calls of earlier months by name. Raise ``InvalidKey``."""
        now = self.clock()
        account = self._read(caller, now)
        quota = quota_of(account, now)
        return quota, account.history(before=quota.month)

    def _read(self, caller: Caller, now: float) -> Account:
        if caller.is_demo:
            return self._demo.read_account(caller)
        return _checked(caller, self.store.read_account(caller.account), now)

    def _refuse_if_still_used_up(self, caller: Caller) -> None:
        # A refused conditional write costs as much as a write: repeated calls of a used-up key only read.
        quota = self.quota(caller)
        if quota.used_up:
            raise QuotaExceeded(quota)
        self._used_up.pop((caller.account, caller.address), None)  # another thread may have removed it

    def _remember_used_up(self, caller: Caller, month: str) -> None:
        if len(self._used_up) >= _REMEMBERED:
            self._used_up.clear()
        self._used_up[caller.account, caller.address] = month


def _checked(caller: Caller, account: Account | None, now: float) -> Account:
    if account and account.is_active(caller.key, now):
        return account
    raise InvalidKey

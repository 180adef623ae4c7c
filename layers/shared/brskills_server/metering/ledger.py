"""Counting calls, exactly: a call is counted by one write that also says whether it may be made."""

import time
from collections.abc import Callable

from brskills_server.accounts import calendar as calendar
from brskills_server.accounts.account import Account, Caller
from brskills_server.accounts.errors import InvalidKey, QuotaExceeded
from brskills_server.accounts.plans import PLANS
from brskills_server.accounts.ports import CallRefused, CallStore, Counted
from brskills_server.metering.demo_calls import DemoCalls
from brskills_server.metering.idempotency import Idempotency
from brskills_server.metering.idempotency_record import IdempotencyRecord, Step
from brskills_server.metering.quota import Quota
from brskills_server.metering.releases import Releases
from brskills_server.metering.reservation import Reservation
from brskills_server.metering.uncounted import Allowance

__all__ = ["Ledger"]

HISTORY_MONTHS = 13
"""How many months before the current one are kept."""

_REMEMBERED = 1000


class Ledger:
    """Reserve, release, check and read. Every method may raise ``StoreUnavailable``.

    With a ``step``: the claim's calls change with the month's; raises ``brskills_server.accounts.ports.ClaimChanged``.
    """

    def __init__(self, store: CallStore, demo_limit: int, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._used_up: dict[tuple[str, str], str] = {}  # account and address → month seen used up
        self.claims = Idempotency(self, store, clock)
        self.allowance = Allowance(store, clock)
        self._releases = Releases(store, self.claims, clock)
        self._demo = DemoCalls(store, demo_limit, self._releases)

    def reserve(
        self, caller: Caller, calls: int = 1, *, partial: bool = False, step: Step | None = None
    ) -> Reservation:
        """Count calls, all of them or, where ``partial``, as many as there is room for, but one at least.

        Raises ``InvalidKey`` or ``QuotaExceeded`` with nothing counted.
        """
        now = self._clock()
        self._refuse_if_still_used_up(caller, now)
        try:
            counted = self._count(caller, now, calls, step)
        except CallRefused as refused:
            quota = _checked(caller, refused.account, now).quota(now)
            if quota.used_up:
                self._remember_used_up(caller, quota.month)
            elif partial and calls > 1:
                room = min(calls - 1, quota.remaining or 1)
                return self.reserve(caller, room, partial=True, step=step)
            raise QuotaExceeded(quota, calls) from None
        if self._releases.has_unconfirmed:  # the store answers again
            self._releases.confirm()
        month = calendar.name_of(now)
        quota = Quota(counted.plan, month, counted.calls, counted.monthly_limit, now)
        return Reservation(caller, quota, calls)

    def release(
        self, reservation: Reservation, calls: int = 1, claim: IdempotencyRecord | None = None
    ) -> None:
        """Take reserved calls back, in their month; of a ``claim`` those that no answer has used."""
        self._releases.apply(reservation, calls, claim)

    def release_absence(self, reservation: Reservation, claim: IdempotencyRecord | None = None) -> bool:
        """Take back a call that found no company, as far as the plan's free absences of the month reach.

        ``False``: they are used up, and the call stays counted.
        """
        allowance = PLANS[reservation.quota.plan].free_absences
        return self._releases.apply(reservation, 1, claim, allowance) or allowance is None

    def verify(self, caller: Caller) -> None:
        """Raise ``InvalidKey`` unless the key is active at this moment."""
        if not caller.is_demo:
            self._read(caller, self._clock())

    def usage(self, caller: Caller) -> tuple[Quota, dict[str, int]]:
        """How the month stands, and the calls of earlier months by name; raises ``InvalidKey``."""
        now = self._clock()
        account = self._read(caller, now)
        quota = account.quota(now)
        return quota, account.history(before=quota.month)

    def _count(self, caller: Caller, now: float, calls: int, step: Step | None) -> Counted:
        month = calendar.name_of(now)
        if not caller.is_demo:
            oldest = calendar.shifted(month, -HISTORY_MONTHS)
            return self._store.reserve_calls(caller.account, caller.key, month, oldest, int(now), calls, step)
        return self._demo.reserve(caller, month, int(calendar.end_of(now).timestamp()), calls, step)

    def _read(self, caller: Caller, now: float) -> Account:
        if caller.is_demo:
            return self._demo.account(caller)
        return _checked(caller, self._store.read_account(caller.account), now)

    def _refuse_if_still_used_up(self, caller: Caller, now: float) -> None:
        # A refused conditional write costs as much as a write: repeated calls of a used-up key only read.
        if self._used_up.get(_holder(caller)) != calendar.name_of(now):
            return
        quota = self._read(caller, now).quota(now)
        if quota.used_up:
            raise QuotaExceeded(quota)
        self._used_up.pop(_holder(caller), None)  # another thread may have been here first

    def _remember_used_up(self, caller: Caller, month: str) -> None:
        if len(self._used_up) >= _REMEMBERED:
            self._used_up.clear()
        self._used_up[_holder(caller)] = month


def _holder(caller: Caller) -> tuple[str, str]:
    return caller.account, caller.address


def _checked(caller: Caller, account: Account | None, now: float) -> Account:
    if account is None or not account.is_active(caller.key, now):
        raise InvalidKey
    return account

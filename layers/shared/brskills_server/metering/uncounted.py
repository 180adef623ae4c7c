"""The allowance for uncounted work: units per minute (this process) and per month (the store).

A request that counts nothing takes a unit (rejected input, a decode, a sandbox company, a repetition); a
look-up that asked the sources and counts nothing takes ``LOOK_UP_UNITS``, a search that worked in vain ten
times as many. When the allowance is used up, such requests are refused. Counted ones are answered, except
searches, and look-ups that would have to ask the sources.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from threading import Lock

from brskills_server.accounts import calendar
from brskills_server.accounts.account import DEMO, Caller
from brskills_server.accounts.errors import InvalidKey
from brskills_server.accounts.network_hash import SITE_ALLOWANCE
from brskills_server.accounts.plans import PLANS, Plan
from brskills_server.metering.errors import UncountedLimit
from brskills_server.metering.ports import CallRefused, CallStore

LOOK_UP_UNITS = 20
"""Units of a look-up that asked the sources and counts nothing."""

BYTES_PER_UNIT = 8192
"""Bytes of the body of an uncounted request that take one unit."""

Holder = tuple[str, str]
"""An account with an empty text, or the demo account with an address or an IPv6 /48."""

_MINUTE = 60
_HOLDERS = 10_000  # holders whose minute is remembered; the store has the month of the others


@dataclass(slots=True)
class _Window:
    """A holder's units in one minute, and until when further ones are refused: Unix seconds."""

    minute: int
    units: int = 0
    refused_until: float = 0
    retry_at: float = 0


class Allowance:
    """Allowances of the callers of one process. ``clock``: Unix seconds."""

    def __init__(self, store: CallStore, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._windows: OrderedDict[Holder, _Window] = OrderedDict()
        self._lock = Lock()

    def check(self, caller: Caller) -> None:
        """Raise ``UncountedLimit`` if this process has seen the allowance used up."""
        now = self._clock()
        for holder, _ in _holders(caller):
            window = self._windows.get(holder)
            # A clock that was set back must not refuse for longer than it would have.
            if window and now < window.refused_until <= now + _MINUTE:
                raise UncountedLimit(ceil(window.retry_at - now))

    def take(self, caller: Caller, units: int) -> None:
        """Take units. Raise ``InvalidKey``, or ``UncountedLimit`` if the allowance had fewer."""
        self.check(caller)
        now = self._clock()
        for holder, share in _holders(caller):
            plan, of_month = self._count(caller, holder[1], now, units)
            self._add(holder, PLANS[plan], share, now, units, of_month)
        self.check(caller)

    def take_of_minute(self, caller: Caller) -> None:
        """Take a unit of the smallest plan's minute, without the store: for requests about the account.

        Raise ``UncountedLimit`` if none is left. It applies also when the month is used up.
        """
        now = self._clock()
        with self._lock:
            window = self._window((caller.account, f"{caller.address} itself"), int(now) // _MINUTE)
            window.units += 1
            is_over = window.units > PLANS["free"].uncounted_a_minute
        if is_over:
            raise UncountedLimit(ceil((window.minute + 1) * _MINUTE - now))

    def _count(self, caller: Caller, address: str, now: float, units: int) -> tuple[str, int]:
        """Count units in the month; return the plan and the month's units."""
        month = calendar.month_name(now)
        if caller.is_demo:
            ends = calendar.hour(now).month_ends_at
            return DEMO, self._store.count_demo_uncounted(address, month, ends, units)
        try:
            return self._store.count_uncounted(caller.account, caller.key, month, int(now), units)
        except CallRefused:
            raise InvalidKey from None

    def _add(self, holder: Holder, plan: Plan, share: int, now: float, units: int, of_month: int) -> None:
        """Add units to the holder's minute, and refuse further ones if minute or month is used up."""
        of_plan = plan.uncounted_a_month
        with self._lock:
            window = self._window(holder, int(now) // _MINUTE)
            window.units += units
            if of_plan is not None and of_month > share * of_plan:
                # For a minute and not until the month ends: a plan may change at any moment.
                window.refused_until, window.retry_at = now + _MINUTE, calendar.hour(now).month_ends_at
            elif window.units > share * plan.uncounted_a_minute:
                window.refused_until = window.retry_at = (window.minute + 1) * _MINUTE

    def _window(self, holder: Holder, minute: int) -> _Window:
        window = self._windows.pop(holder, None)
        if window is None or window.minute != minute:
            window = _Window(minute)
        self._windows[holder] = window
        if len(self._windows) > _HOLDERS:
            self._windows.popitem(last=False)
        return window


def _holders(caller: Caller) -> list[tuple[Holder, int]]:
    """Return the holders of a caller's allowances, and how many times a plan's allowance each has."""
    holders = [((caller.account, caller.address), 1)]
    if caller.site:
        holders.append(((caller.account, caller.site), SITE_ALLOWANCE))
    return holders

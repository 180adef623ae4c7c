"""Limits of sign-ups and the like by address and e-mail, in a day and in thirty days including today.

Only today's count can change, so one conditional write on it keeps both limits exactly.
"""

import time
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import NamedTuple, NoReturn

from brskills_server.accounts import calendar
from brskills_server.accounts.errors import SignupClosed, SignupLimit
from brskills_server.accounts.network_hash import SITE_ALLOWANCE, Pseudonyms, site_of
from brskills_server.accounts.ports import WindowStore

WINDOW_DAYS = 30
_DAY_SECONDS = 86_400


class _Holder(NamedTuple):
    """An identifier with a count, and its limits for a day and for thirty."""

    name: str
    per_day: int
    per_month: int


class ClosedSignups:
    """Sign-ups where only the operator issues keys."""

    def __init__(self, support_contact: str) -> None:
        self._support_contact = support_contact

    def take(self, *_network_and_email: str | None) -> NoReturn:
        """Raise ``SignupClosed``."""
        raise SignupClosed(self._support_contact)


class Signups:
    """Counts by pseudonym, limited in a day and in thirty; ``counted``: prefix by which kinds count apart."""

    def __init__(
        self,
        store: WindowStore,
        pseudonyms: Pseudonyms,
        per_day: int,
        per_month: int,
        clock: Callable[[], float] = time.time,
        counted: str = "address",
    ) -> None:
        self._counted = counted
        self._store = store
        self._pseudonyms = pseudonyms
        self._per_day = per_day
        self._per_month = per_month
        self._clock = clock

    def take(self, network: str, email: str | None) -> None:
        """Count one sign-up or raise ``SignupLimit``. An e-mail counts in any case of its letters."""
        now = self._clock()
        holders = self._holders(network, email)
        issued = [self._issued(holder, now) for holder in holders]
        for holder, days in zip(holders, issued, strict=True):  # check all before any is counted
            _refuse_if_full(holder, days, now)
        for holder, days in zip(holders, issued, strict=True):
            self._count(holder, days, now)

    def _holders(self, network: str, email: str | None) -> list[_Holder]:
        holders = [_Holder(f"{self._counted}:{network}", self._per_day, self._per_month)]
        if site := site_of(network):
            per_day, per_month = SITE_ALLOWANCE * self._per_day, SITE_ALLOWANCE * self._per_month
            holders.append(_Holder(f"{self._counted}:{site}", per_day, per_month))
        if email is not None:
            holders.append(_Holder(f"email:{email.lower()}", self._per_day, self._per_month))
        return holders

    def _issued(self, holder: _Holder, now: float) -> dict[str, int]:
        """Return counts by day; those of an earlier month are stored under that month's pseudonym."""
        days_ago = (WINDOW_DAYS - 1, WINDOW_DAYS // 2, 0)  # February may be whole in the middle
        names = {self._pseudonyms.of(holder.name, now - days * _DAY_SECONDS) for days in days_ago}
        return {day: count for name in names for day, count in self._store.read_window(name).items()}

    def _count(self, holder: _Holder, issued: Mapping[str, int], now: float) -> None:
        today = calendar.day_name(now)
        earlier = _sum_of_window({**issued, today: 0}, today)
        limit = min(holder.per_day, holder.per_month - earlier)
        expires_at = int(calendar.hour(now).day_ends.timestamp()) + WINDOW_DAYS * _DAY_SECONDS
        if not self._store.count_in_window(self._pseudonyms.of(holder.name, now), today, limit, expires_at):
            _refuse_if_full(holder, {**issued, today: limit}, now)


def _refuse_if_full(holder: _Holder, issued: Mapping[str, int], now: float) -> None:
    """Raise ``SignupLimit`` with the time until both limits have room again."""
    today = calendar.day_name(now)
    with_room = (n for n in range(WINDOW_DAYS) if _has_room(holder, issued, _later(today, n)))
    days = next(with_room, WINDOW_DAYS)
    if days:
        until_tomorrow = max(1, int(calendar.hour(now).day_ends.timestamp() - now))
        by_month = _sum_of_window(issued, today) >= holder.per_month
        most, of_days = (holder.per_month, WINDOW_DAYS) if by_month else (holder.per_day, 1)
        raise SignupLimit(until_tomorrow + (days - 1) * _DAY_SECONDS, most, of_days)


def _has_room(holder: _Holder, issued: Mapping[str, int], day: str) -> bool:
    return issued.get(day, 0) < holder.per_day and _sum_of_window(issued, day) < holder.per_month


def _sum_of_window(issued: Mapping[str, int], day: str) -> int:
    first = _later(day, 1 - WINDOW_DAYS)
    return sum(count for when, count in issued.items() if first <= when <= day)


def _later(day: str, days: int) -> str:
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()

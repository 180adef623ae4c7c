"""Releasing counted calls exactly once, even if the store's answer is lost.

The store keeps a release's id in the same transaction, so sending it again changes nothing. Unconfirmed
releases are sent again with later calls. Until then too many calls may be counted, never too few.
"""

import secrets
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from brskills_server.accounts.account import Caller
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.accounts.network_hash import SITE_ALLOWANCE
from brskills_server.accounts.plans import PLANS
from brskills_server.metering.errors import IdempotencyKeyReused
from brskills_server.metering.idempotency_record import (
    RECORD_SECONDS,
    IdempotencyRecord,
    IdempotentRequest,
    Transition,
)
from brskills_server.metering.ports import CallStore, RecordChanged, Release
from brskills_server.metering.quota import Reservation

TRIES = 100  # each time another worker has changed the record in between

_SENDINGS = 3  # one lost answer, and one more
_KEPT_SECONDS = 24 * 60 * 60
_WAITING = 1000  # releases of some hundred bytes each


class TooManyChanges(StoreUnavailable):
    """Other workers changed an idempotency record before each try."""


class Releases:
    """Releases of one process. ``unconfirmed``: those the store did not confirm; ``clock``: Unix seconds."""

    def __init__(self, store: CallStore, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self.unconfirmed: deque[tuple[Release, IdempotentRequest | None]] = deque(maxlen=_WAITING)

    def apply(
        self, reservation: Reservation, calls: int = 1, request: IdempotentRequest | None = None
    ) -> bool:
        """Release calls in their month, of an idempotent ``request`` only unanswered ones.

        Return ``False`` if nothing was released. Raise ``StoreUnavailable`` if the store did not confirm: the
        release is sent again later, without its allowance.
        """
        return bool(self._order(reservation.caller, reservation.quota.month, calls, request, None))

    def apply_absence(
        self, reservation: Reservation, request: IdempotentRequest | None = None, left: int = 0
    ) -> bool | None:
        """Release a call that found no company; return ``False`` if the month's free absences are used up.

        ``left``: calls that an idempotent ``request`` costs without it. Return ``None`` if no more than these
        are counted, or all are answered: by another attempt.
        """
        quota = reservation.quota
        allowance = PLANS[quota.plan].free_absences
        released = self._order(reservation.caller, quota.month, 1, request, allowance, left)
        return None if released is None else released > 0 or allowance is None

    def apply_site(self, caller: Caller, month: str, calls: int) -> None:
        """Release calls of an address's /48 for which the address itself had no room."""
        self._order(caller._replace(address=caller.site, site=""), month, calls, None, None)

    def confirm(self) -> None:
        """Send unconfirmed releases again, until the store fails again."""
        for _ in range(len(self.unconfirmed)):
            try:
                release, request = self.unconfirmed.popleft()
            except IndexError:  # another thread was quicker
                return
            if release.expires_at <= self._clock():
                continue
            try:
                self._send(release, request, again=True)
            except StoreUnavailable:
                self.unconfirmed.append((release, request))
                return

    def _order(
        self,
        caller: Caller,
        month: str,
        calls: int,
        request: IdempotentRequest | None,
        allowance: int | None,
        left: int = 0,
    ) -> int | None:
        """Return how many calls were released; ``None`` if there was none to release beyond ``left``."""
        expires_at = int(self._clock()) + _KEPT_SECONDS
        release = Release(secrets.token_hex(12), caller, month, calls, expires_at, allowance)
        for attempt in range(_SENDINGS):
            try:
                return self._send(release, request, left, again=attempt > 0)
            except StoreUnavailable as error:
                failure = error
        self.unconfirmed.append((release._replace(allowance=None), request))
        raise failure

    def _send(
        self, release: Release, request: IdempotentRequest | None, left: int = 0, *, again: bool
    ) -> int | None:
        """Release an address's calls before those of its /48, which never has fewer."""
        released = self._release(release, request, left, again=again)
        if released and release.caller.site:
            self._release(_of_site(release, released), None, again=again)
        return released

    def _release(
        self, release: Release, request: IdempotentRequest | None, left: int = 0, *, again: bool
    ) -> int | None:
        if again and self._store.has_release(release.id):
            # How many of several calls of a request were unanswered is unknown now: its /48 keeps them.
            return release.calls if request is None or release.calls == 1 else 0
        if request is None:
            return release.calls if self._store.release(release) else 0
        return self._release_unanswered(release, request, left)

    def _release_unanswered(self, release: Release, request: IdempotentRequest, left: int) -> int | None:
        """Release at most the request's unanswered calls, and none of ``left``."""
        for _ in range(TRIES):
            now = int(self._clock())
            record = read_record(self._store, request, now)
            calls = min(release.calls, record.unanswered, record.calls - left)
            if calls <= 0:
                return None
            with suppress(RecordChanged):
                transition = Transition(request, record.calls, now)
                return calls if self._store.release(release._replace(calls=calls), transition) else 0
        raise TooManyChanges


def read_record(store: CallStore, request: IdempotentRequest, now: int) -> IdempotencyRecord:
    """Return the record of a request, an empty one if there is none. Raise ``IdempotencyKeyReused``."""
    record = store.read_idempotency_record(request.id, now)
    if record is None:
        return IdempotencyRecord(request.fingerprint, 0, 0, now + RECORD_SECONDS)
    if record.fingerprint != request.fingerprint:
        raise IdempotencyKeyReused
    return record


def _of_site(release: Release, calls: int) -> Release:
    """Return the same release for the caller's /48."""
    caller = release.caller._replace(address=release.caller.site, site="")
    allowance = None if release.allowance is None else SITE_ALLOWANCE * release.allowance
    return release._replace(id=f"{release.id}/48", caller=caller, calls=calls, allowance=allowance)

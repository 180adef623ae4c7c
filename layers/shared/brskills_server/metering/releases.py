"""Taking counted calls back exactly once, also where the store's answer is lost.

A release has an id that the store keeps with it, in one transaction, so that sending it again does nothing.
What the store has not confirmed is sent again with later calls: until then it may count calls for which
nobody got an answer, and at no moment fewer calls than were answered.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable

from brskills_server.accounts.account import Caller
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.accounts.network_hash import SITE_ALLOWANCE
from brskills_server.accounts.ports import CallStore
from brskills_server.metering.idempotency import Idempotency
from brskills_server.metering.idempotency_record import IdempotencyRecord
from brskills_server.metering.reservation import Release, Reservation

__all__ = ["Releases"]

_TRIES = 3  # one lost answer, and one more
_REMEMBERED_SECONDS = 24 * 60 * 60
_WAITING = 1000  # releases; each is some hundred bytes


class Releases:
    """Releases of one process. ``clock``: Unix seconds."""

    def __init__(self, store: CallStore, claims: Idempotency, clock: Callable[[], float]) -> None:
        self._store = store
        self._claims = claims
        self._clock = clock
        self._unconfirmed: deque[tuple[Release, IdempotencyRecord | None]] = deque(maxlen=_WAITING)

    def apply(
        self,
        reservation: Reservation,
        calls: int,
        claim: IdempotencyRecord | None,
        allowance: int | None = None,
    ) -> bool:
        """Take calls back, with a ``claim`` those that no answer has used; see :class:`Release`.

        Return ``False`` where nothing was taken. Raise ``StoreUnavailable`` where the store did not confirm:
        then it is sent again later, as a release of any calls.
        """
        return self._order(reservation.caller, reservation.quota.month, calls, claim, allowance)

    def release_site(self, caller: Caller, month: str, calls: int) -> None:
        """Take calls of an address's /48 back that the address itself had no room for."""
        self._order(caller._replace(address=caller.site, site=""), month, calls, None, None)

    def confirm(self) -> None:
        """Send again what the store has not confirmed, until it fails again."""
        for _ in range(len(self._unconfirmed)):
            try:
                release, claim = self._unconfirmed.popleft()
            except IndexError:  # another thread was quicker
                return
            if release.expires_at <= self._clock():
                continue
            try:
                self._send(release, claim, again=True)
            except StoreUnavailable:
                self._unconfirmed.append((release, claim))
                return

    @property
    def has_unconfirmed(self) -> bool:
        """Whether the store has left a release unconfirmed."""
        return bool(self._unconfirmed)

    def _order(
        self, caller: Caller, month: str, calls: int, claim: IdempotencyRecord | None, allowance: int | None
    ) -> bool:
        expires_at = int(self._clock()) + _REMEMBERED_SECONDS
        release = Release(secrets.token_hex(12), caller, month, calls, expires_at, allowance)
        for attempt in range(_TRIES):
            try:
                return self._send(release, claim, again=attempt > 0)
            except StoreUnavailable as error:
                failure = error
        self._unconfirmed.append((release._replace(allowance=None), claim))
        raise failure

    def _send(self, release: Release, claim: IdempotencyRecord | None, *, again: bool) -> bool:
        """Release an address's calls before those of its /48, which never has fewer."""
        taken = self._take(release, claim, again=again)
        if taken and release.caller.site:
            self._take(_of_site(release, taken), None, again=again)
        return taken > 0

    def _take(self, release: Release, claim: IdempotencyRecord | None, *, again: bool) -> int:
        if again and self._store.has_release(release.id):
            # How many of a claim's several calls were free is not known any more: then its /48 keeps them.
            return release.calls if claim is None or release.calls == 1 else 0
        if claim is None:
            return release.calls if self._store.release(release) else 0
        return self._claims.release(release, claim)


def _of_site(release: Release, calls: int) -> Release:
    """The same release, of the caller's /48."""
    caller = release.caller._replace(address=release.caller.site, site="")
    allowance = None if release.allowance is None else SITE_ALLOWANCE * release.allowance
    return release._replace(id=f"{release.id}/48", caller=caller, calls=calls, allowance=allowance)

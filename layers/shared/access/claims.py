"""Counting a claimed request once, however often and by whatever workers it is answered.

Whoever answers it counts what is not counted yet, and takes back nothing but what it counted itself and what
nobody else has answered meanwhile. So the calls that stay counted are as many as the fullest answer has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from access.account import Caller
from access.claim import CLAIM_SECONDS, Claim, KeptClaim, Step
from access.errors import IdempotencyKeyReused, QuotaExceeded, StoreUnavailable
from access.ports import CallStore, ClaimChanged

if TYPE_CHECKING:
    from access.ledger import Ledger, Reservation

__all__ = ["Claims"]

_TRIES = 100  # each time another worker has come in between


class Claims:
    """Over the ledger that counts. Every method may raise ``StoreUnavailable``."""

    def __init__(self, ledger: Ledger, store: CallStore, clock: Callable[[], float]) -> None:
        self._ledger = ledger
        self._store = store
        self._clock = clock

    def reserve(
        self, caller: Caller, claim: Claim, calls: int, *, partial: bool = False
    ) -> tuple[Reservation | None, int]:
        """Count what is not counted yet; how many were before. ``None``: nothing had to be, or could.

        Raises as ``Ledger.reserve`` does, and ``IdempotencyKeyReused``.
        """
        for _ in range(_TRIES):
            now = int(self._clock())
            kept = self._read(claim, now)
            if kept.calls >= calls:
                return None, kept.calls
            step = Step(claim, kept.calls, now, now + CLAIM_SECONDS)
            try:
                counted = self._ledger.reserve(caller, calls - kept.calls, partial=partial, step=step)
            except ClaimChanged:
                continue
            except QuotaExceeded:
                if partial and kept.calls:
                    return None, kept.calls
                raise
            return counted, kept.calls
        raise StoreUnavailable("the claim changes too quickly")

    def release(self, reservation: Reservation, claim: Claim, calls: int) -> int:
        """Take back reserved calls but those that others have answered; returns how many were taken."""
        for _ in range(_TRIES):
            now = int(self._clock())
            kept = self._read(claim, now)
            free = min(calls, kept.calls - kept.answered)
            if free <= 0:
                return 0
            try:
                self._ledger.release(reservation, free, Step(claim, kept.calls, now))
            except ClaimChanged:
                continue
            return free
        raise StoreUnavailable("the claim changes too quickly")

    def release_absence(self, reservation: Reservation, claim: Claim) -> bool:
        """As ``Ledger.release_absence``; a call that somebody else has answered stays counted."""
        for _ in range(_TRIES):
            now = int(self._clock())
            kept = self._read(claim, now)
            if kept.calls <= kept.answered:
                return False
            try:
                return self._ledger.release_absence(reservation, Step(claim, kept.calls, now))
            except ClaimChanged:
                continue
        raise StoreUnavailable("the claim changes too quickly")

    def confirm(self, caller: Caller, claim: Claim, calls: int) -> None:
        """See that so many calls are counted, by whomever, and stay so; raises as ``reserve`` does."""
        for _ in range(_TRIES):
            if self._store.answer_claim(claim.id, calls, int(self._clock())):
                return
            self.reserve(caller, claim, calls)
        raise StoreUnavailable("the claim changes too quickly")

    def _read(self, claim: Claim, now: int) -> KeptClaim:
        kept = self._store.read_claim(claim.id, now)
        if kept is None:
            return KeptClaim(claim.request, 0)
        if kept.request != claim.request:
            raise IdempotencyKeyReused
        return kept

"""Counting a claimed request once, however often and by whatever workers it is answered.

Whoever answers it counts what is not counted yet, marks as answered what the answer costs, and takes back
nothing but what it counted itself and nobody else has answered meanwhile. So the calls that stay counted are
as many as the fullest answer has. What is left by somebody who died at it passes to whoever comes later.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from brskills_server.accounts.account import Caller
from brskills_server.accounts.errors import IdempotencyKeyReused, QuotaExceeded, StoreUnavailable
from brskills_server.accounts.ports import CallStore, ClaimChanged
from brskills_server.metering.idempotency_record import CLAIM_SECONDS, IdempotencyRecord, KeptClaim, Step
from brskills_server.metering.reservation import Release, Reservation

if TYPE_CHECKING:
    from brskills_server.metering.ledger import Ledger

__all__ = ["Claimed", "Idempotency"]

_TRIES = 100  # each time another worker has come in between


class Claimed(NamedTuple):
    """A claim's calls ``before`` a reservation and ``after``; ``own``: what this one may take back.

    ``answered``: so many of those before were answered. ``since``: when the claim was first counted.
    """

    own: Reservation
    before: int
    after: int
    answered: int = 0
    since: int = 0


class Idempotency:
    """Over the ledger that counts. Every method may raise ``StoreUnavailable``."""

    def __init__(self, ledger: Ledger, store: CallStore, clock: Callable[[], float]) -> None:
        self._ledger = ledger
        self._store = store
        self._clock = clock

    def reserve(
        self, caller: Caller, claim: IdempotencyRecord, calls: int, *, partial: bool = False
    ) -> Claimed:
        """Count what is not counted yet.

        Raises as ``Ledger.reserve`` does, and ``IdempotencyKeyReused``.
        """
        for _ in range(_TRIES):
            now = int(self._clock())
            kept = self._read(claim, now)
            if kept.calls >= calls:
                return self._repeated(caller, kept, now)
            step = Step(claim, kept.calls, now, now + CLAIM_SECONDS)
            try:
                counted = self._count(caller, calls - kept.calls, step, partial=partial)
            except QuotaExceeded:
                if partial and kept.calls:
                    return self._repeated(caller, kept, now)
                raise
            if counted:
                own = counted._replace(calls=counted.calls + kept.abandoned(now))
                return Claimed(own, kept.calls, kept.calls + counted.calls, kept.answered, kept.begun)
        raise StoreUnavailable("the claim changes too quickly")

    def release(self, release: Release, claim: IdempotencyRecord) -> int:
        """Take back so many of a claim's calls as no answer has used; return how many that were."""
        for _ in range(_TRIES):
            now = int(self._clock())
            kept = self._read(claim, now)
            free = min(release.calls, kept.unanswered)
            if free <= 0:
                return 0
            with suppress(ClaimChanged):
                is_done = self._store.release(release._replace(calls=free), Step(claim, kept.calls, now))
                return free if is_done else 0
        raise StoreUnavailable("the claim changes too quickly")

    def settle(self, caller: Caller, claim: IdempotencyRecord, calls: int) -> None:
        """See that so many calls are counted, by whomever, and stay so; raises as :meth:`reserve` does."""
        for _ in range(_TRIES):
            now = int(self._clock())
            if self._mark_answered(claim, calls, now):
                return
            counted = self._read(claim, now).calls  # others have taken theirs back
            step = Step(claim, counted, now, now + CLAIM_SECONDS, answered=calls)
            if counted < calls and self._count(caller, calls - counted, step):
                return
        raise StoreUnavailable("the claim changes too quickly")

    def _mark_answered(self, claim: IdempotencyRecord, calls: int, now: int) -> bool:
        try:
            return self._store.answer_claim(claim, calls, now)
        except StoreUnavailable:  # sending it again changes nothing that was applied
            return self._store.answer_claim(claim, calls, now)

    def _repeated(self, caller: Caller, kept: KeptClaim, now: int) -> Claimed:
        """Nothing is counted any more."""
        quota, _ = self._ledger.usage(caller)
        own = Reservation(caller, quota, kept.abandoned(now))
        return Claimed(own, kept.calls, kept.calls, kept.answered, kept.begun)

    def _count(self, caller: Caller, calls: int, step: Step, *, partial: bool = False) -> Reservation | None:
        """Count calls in the claim; ``None``: it has changed."""
        try:
            return self._ledger.reserve(caller, calls, partial=partial, step=step)
        except ClaimChanged:
            return None
        except QuotaExceeded:
            if self._read(step.claim, step.now).calls != step.calls:
                return None  # what fills the month may be this very request
            raise

    def _read(self, claim: IdempotencyRecord, now: int) -> KeptClaim:
        kept = self._store.read_claim(claim.id, now)
        if kept is None:
            return KeptClaim(claim.request, 0, 0, now + CLAIM_SECONDS)
        if kept.request != claim.request:
            raise IdempotencyKeyReused
        return kept

"""Counting an idempotent request once, however often and by however many workers it is answered.

A worker counts calls that are not counted yet, marks as answered those its answer costs, and releases only
calls that it counted itself and no other worker has answered. So as many calls stay counted as the fullest
answer has. A retry takes over the reservation of a crashed attempt.
"""

from contextlib import suppress
from typing import NamedTuple

from brskills_server.accounts.account import Caller
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.metering.errors import QuotaExceeded
from brskills_server.metering.idempotency_record import (
    RECORD_SECONDS,
    IdempotencyRecord,
    IdempotentRequest,
    Transition,
)
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.ports import RecordChanged
from brskills_server.metering.quota import Reservation
from brskills_server.metering.releases import TRIES, TooManyChanges, read_record


class RequestCount(NamedTuple):
    """The ``record`` before a reservation, calls ``after`` it; ``own``: those its worker may release."""

    own: Reservation
    record: IdempotencyRecord
    after: int


class Idempotency:
    """Counts of idempotent requests in a ledger. Every method may raise ``StoreUnavailable``."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._store = ledger.store

    def reserve(
        self, caller: Caller, request: IdempotentRequest, calls: int, *, partial: bool = False
    ) -> RequestCount:
        """Count calls that are not counted yet. Raise as ``Ledger.reserve``, and ``IdempotencyKeyReused``."""
        for _ in range(TRIES):
            now = int(self._ledger.clock())
            record = read_record(self._store, request, now)
            if record.calls >= calls:
                return self._counted_before(caller, record, record.abandoned(now))
            transition = Transition(request, record.calls, now, now + RECORD_SECONDS)
            try:
                counted = self._count(caller, calls - record.calls, transition, partial=partial)
            except QuotaExceeded:
                if partial and record.calls:
                    return self._counted_before(caller, record, record.abandoned(now))
                raise
            if counted:
                own = counted._replace(calls=counted.calls + record.abandoned(now))
                return RequestCount(own, record, record.calls + counted.calls)
        raise TooManyChanges

    def settle(self, caller: Caller, request: IdempotentRequest, calls: int) -> None:
        """Ensure that this many calls are counted, by any worker, and stay so. Raise as :meth:`reserve`."""
        for _ in range(TRIES):
            now = int(self._ledger.clock())
            if self._mark_answered(request, calls, now):
                return
            counted = read_record(self._store, request, now).calls  # other workers have released their calls
            transition = Transition(request, counted, now, now + RECORD_SECONDS, answered=calls)
            if counted < calls and self._count(caller, calls - counted, transition):
                return
        raise TooManyChanges

    def _mark_answered(self, request: IdempotentRequest, calls: int, now: int) -> bool:
        with suppress(StoreUnavailable):  # sending it again changes nothing that was applied
            return self._store.mark_answered(request, calls, now)
        return self._store.mark_answered(request, calls, now)

    def _counted_before(self, caller: Caller, record: IdempotencyRecord, own: int) -> RequestCount:
        return RequestCount(Reservation(caller, self._ledger.quota(caller), own), record, record.calls)

    def _count(
        self, caller: Caller, calls: int, transition: Transition, *, partial: bool = False
    ) -> Reservation | None:
        """Count calls with the record; return ``None`` if the record has changed."""
        try:
            return self._ledger.reserve(caller, calls, partial=partial, transition=transition)
        except RecordChanged:
            return None
        except QuotaExceeded:
            record = read_record(self._store, transition.request, transition.now)
            if record.calls != transition.calls:
                return None  # another attempt of this very request may have filled the month
            raise

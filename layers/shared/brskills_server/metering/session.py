"""One request by one caller: counted at most once, and never answered to a key that is not active."""

from brskills_server.accounts.account import Caller
from brskills_server.accounts.errors import AccessError, InvalidKey, QuotaExceeded, UncountedLimit
from brskills_server.metering.idempotency import Claimed
from brskills_server.metering.idempotency_record import IdempotencyRecord, claim_of
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.quota import Quota
from brskills_server.metering.reservation import Reservation
from brskills_server.metering.uncounted import BYTES_PER_UNIT, LOOK_UP_UNITS

__all__ = ["Session"]


class Session:
    """What a skill sees of the ledger: reserve before work that may fail, release if it did."""

    def __init__(self, ledger: Ledger, caller: Caller) -> None:
        self._ledger = ledger
        self._claim: IdempotencyRecord | None = None
        self._reservation: Reservation | None = None
        self._checked = False
        self.caller = caller
        self.calls = 0
        """What the answer costs, as it stands, whoever has counted it."""
        self.quota: Quota | None = None
        """How the month stands with this request; ``None`` while it costs nothing."""
        self.plan: str | None = None
        """The plan, once a call was counted, even if it was taken back."""
        self.counted_before = 0
        """Calls of this request that were counted when it came before."""
        self.answered_before = 0
        """Those of them that were answered."""
        self.since = 0
        """When a claimed request was first counted, in Unix seconds."""
        self.items = 1
        """Requests in this one: those of a batch."""
        self._asked = 0
        self._takes_allowance = True

    @property
    def claim_id(self) -> str:
        """What identifies a claimed request; empty without a claim."""
        return self._claim.id if self._claim else ""

    @property
    def replayed(self) -> bool:
        """Whether calls of this request were counted when it came before."""
        return self.counted_before > 0

    @property
    def was_answered(self) -> bool:
        """Whether all that this request costs was answered when it came before."""
        return 0 < self.calls <= self.answered_before

    def claim(self, key: str, request: bytes) -> None:
        """Count this request once, however often it comes under ``key`` (see ``brskills_server.metering.idempotency_record``)."""
        self._claim = claim_of(self.caller, key, request)

    def reserve(self, calls: int = 1, *, partial: bool = False) -> int:
        """Count calls, all of them or, where ``partial``, as many as there is room for; returns how many.

        Raises ``InvalidKey``, ``QuotaExceeded``, ``IdempotencyKeyReused`` or ``StoreUnavailable``, with
        nothing counted, and ``UncountedLimit`` for a repeated request.
        """
        self._checked = True
        try:
            own, before, after, answered, since = self._reserve(calls, partial)
        except QuotaExceeded as full:
            self._takes_allowance = False  # the month's limit has refused it
            if not partial:
                raise
            self.quota, self.plan = full.quota, full.quota.plan
            return 0
        except InvalidKey:
            self._takes_allowance = False
            raise
        if before >= after:  # nothing was counted: refused now or not at all, see take_allowance
            self.check_allowance()
        self._reservation, self.quota, self.plan = own, own.quota, own.quota.plan
        self.counted_before, self.answered_before, self.since = before, answered, since
        self.calls = min(calls, after)
        return self.calls

    def settle(self) -> None:
        """To be called when the answer is there: what it costs must stay counted now, whoever has counted it.

        Raises as :meth:`reserve` does; then the answer must not leave, and its calls are released.
        """
        if not (self._claim and self.calls):
            return
        try:
            self._ledger.claims.settle(self.caller, self._claim, self.calls)
        except AccessError:
            self.release()
            raise

    def release(self, calls: int | None = None) -> None:
        """Take the count of so many calls back, or of all that the request cost so far."""
        released = self.calls if calls is None else calls
        if not released:
            return
        own, reservation = min(released, self._own), self._reservation
        self._forget(released, own)
        if reservation and own:
            self._ledger.release(reservation, own, self._claim)

    def release_absence(self) -> bool:
        """Take one count back where an unconfirmed absence is free; ``False``: that call stays counted."""
        before = self.calls, self._reservation, self.quota
        reservation = self._reservation
        if not reservation or not reservation.calls:  # whoever has counted it decides
            self._forget(min(1, self.calls), 0)
            return True
        self._forget(1, 1)  # first: what the store does not confirm must not be released once more
        is_free = self._ledger.release_absence(reservation, self._claim)
        if not is_free:
            self.calls, self._reservation, self.quota = before
        return is_free

    def usage(self) -> tuple[Quota, dict[str, int]]:
        """How the month stands, and the calls of earlier months; raises as :meth:`reserve` does.

        Raises ``UncountedLimit`` as :meth:`take_of_minute` does.
        """
        self.take_of_minute()
        self._checked, self._takes_allowance = True, False
        return self._ledger.usage(self.caller)

    def before_asking(self) -> None:
        """Note a look-up for which the sources will be asked.

        Raises ``UncountedLimit`` where the caller's allowance for look-ups in vain is used up.
        """
        self.check_allowance()
        self._asked += 1

    def check_allowance(self) -> None:
        """Raise ``UncountedLimit`` where the allowance for what is not counted is known to be used up."""
        self._ledger.allowance.check(self.caller)

    def take_allowance(self, body_bytes: int) -> None:
        """Take what the request did without being counted from the allowance, before it is answered.

        Raises ``InvalidKey`` or ``StoreUnavailable``, and ``UncountedLimit`` unless sources were asked: then
        the next one is refused. Raises nothing where the answer costs calls: they must not stay counted for
        an answer that does not leave.
        """
        kept = max(0, self.calls - self.counted_before)
        in_vain = max(0, self._asked - kept)
        units = max(0, self.items - kept) + in_vain * (LOOK_UP_UNITS - 1)
        if not kept:
            units = max(units, body_bytes // BYTES_PER_UNIT)
        if not (units and self._takes_allowance):
            self.ensure_checked()
            return
        self._checked = True
        try:
            self._ledger.allowance.take(self.caller, units)
        except AccessError as error:
            if not (self.calls or (in_vain and isinstance(error, UncountedLimit))):
                raise

    def take_of_minute(self) -> None:
        """Take a unit for a question about the account itself; raises ``UncountedLimit``."""
        self._ledger.allowance.take_of_minute(self.caller)

    def mark_checked(self) -> None:
        """The key was checked by other means (and may have ended by now): it need not be again."""
        self._checked = True

    def ensure_checked(self) -> None:
        """To be called before an answer leaves: raises ``InvalidKey`` if no other method saw the key."""
        if not self._checked:
            self._checked = True
            self._ledger.verify(self.caller)

    @property
    def _own(self) -> int:
        """Calls that this request may take back: it has counted them, or whoever has died at it."""
        return self._reservation.calls if self._reservation else 0

    def _reserve(self, calls: int, partial: bool) -> Claimed:
        if self._claim:
            return self._ledger.claims.reserve(self.caller, self._claim, calls, partial=partial)
        own = self._ledger.reserve(self.caller, calls, partial=partial)
        return Claimed(own, 0, own.calls)

    def _forget(self, calls: int, own: int) -> None:
        """So many calls are no longer due, of which this request had counted ``own``."""
        self.calls -= calls
        if self._reservation and self.quota:
            self._reservation = self._reservation._replace(calls=self._own - own)
            self.quota = self.quota._replace(calls=self.quota.calls - own)
        if not self.calls:
            self.quota = None

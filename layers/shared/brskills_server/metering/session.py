"""One request of one caller: counted at most once, and answered only while the key is active."""

from brskills_server.accounts.account import Caller
from brskills_server.accounts.errors import AccessError, InvalidKey
from brskills_server.metering.errors import QuotaExceeded, UncountedLimit
from brskills_server.metering.idempotency import Idempotency
from brskills_server.metering.idempotency_record import IdempotentRequest, identify_request
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.quota import Quota, Reservation
from brskills_server.metering.uncounted import BYTES_PER_UNIT, LOOK_UP_UNITS


class Session:
    """The count of one request: skills reserve calls before work that may fail, and release them if it did.

    ``calls``: cost of the answer so far, by whichever attempt it was counted. ``quota``: the month with this
    request, ``None`` while it costs nothing. ``plan``: known once a call was counted. ``counted_before``,
    ``answered_before``: calls that earlier attempts of an idempotent request counted, and those they
    answered; ``since``: Unix seconds of the first count; ``replayed``: whether there are any. ``items``: of a
    batch.
    """

    def __init__(self, ledger: Ledger, caller: Caller) -> None:
        self._ledger = ledger
        self._request: IdempotentRequest | None = None
        self._reservation: Reservation | None = None
        self._key_checked = False
        self._takes_allowance = True
        self._looked_up = 0
        self.caller = caller
        self.allowance = ledger.allowance
        self.calls = 0
        self.quota: Quota | None = None
        self.plan: str | None = None
        self.counted_before = 0
        self.answered_before = 0
        self.since = 0
        self.replayed = False
        self.items = 1

    @property
    def idempotency_id(self) -> str:
        """The id of an idempotent request, or empty."""
        return self._request.id if self._request else ""

    @property
    def was_answered(self) -> bool:
        """Whether an earlier attempt answered all that this request costs."""
        return 0 < self.calls <= self.answered_before

    def identify(self, key: str, content: bytes) -> None:
        """Count this request once, however often it comes under the ``Idempotency-Key`` ``key``."""
        self._request = identify_request(self.caller, key, content)

    def reserve(self, calls: int = 1, *, partial: bool = False) -> int:
        """Count all calls or, if ``partial``, as many as the month has room for; return how many.

        Raise ``InvalidKey``, ``QuotaExceeded``, ``IdempotencyKeyReused`` or ``StoreUnavailable``, with
        nothing counted, and ``UncountedLimit`` for a repeated request.
        """
        self._key_checked = True
        before = answered = since = 0
        try:
            if self._request:
                counts = Idempotency(self._ledger)
                own, record, after = counts.reserve(self.caller, self._request, calls, partial=partial)
                before, answered, since = record.calls, record.answered, record.begun
            else:
                own = self._ledger.reserve(self.caller, calls, partial=partial)
                after = own.calls
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
            self.allowance.check(self.caller)
        self._reservation, self.quota, self.plan = own, own.quota, own.quota.plan
        self.counted_before, self.answered_before, self.since = before, answered, since
        self.replayed = before > 0
        self.calls = min(calls, after)
        return self.calls

    def settle(self) -> None:
        """Ensure that the calls of a ready answer stay counted, by whichever attempt.

        Raise as :meth:`reserve`: then the answer must not be sent, and its calls are released.
        """
        if not (self._request and self.calls):
            return
        try:
            Idempotency(self._ledger).settle(self.caller, self._request, self.calls)
        except AccessError:
            self.release()
            raise

    def release(self, calls: int | None = None) -> None:
        """Release this many calls, or all that the request cost so far."""
        released, reservation = self.calls if calls is None else calls, self._reservation
        own = min(released, reservation.calls) if reservation else 0
        if released:
            self._reduce(released, own)
        if reservation and own:
            self._ledger.releases.apply(reservation, own, self._request)

    def release_absence(self) -> bool:
        """Release a call that found no company; return ``False`` if it is not free and stays counted."""
        before = self.calls, self._reservation, self.quota
        reservation = self._reservation
        if not reservation or not reservation.calls:  # the attempt that counted it decides
            self._reduce(min(1, self.calls), 0)
            return True
        self._reduce(1, 1)  # first: what the store does not confirm must not be released once more
        is_released = self._ledger.releases.apply_absence(reservation, self._request, self.calls)
        if is_released is None:  # another attempt did it, and what this one counted is still to be released
            self._reservation = reservation
        if is_released is False:
            self.calls, self._reservation, self.quota = before
        return is_released is not False

    def usage(self) -> tuple[Quota, dict[str, int]]:
        """Return the month's quota and the calls of earlier months. Raise as :meth:`reserve`."""
        self.allowance.take_of_minute(self.caller)
        self._key_checked, self._takes_allowance = True, False
        return self._ledger.usage(self.caller)

    def before_asking(self) -> None:
        """Note a look-up at the sources. Raise ``UncountedLimit`` if the allowance is used up."""
        self.allowance.check(self.caller)
        self.note_look_up()

    def note_look_up(self, times: int = 1) -> None:
        """Note a request to others or as much work: it takes from the allowance unless the answer counts."""
        self._looked_up += times

    def take_allowance(self, body_bytes: int) -> None:
        """Take the request's uncounted work from the allowance, before the answer is sent.

        Raise ``InvalidKey`` or ``StoreUnavailable``, and ``UncountedLimit`` unless sources were asked: then
        the next request is refused. An answer that costs calls raises nothing, since these must not stay
        counted for an answer that is not sent.
        """
        kept = max(0, self.calls - self.counted_before)
        in_vain = max(0, self._looked_up - kept)
        units = max(0, self.items - kept) + in_vain * (LOOK_UP_UNITS - 1)
        if not kept:
            units = max(units, body_bytes // BYTES_PER_UNIT)
        if not (units and self._takes_allowance):
            if not self._key_checked:
                self.ensure_checked()
            return
        self._key_checked = True
        try:
            self.allowance.take(self.caller, units)
        except AccessError as error:
            if not (self.calls or (in_vain and isinstance(error, UncountedLimit))):
                raise

    def mark_checked(self) -> None:
        """Skip the check of the key: another method did it, and the key may have ended since."""
        self._key_checked = True

    def ensure_checked(self) -> None:
        """Raise ``InvalidKey`` if the key is not active, unless it was checked: before an answer is sent."""
        if not self._key_checked:
            self._key_checked = True
            self._ledger.verify(self.caller)

    def _reduce(self, calls: int, own: int) -> None:
        """Lower the request's cost, of which this attempt had counted ``own``."""
        self.calls -= calls
        if self._reservation and self.quota:
            self._reservation = self._reservation._replace(calls=self._reservation.calls - own)
            self.quota = self.quota._replace(calls=self.quota.calls - own)
        if not self.calls:
            self.quota = None

"""One call by one caller: counted at most once, and never answered to a key that is not active."""

from access.account import Caller
from access.ledger import Ledger, Reservation
from access.quota import Quota

__all__ = ["Session"]


class Session:
    """What a skill sees of the ledger: reserve before work that may fail, release if it did."""

    def __init__(self, ledger: Ledger, caller: Caller) -> None:
        self._ledger = ledger
        self._reservation: Reservation | None = None
        self._checked = False
        self.caller = caller
        self.plan: str | None = None
        """The plan, once a call was counted, even if it was taken back."""

    @property
    def quota(self) -> Quota | None:
        """How the month stands with this call; ``None`` while it is not counted."""
        return None if self._reservation is None else self._reservation.quota

    def reserve(self) -> None:
        """Count this call; raises ``InvalidKey``, ``QuotaExceeded`` or ``StoreUnavailable``."""
        self._checked = True
        self._reservation = self._ledger.reserve(self.caller)
        self.plan = self._reservation.quota.plan

    def release(self) -> None:
        """Take the count of this call back."""
        if self._reservation is not None:
            reservation, self._reservation = self._reservation, None
            self._ledger.release(reservation)

    def release_absence(self) -> bool:
        """Take the count back where an unconfirmed absence is free; ``False``: this call stays counted."""
        reservation, self._reservation = self._reservation, None
        if reservation is None or self._ledger.release_absence(reservation):
            return True
        self._reservation = reservation
        return False

    def usage(self) -> tuple[Quota, dict[str, int]]:
        """How the month stands, and the calls of earlier months; raises as :meth:`reserve` does."""
        self._checked = True
        return self._ledger.usage(self.caller)

    def mark_checked(self) -> None:
        """The key was checked by other means (and may have ended by now): it need not be again."""
        self._checked = True

    def ensure_checked(self) -> None:
        """To be called before an answer leaves: raises ``InvalidKey`` if no other method saw the key."""
        if not self._checked:
            self._checked = True
            self._ledger.verify(self.caller)

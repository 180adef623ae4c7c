"""One call by one caller: counted at most once, and never answered to a dead key."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from access.ledger import Caller, Ledger, Reservation
    from access.quota import Quota

__all__ = ["Session"]


class Session:
    """What a skill sees of the ledger: reserve before work that may fail, give back if it did."""

    def __init__(self, ledger: Ledger, caller: Caller) -> None:
        self._ledger = ledger
        self._reservation: Reservation | None = None
        self._asked = False
        self.caller = caller

    @property
    def quota(self) -> Quota | None:
        """How the month stands with this call; ``None`` while it is not counted."""
        return None if self._reservation is None else self._reservation.quota

    def reserve(self) -> None:
        """Count this call; raises ``InvalidKey``, ``QuotaExceeded`` or ``StoreUnavailable``."""
        self._asked = True
        self._reservation = self._ledger.reserve(self.caller)

    def give_back(self) -> None:
        """Uncount this call."""
        if self._reservation is not None:
            reservation, self._reservation = self._reservation, None
            self._ledger.give_back(reservation)

    def close(self) -> None:
        """The key was checked by other means (and may be gone now): nothing is left to settle."""
        self._asked = True

    def settle(self) -> None:
        """Before an answer leaves: what was not counted must at least come from a living key."""
        if not self._asked:
            self._asked = True
            self._ledger.verify(self.caller)

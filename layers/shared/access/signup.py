"""How many keys one address, or one e-mail, may have in a day."""

import time
from collections.abc import Callable

from access import month
from access.address import Pseudonyms
from access.errors import SignupLimit
from access.ports import SignupStore

__all__ = ["Signups"]


class Signups:
    """Daily counts of issued keys by pseudonym, refused at the limit."""

    def __init__(
        self,
        store: SignupStore,
        pseudonyms: Pseudonyms,
        per_day: int,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._pseudonyms = pseudonyms
        self._per_day = per_day
        self._clock = clock

    def take(self, network: str, email: str | None) -> None:
        """Count one sign-up or raise ``SignupLimit``. An e-mail counts in any case of its letters."""
        now = self._clock()
        self._count(f"address:{network}", now)
        if email is not None:
            self._count(f"email:{email.lower()}", now)

    def _count(self, identifier: str, now: float) -> None:
        ends = int(month.end_of_day(now).timestamp())
        pseudonym = self._pseudonyms.of(identifier, now)
        if not self._store.count_signup(month.name_of_day(now), pseudonym, self._per_day, ends):
            raise SignupLimit(max(1, ends - int(now)))

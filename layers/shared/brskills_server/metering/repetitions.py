"""How often a request that is repeated under an ``Idempotency-Key`` may be worked at again.

Normally never: it is answered by what is stored. Where nothing was stored, one repetition a minute may try.
"""

import time
from collections.abc import Callable

from brskills_server.accounts import calendar as month
from brskills_server.accounts.ports import SignupStore
from brskills_server.metering.idempotency_record import ATTEMPT_SECONDS, CLAIM_SECONDS

__all__ = ["Repeats"]


class Repeats:
    """Attempts by claim (its id) and minute since the request was first counted."""

    def __init__(self, store: SignupStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def claim_attempt(self, claim: str, since: int) -> bool:
        """Take the attempt of this minute; ``False``: another repetition has it.

        May raise ``StoreUnavailable``.
        """
        now = self._clock()
        minute = int(now - since) // ATTEMPT_SECONDS
        return self._store.count_signup(
            f"repeat:{claim}:{minute}", month.name_of_day(since), 1, since + CLAIM_SECONDS
        )

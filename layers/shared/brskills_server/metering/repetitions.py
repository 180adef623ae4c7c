"""Limit of new attempts at a repeated idempotent request for which no answer was stored: one a minute."""

import time
from collections.abc import Callable

from brskills_server.accounts import calendar
from brskills_server.accounts.ports import WindowStore
from brskills_server.metering.idempotency_record import ATTEMPT_SECONDS, RECORD_SECONDS


class RepeatAttempts:
    """Attempts by request id and minute since the request was first counted."""

    def __init__(self, store: WindowStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def take_attempt(self, request: str, since: int) -> bool:
        """Take this minute's attempt; ``False`` if another repetition has it.

        May raise ``StoreUnavailable``.
        """
        minute = int(self._clock() - since) // ATTEMPT_SECONDS
        return self._store.count_in_window(
            f"repeat:{request}:{minute}", calendar.day_name(since), 1, since + RECORD_SECONDS
        )

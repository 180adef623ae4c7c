"""The terms on which a repeated request looks companies up."""

import time
from threading import Lock

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.metering.idempotency_record import ATTEMPT_SECONDS
from brskills_server.metering.session import Session
from brskills_server.metering.window_limits import RepeatAttempts
from brskills_server.registry.query import Repetition


def repetition_of(session: Session, attempts: RepeatAttempts) -> Repetition:
    """Return the repetition that a request is whose calls were counted before."""
    is_young = time.time() - session.since < ATTEMPT_SECONDS
    is_pending = is_young and session.answered_before < session.counted_before
    return Repetition(session.since, is_pending, _Attempts(session, attempts).may_ask)


class _Attempts:
    """The companies for which one repetition may call sources.

    As many as it has counted calls itself, and the rest if it takes this minute's attempt.
    """

    def __init__(self, session: Session, attempts: RepeatAttempts) -> None:
        self._session = session
        self._attempts = attempts
        self._newly_counted = session.calls - session.counted_before
        self._has_attempt: bool | None = None
        self._lock = Lock()

    def may_ask(self) -> bool:
        with self._lock:
            if self._newly_counted > 0:
                self._newly_counted -= 1
                return True
            if self._has_attempt is None:
                self._has_attempt = self._take_attempt()
            return self._has_attempt

    def _take_attempt(self) -> bool:
        try:
            return self._attempts.take_attempt(self._session.idempotency_id, self._session.since)
        except StoreUnavailable:
            return False

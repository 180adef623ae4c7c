"""On which terms a request looks companies up: whether it pays, and whether it repeats another."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.metering.idempotency_record import ATTEMPT_SECONDS
from brskills_server.metering.session import Session
from brskills_server.registry.payer import Payer
from brskills_server.registry.store import StoreFault

if TYPE_CHECKING:
    from brskills_server.metering.paid_share import PaidShares
    from brskills_server.metering.repetitions import RepeatAttempts
    from brskills_server.registry.lookup.repetition import Repetition

__all__ = ["Terms", "terms_of"]


class Terms(NamedTuple):
    """See ``brskills_server.registry.registry.Registry.look_up``."""

    payer: Payer | None = None
    repetition: Repetition | None = None
    before_asking: Callable[[], None] = lambda: None


def terms_of(session: Session, shares: PaidShares, repeats: RepeatAttempts) -> Terms:
    """Return the terms of a request whose calls are reserved; one that costs nothing pays for nothing.

    A repetition never pays: its calls were counted for what was asked then.
    """
    if session.replayed:
        return Terms(None, _repetition_of(session, repeats), session.before_asking)
    if session.calls and shares.has_share(session.plan):
        account = session.caller.account
        payer = Payer(account, partial(_claim_share, shares, account))
        return Terms(payer, None, session.before_asking)
    return Terms(before_asking=session.before_asking)


def _claim_share(shares: PaidShares, account: str) -> bool:
    try:
        return shares.take(account)
    except StoreUnavailable as failure:
        raise StoreFault(str(failure)) from failure


def _repetition_of(session: Session, repeats: RepeatAttempts) -> Repetition:
    from brskills_server.registry.lookup.repetition import Repetition

    is_young = time.time() - session.since < ATTEMPT_SECONDS
    is_pending = is_young and session.answered_before < session.counted_before
    return Repetition(session.since, is_pending, _Attempts(session, repeats).may_ask)


class _Attempts:
    """What one repetition may ask sources for: as many companies as it has counted calls itself, and the rest
    where it has this minute's attempt."""

    def __init__(self, session: Session, repeats: RepeatAttempts) -> None:
        self._session = session
        self._repeats = repeats
        self._new = session.calls - session.counted_before
        self._has_attempt: bool | None = None
        self._lock = Lock()

    def may_ask(self) -> bool:
        with self._lock:
            if self._new > 0:
                self._new -= 1
                return True
            if self._has_attempt is None:
                self._has_attempt = self._claim()
            return self._has_attempt

    def _claim(self) -> bool:
        try:
            return self._repeats.take_attempt(self._session.idempotency_id, self._session.since)
        except StoreUnavailable:
            return False

"""The terms of a request's look-ups: whether it pays, and whether it repeats another."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.metering.idempotency_record import ATTEMPT_SECONDS
from brskills_server.metering.session import Session
from brskills_server.registry.query import Payer, Query, Repetition
from brskills_server.registry.store import StoreFault

if TYPE_CHECKING:
    from brskills_server.metering.paid_share import PaidShares
    from brskills_server.metering.repetitions import RepeatAttempts

__all__ = ["with_terms"]


def with_terms(query: Query, session: Session, shares: PaidShares, repeats: RepeatAttempts) -> Query:
    """Return the query on the terms of a request whose calls are reserved; a free one pays for nothing.

    A repetition never pays: its calls were counted for what was asked then.
    """
    if session.replayed:
        return replace(
            query, repetition=_repetition_of(session, repeats), before_asking=session.before_asking
        )
    if session.calls and shares.has_share(session.plan):
        account = session.caller.account
        payer = Payer(account, partial(_claim_share, shares, account))
        return replace(query, payer=payer, before_asking=session.before_asking)
    return replace(query, before_asking=session.before_asking)


def _claim_share(shares: PaidShares, account: str) -> bool:
    try:
        return shares.take(account)
    except StoreUnavailable as failure:
        raise StoreFault(str(failure)) from failure


def _repetition_of(session: Session, repeats: RepeatAttempts) -> Repetition:
    is_young = time.time() - session.since < ATTEMPT_SECONDS
    is_pending = is_young and session.answered_before < session.counted_before
    return Repetition(session.since, is_pending, _Attempts(session, repeats).may_ask)


class _Attempts:
    """The companies for which one repetition may call sources: as many as it has counted calls itself, and the
    rest where it claims this minute's attempt."""

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

"""Look-ups repeated under an ``Idempotency-Key``: the cache answers them, sources are not called again."""

from __future__ import annotations

import time

from brskills_server.registry.answer import Answer
from brskills_server.registry.errors import SourcesUnavailable
from brskills_server.registry.lookup.local_lookup import LocalLookup, PendingLookup
from brskills_server.registry.query import Query, Repetition

REPEAT_SECONDS = 60
"""The interval in which at most one repetition of a request calls sources; see ``Repetition.may_ask``."""

FIRST_SECONDS = 12.0
"""How long a repetition waits for the first attempt of a single look-up, from the beginning of that one."""

_WRITE_SECONDS = 2.0  # an answer leaves after a second though its write is not done (see ``state_sync``)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 0.5


def look_up_known(local: LocalLookup, query: Query, seconds: float = FIRST_SECONDS) -> Answer | PendingLookup:
    """Return the local answer, or the look-up that providers have to answer.

    While the first attempt may still be under way, a repetition waits for what that one stores. Where nothing
    is stored by its latest end (it could not save, or crashed), ``Repetition.may_ask`` decides. ``seconds``:
    the longest time of the first attempt. Raise as ``LocalLookup.look_up``, and ``SourcesUnavailable`` where
    nothing is stored and no source may be called.
    """
    known, repetition = local.look_up(query), query.repetition
    if repetition is None or isinstance(known, Answer):
        return known
    ends, pause = time.monotonic() + _wait_seconds(local, repetition, seconds), _FIRST_PAUSE
    while not _is_settled(known, repetition) and time.monotonic() < ends:
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
        known = local.look_up(query)
        if isinstance(known, Answer):
            return known
    if not _is_settled(known, repetition) and repetition.may_ask():
        return known
    return _stale_answer(local, known, repetition)


def _wait_seconds(local: LocalLookup, repetition: Repetition, seconds: float) -> float:
    """Return how long to wait for what the first attempt stores: until it ends, or for its late write."""
    left = min(seconds, repetition.since + seconds - local.clock())
    return left if repetition.is_pending else min(left, _WRITE_SECONDS)


def _is_settled(known: PendingLookup, repetition: Repetition) -> bool:
    """Return whether the first attempt was counted though its answer was not fresh enough."""
    return known.paid_at >= repetition.since


def _stale_answer(local: LocalLookup, known: PendingLookup, repetition: Repetition) -> Answer:
    if answer := local.cache.stale_answer(known.stored, known.query.freshness):
        return answer
    is_settled = _is_settled(known, repetition)
    waited = int(local.clock()) - repetition.since
    raise SourcesUnavailable(
        REPEAT_SECONDS - waited % REPEAT_SECONDS, nothing_failed=is_settled, paid=is_settled
    )

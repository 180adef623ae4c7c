"""Look-ups repeated under an ``Idempotency-Key``: answered by what is stored, and no source is asked.

While the first attempt may still be at work, the repetition waits for what that one stores. Where nothing is
stored by its latest end (it could not save, or crashed), the caller's rule says whether sources may be asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from brskills_server.registry.answer import Answer
from brskills_server.registry.errors import SourcesUnavailable
from brskills_server.registry.freshness import Freshness
from brskills_server.registry.lookup.local_lookup import LocalLookup, Query

__all__ = ["FIRST_SECONDS", "REPEAT_SECONDS", "Repetition", "recall_repeated"]

REPEAT_SECONDS = 60
"""The interval in which at most one repetition of a request asks sources; see ``may_ask``."""

FIRST_SECONDS = 12.0
"""How long a repetition waits for the first attempt of a single look-up, from the beginning of that one."""

_WRITE_SECONDS = 2.0  # an answer leaves after a second though its write is not done (see ``fail_safe_store``)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 0.5


@dataclass(frozen=True, slots=True)
class Repetition:
    """A request that was counted before.

    ``since``: when it was first counted (epoch seconds). ``is_pending``: the first attempt may still be at
    work. ``may_ask``: whether sources may be asked for one more company; it may block.
    """

    since: int
    is_pending: bool
    may_ask: Callable[[], bool]


def recall_repeated(
    recall: LocalLookup, cnpj: str, demand: Freshness, repetition: Repetition, seconds: float
) -> Answer | Query:
    """Return what is stored since the first attempt, or the query where sources may be asked.

    ``seconds``: the longest time that a first attempt takes. Raise ``CompanyNotFound``, and
    ``SourcesUnavailable`` where nothing is stored and no source may be asked.
    """
    ends, pause = time.monotonic() + _wait_seconds(recall, repetition, seconds), _FIRST_PAUSE
    known = recall(cnpj, demand, repetition.since)
    while isinstance(known, Query) and not _is_settled(known, repetition) and time.monotonic() < ends:
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
        known = recall(cnpj, demand, repetition.since)
    if isinstance(known, Answer):
        return known
    if not _is_settled(known, repetition) and repetition.may_ask():
        return known
    return _fall_back(recall, known, repetition)


def _wait_seconds(recall: LocalLookup, repetition: Repetition, seconds: float) -> float:
    """How long to wait for what the first attempt stores: until it is over, or its late write."""
    left = min(seconds, repetition.since + seconds - recall.clock())
    return left if repetition.is_pending else min(left, _WRITE_SECONDS)


def _is_settled(query: Query, repetition: Repetition) -> bool:
    """Whether the first attempt was counted though its answer did not meet the demand."""
    return query.paid_at >= repetition.since


def _fall_back(recall: LocalLookup, query: Query, repetition: Repetition) -> Answer:
    if answer := recall.answers.older(query.stored, query.demand):
        return answer
    is_settled = _is_settled(query, repetition)
    waited = int(recall.clock()) - repetition.since
    raise SourcesUnavailable(
        REPEAT_SECONDS - waited % REPEAT_SECONDS, nothing_failed=is_settled, paid=is_settled
    )

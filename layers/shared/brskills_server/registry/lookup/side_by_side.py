"""Many look-ups at once: what is known is read in a few threads, the rest is asked for in the one loop.

The providers are asked for a few companies at a time, each as a single look-up asks them.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import repeat

from brskills_server.registry.answer import Answer
from brskills_server.registry.freshness import Freshness
from brskills_server.registry.lookup.local_lookup import Query
from brskills_server.registry.lookup.loop_thread import LoopThread
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from brskills_server.registry.lookup.repetition import Repetition, recall_repeated
from brskills_server.registry.payer import Payer

__all__ = ["MANY_SECONDS", "Outcome", "look_up_many"]

MANY_SECONDS = 20.0
"""For all of them together."""

ASKED_AT_ONCE = 10
"""Companies for which providers are asked at the same time: a batch is not to crowd others out."""

_READERS = 16
_GRACE = 0.5  # for the loop to end what was not done in time

Outcome = Answer | Exception


def look_up_many(
    steps: ProviderLookup,
    loop: LoopThread,
    cnpjs: Sequence[str],
    demand: Freshness,
    seconds: float = MANY_SECONDS,
    *,
    payer: Payer | None = None,
    repetition: Repetition | None = None,
    before_asking: Callable[[], None] = lambda: None,
) -> list[Outcome]:
    """What a single look-up of each number would give or raise; what was not done in time is unavailable.

    ``before_asking``: called for each number of which providers must be asked; what it raises is its outcome.
    """
    ends = time.monotonic() + seconds

    def recall(cnpj: str) -> Answer | Query:
        if repetition:
            return recall_repeated(steps.recall, cnpj, demand, repetition, seconds)
        return steps.recall(cnpj, demand)

    def read(cnpj: str) -> Outcome | Query:
        if time.monotonic() >= ends:  # the store is slow
            return Query(cnpj, demand, None, None)
        found = _outcome(partial(recall, cnpj))
        return found.paid_by(payer) if isinstance(found, Query) else found

    with ThreadPoolExecutor(min(_READERS, len(cnpjs)) or 1) as readers:
        known = list(readers.map(read, cnpjs))
    known = [_permitted(found, before_asking) for found in known]
    queries = [found for found in known if isinstance(found, Query)]
    asked: Iterator[Outcome | None] = repeat(None)
    left = ends - time.monotonic()
    if queries and left > 0:
        with suppress(TimeoutError):  # the loop is held up
            asked = iter(loop.run(_ask_all(steps, queries, left), left + _GRACE))
    return [
        (next(asked) or _fallen_back(steps, found)) if isinstance(found, Query) else found for found in known
    ]


async def _ask_all(steps: ProviderLookup, queries: Sequence[Query], seconds: float) -> list[Outcome | None]:
    """``None`` for what was not found in time."""
    room = asyncio.Semaphore(ASKED_AT_ONCE)

    async def ask(query: Query) -> Outcome:
        async with room:
            try:
                return await steps.ask(query)
            except Exception as outcome:
                return outcome

    tasks = [asyncio.create_task(ask(query)) for query in queries]
    try:
        await asyncio.wait(tasks, timeout=seconds)
    finally:
        in_time = [task.done() for task in tasks]
        for task in tasks:
            task.cancel()  # of one that is done it does nothing
        await asyncio.gather(*tasks, return_exceptions=True)
    return [task.result() if done else None for task, done in zip(tasks, in_time, strict=True)]


def _permitted(found: Outcome | Query, before_asking: Callable[[], None]) -> Outcome | Query:
    if isinstance(found, Query):
        try:
            before_asking()
        except Exception as refusal:
            return refusal
    return found


def _fallen_back(steps: ProviderLookup, query: Query) -> Outcome:
    found = _outcome(partial(steps.fall_back, query))
    assert not isinstance(found, Query)  # noqa: S101, for mypy: to fall back asks nobody
    return found


def _outcome(look: Callable[[], Answer | Query]) -> Outcome | Query:
    try:
        return look()
    except Exception as outcome:
        return outcome

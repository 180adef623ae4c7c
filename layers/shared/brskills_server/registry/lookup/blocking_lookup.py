"""Look-ups at the providers for callers in many threads, which wait for the process's one event loop."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import repeat
from typing import TypeVar

from brskills_server.outbound.loop_thread import LoopThread
from brskills_server.registry.answer import Answer
from brskills_server.registry.health.state_sync import STORE_SECONDS
from brskills_server.registry.lookup.hedging import TOTAL_SECONDS
from brskills_server.registry.lookup.local_lookup import PendingLookup
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from brskills_server.registry.lookup.repetition import look_up_known
from brskills_server.registry.query import Query

T = TypeVar("T")

_WAIT_SECONDS = TOTAL_SECONDS + 4 * STORE_SECONDS
"""More than the parts of a look-up take together: only a blocked loop is slower."""

MANY_SECONDS = 20.0
"""For all companies of a batch together."""

CONCURRENT_COMPANIES = 10
"""Companies of a batch for which providers are called at the same time, so that others get their turn."""

_READERS = 16
_GRACE = 0.5  # for the loop to end what was not done in time

Outcome = Answer | Exception


class BlockingLookup:
    """Runs look-ups of ``lookup`` in one event loop."""

    def __init__(self, lookup: ProviderLookup) -> None:
        self._lookup = lookup
        self._loop = LoopThread(lookup.close)

    def look_up(self, pending: PendingLookup) -> Answer:
        """Return the providers' answer; raise as ``Registry.look_up``."""
        try:
            return self._loop.run(self._lookup.look_up(pending), _WAIT_SECONDS)
        except TimeoutError:
            return self._lookup.fall_back(pending)

    def look_up_many(self, queries: Sequence[Query], seconds: float = MANY_SECONDS) -> list[Outcome]:
        """Return for each query what ``Registry.look_up`` returns or raises.

        Local answers are read together, the others come from the loop. A look-up that is not done in time
        raises ``SourcesUnavailable``.
        """
        ends = time.monotonic() + seconds
        known = [_permitted(found) for found in self._read_all(queries, ends, seconds)]
        pending = [found for found in known if isinstance(found, PendingLookup)]
        asked: Iterator[Outcome | None] = repeat(None)
        left = ends - time.monotonic()
        if pending and left > 0:
            with suppress(TimeoutError):  # the loop is blocked
                asked = iter(self._loop.run(self._ask_all(pending, left), left + _GRACE))

        def outcome_of(late: PendingLookup) -> Outcome:
            outcome = next(asked)
            return _outcome(lambda: self._lookup.fall_back(late)) if outcome is None else outcome

        return [outcome_of(found) if isinstance(found, PendingLookup) else found for found in known]

    def refresh(self) -> None:
        """Write what this process has seen of the providers, if the loop is not blocked."""
        with suppress(TimeoutError):
            self._loop.run(self._lookup.refresh(), _WAIT_SECONDS)

    def probe(self) -> None:
        """Probe the providers; see ``ProviderLookup.probe``."""
        self._loop.run(self._lookup.probe(), _WAIT_SECONDS)

    def close(self) -> None:
        """End the loop, and with it the connections."""
        self._loop.close()

    def _read_all(
        self, queries: Sequence[Query], ends: float, seconds: float
    ) -> list[Outcome | PendingLookup]:
        local = self._lookup.local
        if any(query.repetition for query in queries):
            return _in_threads(lambda query: look_up_known(local, query, seconds), queries, ends)
        first = local.read_first(queries)
        known = [_outcome(partial(local.look_up_unstored, query, first)) for query in queries]
        unknown = {found.query.cnpj for found in known if isinstance(found, PendingLookup)}
        loaded = local.cache.load_many([*unknown]) if time.monotonic() < ends else {}

        def stored(found: Outcome | PendingLookup) -> Outcome | PendingLookup:
            if not isinstance(found, PendingLookup):
                return found
            return _outcome(partial(local.look_up_stored, found, loaded.get(found.query.cnpj)))

        return [stored(found) for found in known]

    async def _ask_all(self, pending: Sequence[PendingLookup], seconds: float) -> list[Outcome | None]:
        """Return the providers' outcomes, ``None`` for what was not found in time."""
        room = asyncio.Semaphore(CONCURRENT_COMPANIES)

        async def ask(one: PendingLookup) -> Outcome:
            async with room:
                try:
                    return await self._lookup.look_up(one)
                except Exception as outcome:
                    return outcome

        tasks = [asyncio.create_task(ask(one)) for one in pending]
        try:
            await asyncio.wait(tasks, timeout=seconds)
        finally:
            in_time = [task.done() for task in tasks]
            for task in tasks:
                task.cancel()  # without effect on one that is done
            await asyncio.gather(*tasks, return_exceptions=True)
        return [task.result() if done else None for task, done in zip(tasks, in_time, strict=True)]


def _in_threads(
    read: Callable[[Query], Answer | PendingLookup], queries: Sequence[Query], ends: float
) -> list[Outcome | PendingLookup]:
    """Read what is known of each query, of none from ``ends`` on: then the store is slow."""

    def read_in_time(query: Query) -> Outcome | PendingLookup:
        return PendingLookup(query) if time.monotonic() >= ends else _outcome(partial(read, query))

    with ThreadPoolExecutor(min(_READERS, len(queries)) or 1) as readers:
        return list(readers.map(read_in_time, queries))


def _permitted(found: Outcome | PendingLookup) -> Outcome | PendingLookup:
    exception = _outcome(found.query.before_asking) if isinstance(found, PendingLookup) else None
    return exception or found


def _outcome(work: Callable[[], T]) -> T | Exception:
    """Return what ``work`` returns or raises."""
    try:
        return work()
    except Exception as exception:
        return exception

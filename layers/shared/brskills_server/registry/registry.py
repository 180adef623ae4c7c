"""The registry as callers use it: from any thread, many at once, each with its own answer or error.

Our own copy and a stored answer take no event loop: they are read in the caller's thread. Where providers
must be asked, the caller waits while the process's one loop asks them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING

from brskills_server.registry.answer import Answer
from brskills_server.registry.cache.stored_answers import FRESH_SECONDS, StoredAnswers
from brskills_server.registry.freshness import Freshness
from brskills_server.registry.lookup.local_lookup import LocalLookup
from brskills_server.registry.providers import PAID_IDS, PROVIDER_IDS, SNAPSHOT_ID
from brskills_server.registry.providers.results import ObserveAttempt
from brskills_server.registry.store import Store

if TYPE_CHECKING:
    from brskills_server.registry.health.provider_health import ProviderHealth, RecalledHealth
    from brskills_server.registry.lookup.blocking_lookup import BlockingLookup
    from brskills_server.registry.lookup.provider_lookup import ProviderLookup
    from brskills_server.registry.lookup.repetition import Repetition
    from brskills_server.registry.lookup.side_by_side import Outcome
    from brskills_server.registry.payer import Payer
    from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
    from brskills_server.registry.snapshot.source import SnapshotSource

__all__ = ["Registry", "build_registry"]


class Registry:
    """Companies by number. Every method blocks for seconds at most, and may be called from any thread.

    ``open_steps``: the look-up, opened with the first need to ask: what is known takes neither its
    HTTP client nor its event loop nor its models. ``open_health``: opened by who wants to know it before.
    """

    def __init__(
        self,
        recall: LocalLookup,
        open_health: Callable[[], RecalledHealth],
        open_steps: Callable[[], ProviderLookup],
    ) -> None:
        self._recall = recall
        self._open_health = open_health
        self._open_steps = open_steps
        self._opening = Lock()
        self._opened: BlockingLookup | None = None

    def look_up(
        self,
        cnpj: str,
        *,
        max_age: int | None = None,
        max_data_age: int | None = None,
        payer: Payer | None = None,
        repetition: Repetition | None = None,
        before_asking: Callable[[], None] = lambda: None,
    ) -> Answer:
        """The company with a canonical number (see ``parse_cnpj``).

        ``max_age``: the most seconds since a source answered; 0 asks a source in any case. ``max_data_age``:
        the most days since ``data_base``, in Brazil; what does not tell its day does not meet it.
        ``payer``: for whom paid addresses may be asked. ``repetition``: of a request that was counted before.
        ``before_asking``: called where providers must be asked; what it raises ends the look-up.
        Raises ``CompanyNotFound`` and ``SourcesUnavailable``. Nothing runs on when it returns.
        """
        demand = Freshness(max_age, max_data_age)
        if repetition:
            from brskills_server.registry.lookup.repetition import (  # few requests are repeated
                FIRST_SECONDS,
                recall_repeated,
            )

            known = recall_repeated(self._recall, cnpj, demand, repetition, FIRST_SECONDS)
        else:
            known = self._recall(cnpj, demand)
        if isinstance(known, Answer):
            return known
        before_asking()
        return self._waiting.look_up(known.paid_by(payer))

    def look_up_many(
        self,
        cnpjs: Sequence[str],
        demand: Freshness,
        payer: Payer | None = None,
        repetition: Repetition | None = None,
        before_asking: Callable[[], None] = lambda: None,
    ) -> list[Outcome]:
        """Several canonical numbers side by side: for each an answer, or what :meth:`look_up` would raise."""
        return self._waiting.look_up_many(cnpjs, demand, payer, repetition, before_asking)

    def health(self) -> list[ProviderHealth]:
        """Each provider's recent state, in the order of preference: as this process knows it best."""
        with self._opening:
            source = self._opened or self._recalled_health
        return source.health()

    def probe(self) -> None:
        """Evidence of each provider that nobody has asked for minutes; see ``ProviderLookup.probe``."""
        self._waiting.probe()

    def open(self) -> None:
        """Load and make what only asking takes: no connection, no thread."""
        _ = self._waiting

    def close(self) -> None:
        """End the connections and the thread, if any. Without it they end with the process."""
        with self._opening:
            if self._opened:
                self._opened.close()

    @cached_property
    def _recalled_health(self) -> RecalledHealth:
        return self._open_health()

    @property
    def _waiting(self) -> BlockingLookup:
        with self._opening:
            if self._opened is None:
                from brskills_server.registry.lookup.blocking_lookup import (
                    BlockingLookup,  # and with it the event loop
                )

                self._opened = BlockingLookup(self._open_steps())
            return self._opened


def build_registry(
    *,
    providers: Sequence[str],
    urls: Mapping[str, str],
    store: Store,
    fresh_seconds: int = FRESH_SECONDS,
    user_agent: str,
    clock: Callable[[], float] = time.time,
    observe: ObserveAttempt = lambda *_: None,
    own_copy: RegisterSnapshot | None = None,
    tokens: Mapping[str, Callable[[], str]] = MappingProxyType({}),
    paid_per_day: int = 0,
) -> Registry:
    """A registry over the providers with these ids, in the order of preference.

    ``urls``: provider id → base address in place of its public ones. ``clock``: epoch seconds. ``observe``:
    told of every attempt at one. ``own_copy``: what the provider ``receita`` reads; without it that one is
    passed over. ``tokens``: provider id → what reads the token of its paid address (``brskills_server.registry.providers.fetcher``), of
    which all together take ``paid_per_day`` calls a day. Raises ``KeyError`` for an unknown id.
    """
    for unknown in {*providers}.difference(PROVIDER_IDS) | {*tokens}.difference(PAID_IDS):
        raise KeyError(unknown)
    chosen = [name for name in dict.fromkeys(providers) if name != SNAPSHOT_ID or own_copy]
    copied = _copy_source(own_copy, clock, observe) if own_copy else None
    copy_first = copied is not None and chosen[0] == SNAPSHOT_ID
    recall = LocalLookup(StoredAnswers(store, fresh_seconds, clock), clock, copied, copy_first=copy_first)

    def open_steps() -> ProviderLookup:
        from brskills_server.registry.lookup.provider_lookup import ProviderLookup
        from brskills_server.registry.providers.catalogue import PAID_PROVIDERS, PROVIDERS
        from brskills_server.registry.providers.fetcher import (
            Fetcher,  # the HTTP client and the models, for who asks
        )

        fetcher = Fetcher(urls, user_agent, clock=clock, tokens=tokens)
        asked, paid = [PROVIDERS[name] for name in chosen], [PAID_PROVIDERS[name] for name in tokens]
        return ProviderLookup(recall, [*asked], fetcher, store, observe, [*paid], paid_per_day)

    def open_health() -> RecalledHealth:
        from brskills_server.registry.health.provider_health import RecalledHealth  # for the status alone

        return RecalledHealth(chosen, store, clock, copied)

    return Registry(recall, open_health, open_steps)


def _copy_source(
    own_copy: RegisterSnapshot, clock: Callable[[], float], observe: ObserveAttempt
) -> SnapshotSource:
    from brskills_server.registry.snapshot.source import (
        SnapshotSource,  # most deployments on AWS have no copy
    )

    return SnapshotSource(own_copy, clock, observe)

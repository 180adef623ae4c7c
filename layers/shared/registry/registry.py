"""The registry as callers use it: from any thread, many at once, each with its own answer or error.

Our own copy and a stored answer take no event loop: they are read in the caller's thread. Where providers
must be asked, the caller waits while the process's one loop asks them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING

from registry.answer import Answer
from registry.attempt import ObserveAttempt
from registry.demand import Demand
from registry.fail_safe_store import STORE_SECONDS
from registry.hedging import TOTAL_SECONDS
from registry.look_up import LookUp
from registry.loop_thread import LoopThread
from registry.provider_state import ProviderHealth
from registry.providers import COPY_ID, get_paid_provider, get_provider
from registry.side_by_side import Outcome, look_up_many
from registry.store import Store
from registry.stored_answers import FRESH_SECONDS

if TYPE_CHECKING:
    from registry.copy_source import CopySource
    from registry.own_copy import OwnCopy

__all__ = ["Registry", "build_registry"]

_WAIT_SECONDS = TOTAL_SECONDS + 4 * STORE_SECONDS
"""More than the parts of a look-up take together: only a loop that is held up is slower."""


class Registry:
    """Companies by number. Every method blocks for seconds at most, and may be called from any thread."""

    def __init__(self, steps: LookUp) -> None:
        self._steps = steps
        self._loop = LoopThread(steps.close)

    def look_up(self, cnpj: str, *, max_age: int | None = None, max_data_age: int | None = None) -> Answer:
        """The company with a canonical number (see ``parse_cnpj``).

        ``max_age``: the most seconds since a source answered; 0 asks a source in any case. ``max_data_age``:
        the most days since ``data_base``, in Brazil; what does not tell its day does not meet it.
        Raises ``CompanyNotFound`` and ``SourcesUnavailable``. Nothing runs on when it returns.
        """
        known = self._steps.recall(cnpj, Demand(max_age, max_data_age))
        if isinstance(known, Answer):
            return known
        try:
            return self._loop.run(self._steps.ask(known), _WAIT_SECONDS)
        except TimeoutError:
            return self._steps.fall_back(known)

    def look_up_many(self, cnpjs: Sequence[str], demand: Demand) -> list[Outcome]:
        """Several canonical numbers side by side: for each an answer, or what :meth:`look_up` would raise."""
        return look_up_many(self._steps, self._loop, cnpjs, demand)

    def health(self) -> list[ProviderHealth]:
        """Each provider's recent state, in the order of preference."""
        with suppress(TimeoutError):
            self._loop.run(self._steps.refresh(), _WAIT_SECONDS)
        return self._steps.health()

    def probe(self) -> None:
        """Evidence of each provider that nobody has asked for minutes; see ``LookUp.probe``."""
        self._loop.run(self._steps.probe(), _WAIT_SECONDS)

    def close(self) -> None:
        """End the connections and the thread, if any. Without it they end with the process."""
        self._loop.close()


def build_registry(
    *,
    providers: Sequence[str],
    urls: Mapping[str, str],
    store: Store,
    fresh_seconds: int = FRESH_SECONDS,
    user_agent: str,
    clock: Callable[[], float] = time.time,
    observe: ObserveAttempt = lambda *_: None,
    own_copy: OwnCopy | None = None,
    tokens: Mapping[str, Callable[[], str]] = MappingProxyType({}),
    paid_per_day: int = 0,
) -> Registry:
    """A registry over the providers with these ids, in the order of preference.

    ``urls``: provider id → base address in place of its public ones. ``clock``: epoch seconds. ``observe``:
    told of every attempt at one. ``own_copy``: what the provider ``receita`` reads; without it that one is
    passed over. ``tokens``: provider id → what reads the token of its paid address (``registry.fetcher``), of
    which all together take ``paid_per_day`` calls a day. Raises ``KeyError`` for an unknown id.
    """
    from registry.fetcher import Fetcher

    chosen = [get_provider(name) for name in dict.fromkeys(providers) if name != COPY_ID or own_copy]
    paid = [get_paid_provider(name) for name in tokens]
    fetcher = Fetcher(urls, user_agent, clock=clock, tokens=tokens)
    copied = _copy_source(own_copy, clock, observe) if own_copy else None
    steps = LookUp(chosen, fetcher, store, fresh_seconds, clock, observe, copied, paid, paid_per_day)
    return Registry(steps)


def _copy_source(own_copy: OwnCopy, clock: Callable[[], float], observe: ObserveAttempt) -> CopySource:
    from registry.copy_source import CopySource  # most deployments on AWS have no copy

    return CopySource(own_copy, clock, observe)

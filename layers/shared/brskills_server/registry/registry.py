"""The company registry: the canonical form of a CNPJ, and look-ups for callers in any thread.

>>> parse_cnpj("00.000.000/e08g-12"), parse_cnpj(191)
('00000000E08G12', '00000000000191')
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING

from brskills_server.registry.answer import Answer
from brskills_server.registry.cache.answer_cache import FRESH_SECONDS, AnswerCache
from brskills_server.registry.errors import InvalidCnpj
from brskills_server.registry.lookup.local_lookup import LocalLookup
from brskills_server.registry.lookup.repetition import look_up_known
from brskills_server.registry.providers import PAID_IDS, PROVIDER_IDS, SNAPSHOT_ID
from brskills_server.registry.providers.provider import ProviderHealth
from brskills_server.registry.providers.results import ObserveAttempt
from brskills_server.registry.query import Query
from brskills_server.registry.snapshot.register_snapshot import RegisterSnapshot
from brskills_server.registry.snapshot.source import SnapshotSource
from brskills_server.registry.store import Store
from taxid import cnpj, cpf

if TYPE_CHECKING:  # httpx, asyncio, pydantic and the providers cost 0.4 of the floor of a cold start
    from brskills_server.registry.health.health import Health
    from brskills_server.registry.lookup.blocking_lookup import BlockingLookup, Outcome
    from brskills_server.registry.lookup.provider_lookup import ProviderLookup


def parse_cnpj(value: str | int) -> str:
    """Return the fourteen upper-case characters of a CNPJ, masked or not. Raise ``InvalidCnpj``.

    Only an integer is padded with zeros.
    """
    if isinstance(value, bool) or (isinstance(value, int) and not 0 <= value < 10**14):
        raise InvalidCnpj("invalid_cnpj")
    text = f"{value:014d}" if isinstance(value, int) else value
    number = cnpj.compact(text)
    if number is None:
        raise InvalidCnpj("invalid_cnpj", lost_zeros=_has_lost_zeros(text))
    if not cnpj.is_valid(number):
        raise InvalidCnpj("invalid_check_digits")
    return number


def _has_lost_zeros(text: str) -> bool:
    person = cpf.compact(text)
    return cnpj.restore_zeros(text) is not None and not (person and cpf.is_valid(person))


class Registry:
    """Companies by number. Every method blocks for seconds at most, and may be called from any thread.

    ``open_health``, ``open_lookup``: called on first use, as they import what local answers do not need.
    """

    def __init__(
        self,
        local: LocalLookup,
        open_health: Callable[[], Health],
        open_lookup: Callable[[Health], ProviderLookup],
    ) -> None:
        self._local = local
        self._open_health = cache(open_health)
        self._open_lookup = open_lookup
        self._opening = Lock()
        self._opened: BlockingLookup | None = None

    def look_up(self, query: Query) -> Answer:
        """Return the company of a query. Raise ``CompanyNotFound`` and ``SourcesUnavailable``.

        No call of a provider continues when it returns.
        """
        found = look_up_known(self._local, query) if query.repetition else self._local.look_up(query)
        if isinstance(found, Answer):
            return found
        query.before_asking()
        return self.open().look_up(found)

    def look_up_many(self, queries: Sequence[Query]) -> list[Outcome]:
        """Return for each query, looked up concurrently, what :meth:`look_up` returns or raises."""
        return self.open().look_up_many(queries)

    def health(self) -> list[ProviderHealth]:
        """Return each provider's recent state as all processes know it, in the order of preference."""
        with self._opening:
            health, opened = self._open_health(), self._opened
        if opened:
            opened.refresh()  # which writes what this process alone has seen
        return health.report()

    def probe(self) -> None:
        """Gather evidence of each provider without recent results; see ``ProviderLookup.probe``."""
        self.open().probe()

    def open(self) -> BlockingLookup:
        """Return the providers' look-up, opened on first use: without connections and threads yet."""
        with self._opening:
            if self._opened is None:
                from brskills_server.registry.lookup.blocking_lookup import BlockingLookup  # asyncio is slow

                self._opened = BlockingLookup(self._open_lookup(self._open_health()))
            return self._opened

    def close(self) -> None:
        """End the connections and the thread, if any. Without it they end with the process."""
        with self._opening:
            if self._opened:
                self._opened.close()


def build_registry(
    *,
    providers: Sequence[str],
    urls: Mapping[str, str],
    store: Store,
    fresh_seconds: int = FRESH_SECONDS,
    user_agent: str,
    clock: Callable[[], float] = time.time,
    observe: ObserveAttempt = lambda *_: None,
    snapshot: RegisterSnapshot | None = None,
    tokens: Mapping[str, Callable[[], str]] = MappingProxyType({}),
    paid_per_day: int = 0,
) -> Registry:
    """Return a registry over the providers with these ids, in the order of preference.

    ``urls``, ``tokens``: see ``providers.client``. ``clock``: epoch seconds. ``snapshot``: read by the
    provider ``receita``, which is left out without it. ``paid_per_day``: calls of paid addresses in a day.
    Raise ``KeyError`` for an unknown id.
    """
    for unknown in {*providers}.difference(PROVIDER_IDS) | {*tokens}.difference(PAID_IDS):
        raise KeyError(unknown)
    names = [name for name in dict.fromkeys(providers) if name != SNAPSHOT_ID or snapshot]
    source = SnapshotSource(snapshot, clock, observe) if snapshot else None
    answers = AnswerCache(store, fresh_seconds, clock)
    local = LocalLookup(answers, source, snapshot_first=source is not None and names[0] == SNAPSHOT_ID)

    def open_health() -> Health:
        from brskills_server.registry.health.health import Health

        return Health(names, store, clock, source)

    def open_lookup(health: Health) -> ProviderLookup:
        # The HTTP client and the models are slow to import.
        from brskills_server.outbound.fetcher import Fetcher
        from brskills_server.outbound.public_network import Named
        from brskills_server.registry.lookup.provider_lookup import ProviderLookup
        from brskills_server.registry.providers.catalogue import PAID_PROVIDERS, PROVIDERS
        from brskills_server.registry.providers.client import MAX_KEPT, ProviderClient

        client = ProviderClient(urls, Fetcher(user_agent, Named(), MAX_KEPT), clock, tokens)
        chosen = [PROVIDERS[name] for name in names]
        paid = [PAID_PROVIDERS[name] for name in tokens]
        return ProviderLookup(local, health, chosen, client, observe, paid, paid_per_day)

    return Registry(local, open_health, open_lookup)

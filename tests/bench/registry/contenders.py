"""Ours, and what most people write: BrasilAPI alone, and one provider after the other.

The plain ones get a store too (24 hours, as ours), so that only the asking differs. They wait ten
seconds for an answer, believe a 404, and take a 200 for what it is.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from brskills_server.registry.cache.answer_cache import FRESH_SECONDS, AnswerCache
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.health.health import Health
from brskills_server.registry.lookup.local_lookup import LocalLookup
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.fetcher import Fetcher
from brskills_server.registry.providers.results import Found, Missing
from brskills_server.registry.snapshot.source import SnapshotSource
from tests.simulator.clock import VirtualLoop
from tests.simulator.look_up import look_up
from tests.simulator.memory import MemoryStore
from tests.simulator.own_copy import SimulatedCopy
from tests.simulator.transport import ProviderTransport

DEFAULT_ORDER = ("opencnpj", "brasilapi", "cnpja", "cnpjws", "receitaws")
INSTANCES = 4
STORE_SECONDS = 0.005  # the distance of a database in the same region

Ask = Callable[[str], Awaitable[str]]
"""Number → legal name; raises ``CompanyNotFound`` or ``SourcesUnavailable``."""


def instance(
    loop: VirtualLoop,
    transport: ProviderTransport,
    store: MemoryStore,
    fresh_seconds: int = FRESH_SECONDS,
    own_copy: SimulatedCopy | None = None,
) -> ProviderLookup:
    """One process of ours; with a copy of the register that is the first choice."""
    chosen = [PROVIDERS[name] for name in (*(["receita"] if own_copy else []), *DEFAULT_ORDER)]
    copied = SnapshotSource(own_copy, loop.clock, lambda *_: None) if own_copy else None
    fetcher = _fetcher(loop, transport)
    answers = AnswerCache(store, fresh_seconds, loop.clock)
    local = LocalLookup(answers, loop.clock, copied, snapshot_first=copied is not None)
    health = Health([provider.id for provider in chosen], store, loop.clock, copied)
    return ProviderLookup(local, health, chosen, fetcher, store)


def ours_with_a_copy(loop: VirtualLoop, transport: ProviderTransport) -> Ask:
    """Ours over a copy of the register, which has what every monthly dump has."""
    return ours(loop, transport, SimulatedCopy())


def ours(loop: VirtualLoop, transport: ProviderTransport, own_copy: SimulatedCopy | None = None) -> Ask:
    """Four instances over one store, each call to the next of them."""
    store = MemoryStore()
    instances = [instance(loop, transport, store, own_copy=own_copy) for _ in range(INSTANCES)]
    calls = 0

    async def ask(cnpj: str) -> str:
        nonlocal calls
        calls += 1
        return (await look_up(instances[calls % INSTANCES], cnpj)).record.razao_social

    return ask


def plain(loop: VirtualLoop, transport: ProviderTransport, order: Sequence[str]) -> Ask:
    """One provider after the other until one answers."""
    fetcher = _fetcher(loop, transport)
    patient = [replace(PROVIDERS[name], timeout=10.0) for name in order]
    stored: dict[str, str] = {}

    async def ask(cnpj: str) -> str:
        await asyncio.sleep(STORE_SECONDS)
        if cnpj in stored:
            return stored[cnpj]
        for provider in patient:
            match await fetcher.fetch_company(provider, cnpj):
                case Found(record=record):
                    stored[cnpj] = record.razao_social
                    return record.razao_social
                case Missing():
                    raise CompanyNotFound(confirmed=False, data_base=None)
        raise SourcesUnavailable(1)

    return ask


def _fetcher(loop: VirtualLoop, transport: ProviderTransport) -> Fetcher:
    return Fetcher({}, "brskills-bench/1.0", transport, loop.clock)

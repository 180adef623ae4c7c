"""The strategies that are compared: brskills, and one provider after the other.

The plain strategy has a store too (24 hours), waits ten seconds for an answer, and accepts every 404.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from brskills_server.registry.cache.answer_cache import FRESH_SECONDS, AnswerCache
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.health.health import Health
from brskills_server.registry.lookup.local_lookup import LocalLookup
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.client import ProviderClient
from brskills_server.registry.providers.results import Found, Missing
from brskills_server.registry.snapshot.source import SnapshotSource
from tests.simulator.clock import VirtualLoop
from tests.simulator.look_up import look_up
from tests.simulator.memory import MemoryStore
from tests.simulator.snapshot import SimulatedSnapshot
from tests.simulator.transport import Answered, ProviderTransport

DEFAULT_ORDER = ("opencnpj", "brasilapi", "cnpja", "cnpjws", "receitaws")
INSTANCES = 4
STORE_SECONDS = 0.005  # to a database in the same region

Ask = Callable[[str], Awaitable[str]]
"""Number → legal name; raises ``CompanyNotFound`` or ``SourcesUnavailable``."""


def instance(
    loop: VirtualLoop,
    transport: ProviderTransport,
    store: MemoryStore,
    snapshot: SimulatedSnapshot | None = None,
) -> ProviderLookup:
    """Return one process; a snapshot is its first choice."""
    chosen = [PROVIDERS[name] for name in (*(["receita"] if snapshot else []), *DEFAULT_ORDER)]
    copied = SnapshotSource(snapshot, loop.clock, lambda *_: None) if snapshot else None
    fetcher = _fetcher(loop, transport)
    answers = AnswerCache(store, FRESH_SECONDS, loop.clock)
    local = LocalLookup(answers, copied, snapshot_first=copied is not None)
    health = Health([provider.id for provider in chosen], store, loop.clock, copied)
    return ProviderLookup(local, health, chosen, fetcher)


def with_snapshot(loop: VirtualLoop, transport: ProviderTransport) -> Ask:
    """Return brskills' look-up over a snapshot, which has the companies of every monthly dump."""
    return brskills(loop, transport, SimulatedSnapshot())


def brskills(
    loop: VirtualLoop, transport: ProviderTransport, snapshot: SimulatedSnapshot | None = None
) -> Ask:
    """Return the look-up of four instances over one store, each call to the next of them."""
    store = MemoryStore()
    instances = [instance(loop, transport, store, snapshot=snapshot) for _ in range(INSTANCES)]
    calls = 0

    async def ask(cnpj: str) -> str:
        nonlocal calls
        calls += 1
        return (await look_up(instances[calls % INSTANCES], cnpj)).record.razao_social

    return ask


def one_after_the_other(loop: VirtualLoop, transport: ProviderTransport) -> Ask:
    """Return a look-up that calls one provider after the other until one answers."""
    fetcher = _fetcher(loop, transport)
    patient = [replace(PROVIDERS[name], timeout=10.0) for name in DEFAULT_ORDER]
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


def _fetcher(loop: VirtualLoop, transport: ProviderTransport) -> ProviderClient:
    return ProviderClient({}, Answered(transport), loop.clock)

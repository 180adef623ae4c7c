"""Ours, and what most people write: BrasilAPI alone, and one provider after the other.

The plain ones get a store too (24 hours, as ours), so that only the asking differs. They wait ten
seconds for an answer, believe a 404, and take a 200 for what it is.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from registry import CompanyNotFound, Registry, SourcesUnavailable
from registry.attempt import Found, Missing
from registry.fetcher import Fetcher
from registry.providers import get_provider
from tests.simulator.clock import VirtualLoop
from tests.simulator.memory import MemoryStore
from tests.simulator.transport import ProviderTransport

__all__ = ["DEFAULT_ORDER", "LookUp", "RemoteStore", "ours", "plain"]

DEFAULT_ORDER = ("opencnpj", "brasilapi", "cnpja", "cnpjws", "receitaws")
INSTANCES = 4
STORE_SECONDS = 0.005

LookUp = Callable[[str], Awaitable[str]]
"""Number → legal name; raises ``CompanyNotFound`` or ``SourcesUnavailable``."""


class RemoteStore(MemoryStore):
    """A store at the distance of a database in the same region."""

    def __getattribute__(self, name: str) -> object:
        verb = super().__getattribute__(name)
        if name not in {"load", "save", "state", "set_state", "claim"}:
            return verb

        async def slowly(*arguments: object, **more: object) -> object:
            await asyncio.sleep(STORE_SECONDS)
            return await verb(*arguments, **more)

        return slowly


def ours(loop: VirtualLoop, transport: ProviderTransport, order: Sequence[str] = DEFAULT_ORDER) -> LookUp:
    """Four instances over one store, each call to the next of them."""
    store = RemoteStore()
    instances = [
        Registry([get_provider(name) for name in order], _fetcher(loop, transport), store, clock=loop.clock)
        for _ in range(INSTANCES)
    ]
    calls = 0

    async def look_up(cnpj: str) -> str:
        nonlocal calls
        calls += 1
        return (await instances[calls % INSTANCES].look_up(cnpj)).record.razao_social

    return look_up


def plain(loop: VirtualLoop, transport: ProviderTransport, order: Sequence[str]) -> LookUp:
    """One provider after the other until one answers."""
    fetcher = _fetcher(loop, transport)
    patient = [replace(get_provider(name), timeout=10.0) for name in order]
    stored: dict[str, str] = {}

    async def look_up(cnpj: str) -> str:
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

    return look_up


def _fetcher(loop: VirtualLoop, transport: ProviderTransport) -> Fetcher:
    return Fetcher({}, "brskills-bench/1.0", transport, loop.clock)

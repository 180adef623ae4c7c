"""A registry over simulated providers, in simulated time, with a store in memory."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from registry import Answer, Registry
from registry.fetcher import Fetcher
from registry.providers import get_provider
from tests.simulator.clock import VirtualLoop
from tests.simulator.memory import MemoryStore
from tests.simulator.transport import ProviderTransport

ALL = ("opencnpj", "brasilapi", "cnpja", "cnpjws", "receitaws")


class Bench:
    """Everything that a test of the look-up handles."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.loop = loop
        self.providers = ProviderTransport()
        self.store = MemoryStore()
        self.registry = self.instance()

    def instance(self, *names: str, **changes: Any) -> Registry:
        """One more process over the same store and providers."""
        fetcher = Fetcher({}, "brskills/1.0 (+https://example.com)", self.providers, self.loop.clock)
        chosen = [get_provider(name) for name in names or ALL]
        return Registry(chosen, fetcher, self.store, clock=self.loop.clock, **changes)

    def look_up(self, cnpj: str, registry: Registry | None = None, **demands: Any) -> Answer:
        """One look-up, to its end."""
        return self.loop.run_until_complete((registry or self.registry).look_up(cnpj, **demands))

    def sleep(self, seconds: float) -> None:
        """Let simulated time go by."""

        self.loop.run_until_complete(asyncio.sleep(seconds))


@pytest.fixture
def bench() -> Iterator[Bench]:
    loop = VirtualLoop()
    yield Bench(loop)
    loop.close()

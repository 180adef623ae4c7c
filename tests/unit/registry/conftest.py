"""The steps of a look-up over simulated providers, in simulated time, with a store in memory."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pytest

from brskills_server.registry.answer import Answer
from brskills_server.registry.cache.answer_cache import FRESH_SECONDS, AnswerCache
from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.health.health import Health
from brskills_server.registry.lookup.local_lookup import LocalLookup
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from brskills_server.registry.providers.catalogue import PAID_PROVIDERS, PROVIDERS
from brskills_server.registry.providers.client import ProviderClient
from brskills_server.registry.providers.provider import ProviderHealth
from brskills_server.registry.snapshot.source import SnapshotSource
from tests.simulator.clock import EPOCH, VirtualLoop
from tests.simulator.look_up import look_up
from tests.simulator.memory import MemoryStore
from tests.simulator.replies import Fault, Reply, truth
from tests.simulator.server import DATES
from tests.simulator.snapshot import SimulatedSnapshot
from tests.simulator.transport import Answered, ProviderTransport

ALL = ("opencnpj", "brasilapi", "cnpja", "cnpjws", "receitaws")
COMPANY, OTHER = "11222333000181", "33000167000101"
NOBODY, NEW = "99222333000105", "98222333000142"  # NEW: only the sources with the freshest data have it
DAY = 86_400


class Bench:
    """Everything that a test of the look-up handles."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.loop = loop
        self.providers = ProviderTransport()
        self.store = MemoryStore()
        # Each has just found a company, so that no absence needs a control.
        self.store.shared = {f"seen:{name}:companies": EPOCH for name in PROVIDERS if name != "receita"}
        self.snapshot = SimulatedSnapshot()
        self.observed: list[tuple[str, str]] = []
        self.first = self.instance()

    def instance(
        self,
        *names: str,
        fresh_seconds: int = FRESH_SECONDS,
        tokens: Mapping[str, str | Callable[[], str]] = MappingProxyType({}),
        paid_per_day: int = 0,
    ) -> ProviderLookup:
        """One more process over the same store, copy and providers; ``tokens`` turn on paid addresses."""
        read = {
            name: token if callable(token) else (lambda token=token: token) for name, token in tokens.items()
        }
        agent, clock = "brskills/1.0 (+https://example.com)", self.loop.clock
        fetcher = ProviderClient({}, Answered(self.providers, agent), clock, read)
        chosen = [PROVIDERS[name] for name in names or ALL]
        paid = [PAID_PROVIDERS[name] for name in tokens]
        snapshot = SnapshotSource(self.snapshot, clock, self.observe) if "receita" in names else None
        local = LocalLookup(
            AnswerCache(self.store, fresh_seconds, clock),
            snapshot,
            snapshot_first=chosen[0].id == "receita",
        )
        health = Health(names or ALL, self.store, clock, snapshot)
        return ProviderLookup(local, health, chosen, fetcher, self.observe, paid, paid_per_day)

    def observe(self, provider: str, outcome: str, _seconds: float | None) -> None:
        """Keep an observed attempt."""
        self.observed.append((provider, outcome))

    def look_up(self, cnpj: str, instance: ProviderLookup | None = None, **demands: Any) -> Answer:
        """One look-up, to its end."""
        return self.loop.run_until_complete(look_up(instance or self.first, cnpj, **demands))

    def unavailable(
        self, cnpj: str, instance: ProviderLookup | None = None, **demands: Any
    ) -> SourcesUnavailable:
        """The exception of a look-up without an answer."""
        with pytest.raises(SourcesUnavailable) as error:
            self.look_up(cnpj, instance, **demands)
        return error.value

    def missing(self, cnpj: str, instance: ProviderLookup | None = None, **demands: Any) -> CompanyNotFound:
        """The exception of a look-up that finds no company."""
        with pytest.raises(CompanyNotFound) as error:
            self.look_up(cnpj, instance, **demands)
        return error.value

    def outcome(self, cnpj: str, instance: ProviderLookup | None = None, **demands: Any) -> str:
        """The source of the answer, or ``unavailable``, ``absent`` (confirmed) or ``missing`` (not)."""
        try:
            return self.look_up(cnpj, instance, **demands).record.fonte
        except SourcesUnavailable:
            return "unavailable"
        except CompanyNotFound as error:
            return "absent" if error.confirmed else "missing"

    def refuse(self, *names: str, fault: str | Reply = "500") -> None:
        """Let providers reply with a fault."""
        for name in names:
            self.providers.play(name, (lambda *_: fault) if isinstance(fault, Reply) else fault)

    def sources(self) -> list[str]:
        """Return the providers that were called for a company, in order."""
        return [name for name, path, _ in self.providers.calls if path not in DATES]

    def health(self, instance: ProviderLookup | None = None) -> list[ProviderHealth]:
        """How an instance sees the providers."""
        self.loop.run_until_complete((instance or self.first).refresh())
        return (instance or self.first).health.report()

    def sleep(self, seconds: float) -> None:
        """Let simulated time go by."""
        self.loop.run_until_complete(asyncio.sleep(seconds))


def number(n: int) -> str:
    """Some canonical number; no look-up tests the check digits."""
    return f"1{n:011}00"


def slow(seconds: float) -> Fault:
    """A provider that answers after some time."""
    return lambda provider, cnpj: Reply(200, truth(provider, cnpj).body, after=seconds)


@pytest.fixture
def bench() -> Iterator[Bench]:
    loop = VirtualLoop()
    yield Bench(loop)
    loop.close()

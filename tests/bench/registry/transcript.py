"""Providers switched off one by one, and on again, while look-ups go on; in simulated time."""

import asyncio
from collections.abc import Iterator

from brskills_server.registry.errors import CompanyNotFound, SourcesUnavailable
from brskills_server.registry.lookup.provider_lookup import ProviderLookup
from tests.bench.registry.contenders import STORE_SECONDS, instance
from tests.simulator.clock import VirtualLoop
from tests.simulator.look_up import look_up
from tests.simulator.memory import MemoryStore
from tests.simulator.transport import ProviderTransport

KNOWN = "11222333000181"
STEPS: tuple[tuple[str, dict[str, str]], ...] = (
    ("all providers are well", {}),
    ("OpenCNPJ answers with a challenge page", {"opencnpj": "challenge"}),
    ("BrasilAPI falls silent", {"brasilapi": "silent"}),
    ("CNPJá says 429, Retry-After: 120", {"cnpja": "429-retry-after"}),
    ("CNPJ.ws answers half a body", {"cnpjws": "half-body"}),
    ("ReceitaWS answers errors with status 200", {"receitaws": "error-in-200"}),
    ("OpenCNPJ is back", {"opencnpj": "truth"}),
)


def transcript() -> str:
    """The lines, one a look-up; three new companies and an old one after each change."""
    loop, providers = VirtualLoop(STORE_SECONDS), ProviderTransport()
    lines = list(_story(loop, providers, instance(loop, providers, MemoryStore(), fresh_seconds=10)))
    loop.close()
    return "\n".join(lines)


def _story(loop: VirtualLoop, providers: ProviderTransport, ours: ProviderLookup) -> Iterator[str]:
    for step, (event, faults) in enumerate(STEPS):
        yield f"{loop.time():6.1f} s  -- {event}"
        for provider, fault in faults.items():
            providers.play(provider, fault)
        for number in (KNOWN, *(f"1{step}{n}22333000181" for n in range(3))):
            before = len(providers.calls)
            begun = loop.time()
            told = loop.run_until_complete(_told(ours, number))
            wait = 1000 * (loop.time() - begun)
            asked = ", ".join(name for name, path, _ in providers.calls[before:] if number in path)
            yield f"{begun:6.1f} s  {number}  {wait:5.0f} ms  {told}  asked: {asked or 'nobody'}"
            loop.run_until_complete(asyncio.sleep(4))
    loop.run_until_complete(ours.refresh())
    health = ", ".join(f"{source.id} {source.breaker}" for source in ours.health())
    yield f"{loop.time():6.1f} s  -- {health}"


async def _told(ours: ProviderLookup, number: str) -> str:
    try:
        answer = (await look_up(ours, number)).content()
    except CompanyNotFound as missing:
        return f"404 confirmado={missing.confirmed}"
    except SourcesUnavailable as failure:
        return f"503 Retry-After: {failure.retry_after}"
    age = f", {answer['idade_segundos']} s old" if answer["idade_segundos"] else ""
    return f"200 {answer['fonte']}{age}{', desatualizado' if answer['desatualizado'] else ''}"

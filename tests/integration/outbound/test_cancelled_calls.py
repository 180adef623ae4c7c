"""Calls of providers that are cancelled at any moment leave nothing behind, and no place taken."""

import asyncio
from contextlib import suppress
from pathlib import Path
from random import Random

from brskills_server.outbound.fetcher import Fetcher
from brskills_server.outbound.public_network import Named
from brskills_server.registry.providers.catalogue import PROVIDERS
from brskills_server.registry.providers.client import MAX_KEPT, ProviderClient
from brskills_server.registry.providers.results import Found
from tests.simulator import Simulator

OPENCNPJ, COMPANY = PROVIDERS["opencnpj"], "11222333000181"
CALLS = 2_000


def _descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_calls_that_are_cancelled_at_any_moment() -> None:
    chance = Random(1)

    async def call_and_cancel() -> None:
        client = ProviderClient(providers.urls, Fetcher("brskills/test", Named(), MAX_KEPT))
        assert isinstance(await client.fetch_company(OPENCNPJ, COMPANY), Found)
        before = _descriptors()
        for _ in range(CALLS):
            call = asyncio.create_task(client.fetch_company(OPENCNPJ, COMPANY))
            await asyncio.sleep(chance.uniform(0, 0.006))
            call.cancel()
            with suppress(asyncio.CancelledError):
                await call
        assert isinstance(await client.fetch_company(OPENCNPJ, COMPANY), Found)
        async with asyncio.timeout(10):
            while _descriptors() > before + 2 * MAX_KEPT:  # the simulator's are here too
                await asyncio.sleep(0.05)
        await client.close()

    with Simulator() as providers:
        asyncio.run(call_and_cancel())

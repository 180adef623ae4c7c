"""Connections that are kept: who gets them, and that cancelled calls leave nothing behind."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from brskills_server.outbound.fetcher import Fetcher, body_of
from brskills_server.outbound.public_network import Named
from brskills_server.outbound.wire import Connection
from tests.simulator import Simulator
from tests.simulator.replies import truth

COMPANY = "11222333000181"
CALLS, KEPT = 2_000, 20


class Calls:
    """Calls of a provider by a fetcher; ``work`` runs in one event loop."""

    def __init__(self, simulator: Simulator) -> None:
        self.simulator = simulator
        self._fetcher = Fetcher("brskills/test", Named(), KEPT)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        async def run() -> None:
            await work
            await self._fetcher.drop()

        asyncio.run(run())

    async def ask(self, *, close: bool = False) -> bool:
        """Return whether the answer is whole."""
        headers = {"Connection": "close"} if close else {}
        request = httpx.Request("GET", f"{self.simulator.urls['opencnpj']}/{COMPANY}", headers=headers)
        with suppress(httpx.HTTPError):
            async with self._fetcher.send(request) as response:
                return await body_of(response) == truth("opencnpj", COMPANY).body
        return False

    def made(self) -> tuple[int, int]:
        """Return how many requests and connections there were."""
        return len(self.simulator.calls), self.simulator.connections["opencnpj"]


@pytest.fixture
def calls(simulator: Simulator) -> Calls:
    return Calls(simulator)


def test_a_connection_is_kept_for_the_next_request_and_replaced_once(calls: Calls) -> None:
    async def work() -> None:
        assert await calls.ask()
        assert await calls.ask()
        assert calls.made() == (2, 1)
        calls.simulator.play("opencnpj", "closed-when-reused")
        assert await calls.ask()
        assert calls.made() == (4, 2)
        calls.simulator.play("opencnpj", "closed")
        assert not await calls.ask()
        assert calls.made() == (6, 3)

    calls.run(work())


def test_a_request_that_says_close_has_a_connection_alone_and_is_sent_once(calls: Calls) -> None:
    async def work() -> None:
        assert await calls.ask()
        assert await calls.ask(close=True)
        assert calls.made() == (2, 2)
        calls.simulator.play("opencnpj", "closed")
        assert not await calls.ask(close=True)
        assert calls.made() == (3, 3)

    calls.run(work())


def test_a_connection_is_opened_once(calls: Calls) -> None:
    """Its place was checked for its first request."""
    base = httpx.URL(calls.simulator.urls["opencnpj"])

    async def work() -> None:
        connection = Connection((base.host, base.port or 0), ssl.create_default_context())
        request = httpx.Request("GET", base.join(COMPANY), headers={"Connection": "close"})
        await (await connection.ask(request, 100_000)).aread()
        with pytest.raises(httpx.ConnectError):
            await connection.ask(request, 100_000)
        assert calls.made() == (1, 1)

    calls.run(work())


def test_calls_that_are_cancelled_at_any_moment(calls: Calls) -> None:
    chance = Random(1)

    async def work() -> None:
        assert await calls.ask()
        before = _descriptors()
        for _ in range(CALLS):
            call = asyncio.create_task(calls.ask())
            await asyncio.sleep(chance.uniform(0, 0.006))
            call.cancel()
            with suppress(asyncio.CancelledError):
                await call
        assert await calls.ask()
        async with asyncio.timeout(10):
            while _descriptors() > before + 2 * KEPT:  # the simulator's are here too
                await asyncio.sleep(0.05)

    calls.run(work())


def _descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())

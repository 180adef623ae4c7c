"""Connections that are kept: who gets them, and that cancelled calls leave nothing behind."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from brskills_server.outbound.fetcher import Fetcher, body_of
from brskills_server.outbound.public_network import Named
from tests.simulator import Simulator
from tests.simulator.replies import truth

COMPANY = "11222333000181"
CALLS, KEPT = 2_000, 20


async def ask(fetcher: Fetcher, simulator: Simulator, *, close: bool = False) -> bool:
    """Return whether the answer is whole."""
    headers = {"Connection": "close"} if close else {}
    request = httpx.Request("GET", f"{simulator.urls['opencnpj']}/{COMPANY}", headers=headers)
    with suppress(httpx.HTTPError):
        async with fetcher.send(request) as response:
            return await body_of(response) == truth("opencnpj", COMPANY).body
    return False


@pytest.mark.parametrize(
    "calls",
    [
        # What is played, whether the request says close; whether it is answered, by how many requests and
        # connections.
        [("truth", False, True, 1, 1), ("truth", False, True, 1, 0),
         ("closed-when-reused", False, True, 2, 1), ("closed", False, False, 2, 1),
         ("closed", False, False, 1, 1)],
        [("truth", False, True, 1, 1), ("truth", True, True, 1, 1), ("closed", True, False, 1, 1)],
    ],
    ids=["kept and replaced once", "alone and sent once"],
)  # fmt: skip
def test_connections_of_a_server(simulator: Simulator, calls: list[tuple[str, bool, bool, int, int]]) -> None:
    async def work() -> None:
        fetcher = Fetcher("brskills/test", Named(), KEPT)
        for fault, close, answered, requests, connections in calls:
            simulator.play("opencnpj", fault)
            asked, connected = len(simulator.calls), simulator.connections["opencnpj"]
            assert await ask(fetcher, simulator, close=close) is answered
            assert len(simulator.calls) - asked == requests, fault
            assert simulator.connections["opencnpj"] - connected == connections, fault
        await fetcher.drop()

    asyncio.run(work())


def test_what_comes_between_two_requests_answers_neither() -> None:
    async def work() -> None:
        read, sent = asyncio.Event(), asyncio.Event()
        serving: list[asyncio.Task[Any]] = []

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            serving.append(asyncio.current_task())
            await reader.readuntil(b"\r\n\r\n")
            for body, event in ((b"right", read), (b"wrong", sent)):
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + body)
                await writer.drain()
                await read.wait()
                event.set()
            with suppress(OSError):  # the client has not read what was wrong
                await reader.read()
            writer.close()

        fetcher = Fetcher("brskills/test", Named(), KEPT)
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
            for _ in range(2):
                async with fetcher.send(httpx.Request("GET", url)) as response:
                    assert await body_of(response) == b"right"
                read.set()
                await sent.wait()
            await fetcher.drop()
            await asyncio.gather(*serving)

    asyncio.run(work())


def test_calls_that_are_cancelled_at_any_moment(simulator: Simulator) -> None:
    chance = Random(1)

    async def call_and_cancel() -> None:
        fetcher = Fetcher("brskills/test", Named(), KEPT)
        assert await ask(fetcher, simulator)
        before = _descriptors()
        for _ in range(CALLS):
            call = asyncio.create_task(ask(fetcher, simulator))
            await asyncio.sleep(chance.uniform(0, 0.006))
            call.cancel()
            with suppress(asyncio.CancelledError):
                await call
        assert await ask(fetcher, simulator)
        async with asyncio.timeout(10):
            while _descriptors() > before + 2 * KEPT:  # the simulator's are here too
                await asyncio.sleep(0.05)
        await fetcher.drop()

    asyncio.run(call_and_cancel())


def _descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())

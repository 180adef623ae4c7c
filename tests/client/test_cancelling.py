"""Calls that are cancelled at any moment take no place from those after them."""

import asyncio
from asyncio import IncompleteReadError, StreamReader, StreamWriter
from contextlib import suppress
from random import Random

import pytest

from brskills import AsyncClient, UnexpectedAnswer
from tests.client.answering import KEY

CALLERS = 20
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"


async def _serve(reader: StreamReader, writer: StreamWriter) -> None:
    with suppress(IncompleteReadError, ConnectionError):
        while True:
            await reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(0.001)
            writer.write(ANSWER)
            await writer.drain()
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


@pytest.mark.parametrize("calls", [20, pytest.param(200, marks=pytest.mark.thorough)])
def test_calls_that_are_cancelled_at_any_moment(calls: int) -> None:
    chance = Random(1)

    async def call_and_cancel(client: AsyncClient) -> None:
        for _ in range(calls):
            call = asyncio.create_task(client.status())
            await asyncio.sleep(chance.uniform(0, 0.03))
            call.cancel()
            with suppress(asyncio.CancelledError, UnexpectedAnswer):
                await call

    async def go() -> None:
        server = await asyncio.start_server(_serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with server, AsyncClient(KEY, url, retries=0, timeout=10) as client:
            await asyncio.gather(*(call_and_cancel(client) for _ in range(CALLERS)))
            with suppress(UnexpectedAnswer):  # it was answered
                await client.status()
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})  # what still serves

    asyncio.run(go())

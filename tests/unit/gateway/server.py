"""A server of the gateway's protocol in the test's process, with uvloop, and raw connections to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache, wraps
from inspect import signature
from typing import Any

import uvloop
from uvicorn import Config
from uvicorn.server import ServerState

from brskills_server.gateway.application import Gateway
from brskills_server.gateway.log import log_config
from brskills_server.gateway.protocol import Protocol
from brskills_server.gateway.template import load

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Open = Callable[[], Awaitable[Streams]]

PLANS = b"GET /api/v1/plans HTTP/1.1\r\nHost: x\r\n\r\n"
DOCUMENT = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
CHUNKED = b"POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
UPLOAD = b"POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"


@cache
def application() -> Gateway:
    return Gateway(load())


def served(test: Callable[[Open, ServerState], Awaitable[None]]) -> None:
    """Run a test against a new server."""

    async def run() -> None:
        config, state = (
            Config(application(), ws="none", log_config=log_config("text"), proxy_headers=False),
            ServerState(),
        )
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Protocol(config, state, {}), "127.0.0.1")
        port = server.sockets[0].getsockname()[1]
        opened: list[Streams] = []

        async def connect() -> Streams:
            opened.append(await asyncio.open_connection("127.0.0.1", port))
            return opened[-1]

        try:
            async with asyncio.timeout(30):
                await test(connect, state)
        finally:
            server.close()
            for _, writer in opened:
                writer.close()
            async with asyncio.timeout(30):
                while state.connections:  # the loop must not end before their sockets are closed
                    for connection in state.connections:
                        connection.transport.abort()
                    await asyncio.sleep(0)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())


def on_server(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run a test, which takes `connect` and perhaps `state` beside fixtures, against a new server."""
    wanted = signature(test)
    fixtures = [each for name, each in wanted.parameters.items() if name not in {"connect", "state"}]

    @wraps(test)
    def run(**given: Any) -> None:
        async def with_server(connect: Open, state: ServerState) -> None:
            more = {"state": state} if "state" in wanted.parameters else {}
            await test(connect=connect, **more, **given)

        served(with_server)

    run.__signature__ = wanted.replace(parameters=fixtures)  # type: ignore[attr-defined]
    return run


def code(answer: bytes) -> tuple[bytes, str]:
    """Status and problem code of the last answer in what was received."""
    head, _, body = answer.rpartition(b"\r\n\r\n")
    return head.rpartition(b"HTTP/1.1 ")[2][:3], json.loads(body)["code"]


async def answered(reader: asyncio.StreamReader) -> None:
    """Read one answer of a connection that stays open."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    await reader.readexactly(int(head.split(b"content-length: ")[1].split(b"\r\n")[0]))


async def closed(state: ServerState) -> None:
    """Wait until the server has no connection."""
    while state.connections:
        await asyncio.sleep(0.01)


async def until_the_end(reader: asyncio.StreamReader) -> bytes:
    """All that is received; a byte sent after the answer may meet a connection that is closed already."""
    received = b""
    with suppress(ConnectionResetError):
        while block := await reader.read(65_536):
            received += block
    return received

"""The end of a refused connection, of which the client still sends."""

from __future__ import annotations

from contextlib import suppress

import pytest
from uvicorn.server import ServerState

from .server import Open, closed, code, on_server, until_the_end

SIZE = 5 * 1024 * 1024
LONG = b"POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % SIZE


@on_server
async def test_a_client_that_sends_all_before_it_reads_gets_its_answer(
    connect: Open, state: ServerState
) -> None:
    reader, writer = await connect()
    for piece in (LONG, *[b"x" * 65_536] * (SIZE // 65_536)):
        writer.write(piece)
        await writer.drain()
    assert code(await reader.read()) == (b"413", "body_too_large")
    writer.close()
    await closed(state)


@on_server
async def test_no_more_is_discarded_than_eight_megabytes(connect: Open, state: ServerState) -> None:
    _, writer = await connect()
    writer.write(LONG)
    sent = 0
    with suppress(ConnectionError):
        while sent < 100 * SIZE:
            writer.write(b"x" * 65_536)
            await writer.drain()
            sent += 65_536
    assert SIZE < sent < 100 * SIZE
    await closed(state)


@on_server
async def test_nor_anything_for_longer_than_five_seconds(
    connect: Open, state: ServerState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brskills_server.gateway.discarder.SECONDS", 0.05)
    reader, writer = await connect()
    writer.write(LONG)
    assert code(await until_the_end(reader)) == (b"413", "body_too_large")
    await closed(state)


@on_server
async def test_what_follows_a_refused_head_is_no_request(connect: Open, state: ServerState) -> None:
    reader, writer = await connect()
    writer.write(b"GET / HTTP/1.1\r\n\r\n")
    assert code(await until_the_end(reader)) == (b"400", "malformed_request")
    writer.write(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
    writer.write_eof()
    assert await reader.read() == b""
    await closed(state)

"""Connections that take too long, or are too many: real sockets, limits of milliseconds."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import pytest
from uvicorn.server import ServerState

from brskills_server.gateway.head import MAX_HEADERS
from brskills_server.gateway.request_parser import RequestParser

from .server import CHUNKED, DOCUMENT, PLANS, UPLOAD, Open, answered, code, on_server, until_the_end


@pytest.mark.parametrize("before", [b"", PLANS])
@on_server
async def test_a_head_that_takes_too_long_is_a_problem(connect, monkeypatch, before: bytes) -> None:
    monkeypatch.setattr("brskills_server.gateway.protocol.HEAD_SECONDS", 0.1)
    reader, writer = await connect()
    if before:
        writer.write(before)
        await answered(reader)
    answer = asyncio.ensure_future(until_the_end(reader))
    writer.write(b"GET /")
    while not answer.done():  # each byte comes in time, their end does not
        writer.write(b"a")
        await asyncio.sleep(0.02)
    assert code(await answer) == (b"408", "request_timeout")


@on_server
async def test_a_silent_connection_is_ended_without_a_word(connect, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.gateway.protocol.HEAD_SECONDS", 0.1)
    reader, _ = await connect()
    assert await reader.read() == b""


@on_server
async def test_a_body_that_takes_too_long_is_a_problem(connect, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.gateway.body.BODY_SECONDS", 0.1)
    reader, writer = await connect()
    writer.write(UPLOAD)
    assert code(await reader.read()) == (b"408", "request_timeout")


@on_server
async def test_an_answered_call_is_not_held_to_the_time_of_a_head(connect, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.gateway.protocol.HEAD_SECONDS", 0.1)
    reader, writer = await connect()
    for _ in range(2):
        writer.write(PLANS)
        await answered(reader)
        await asyncio.sleep(0.3)
    assert not reader.at_eof()


@on_server
async def test_of_too_many_connections_the_longest_silent_one_goes(connect, state, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.gateway.protocol.MAX_CONNECTIONS", 3)
    silent, _ = await connect()
    _, working = await connect()
    working.write(UPLOAD)
    busy, writer = await connect()
    writer.write(PLANS)
    await answered(busy)
    newcomer, writer = await connect()
    assert await silent.read() == b""
    writer.write(PLANS)
    await answered(newcomer)
    assert len(state.connections) == 3


@on_server
async def test_connections_that_come_at_once_are_as_few(connect, state, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.gateway.protocol.MAX_CONNECTIONS", 3)
    opened = await asyncio.gather(*(connect() for _ in range(40)))
    ended = [asyncio.ensure_future(reader.read()) for reader, _ in opened]
    while sum(read.done() for read in ended) < 37:
        await asyncio.sleep(0.01)
    assert len(state.connections) == 3
    for read in ended:
        read.cancel()


@on_server
async def test_neither_unfinished_bodies_nor_answers_that_nobody_reads_shut_others_out(
    connect: Open, state: ServerState, monkeypatch
) -> None:
    monkeypatch.setattr("brskills_server.gateway.protocol.MAX_CONNECTIONS", 4)
    for _ in range(4):
        _, writer = await connect()
        writer.write(UPLOAD)
    for _ in range(4):
        _, writer = await connect()
        writer.write(DOCUMENT * 100)
    while not any(connection.flow.write_paused for connection in state.connections):
        await asyncio.sleep(0.01)
    newcomer, writer = await connect()
    writer.write(PLANS)
    await answered(newcomer)
    assert len(state.connections) <= 4


@on_server
async def test_what_nobody_reads_ends(connect, state, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.gateway.protocol.UNREAD_SECONDS", 0.2)
    _, writer = await connect()
    writer.write(DOCUMENT * 100)
    while not state.tasks:
        await asyncio.sleep(0.01)
    while state.tasks or state.connections:
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("kept_open", [True, False])
@on_server
async def test_what_nobody_reads_of_a_last_answer_ends(connect, state, monkeypatch, kept_open: bool) -> None:
    monkeypatch.setattr("brskills_server.gateway.protocol.UNREAD_SECONDS", 0.2)
    _, writer = await connect()
    while not state.connections:
        await asyncio.sleep(0.01)
    (connection,) = state.connections
    connection.timeout_keep_alive = 0.1  # type: ignore[union-attr]
    connection.transport.set_write_buffer_limits(1 << 24)  # it never counts as too full
    connection.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    last = DOCUMENT if kept_open else DOCUMENT.replace(b"Host: x", b"Host: x\r\nConnection: close")
    writer.write(DOCUMENT * 50 + last)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    while not connection.transport.get_write_buffer_size():
        await asyncio.sleep(0.01)
    while state.connections:
        await asyncio.sleep(0.01)


@on_server
async def test_ended_connections_with_unread_answers_shut_nobody_out(connect, state, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.gateway.protocol.MAX_CONNECTIONS", 2)
    for opened in (1, 2):
        _, writer = await connect()
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        while len(state.connections) < opened:
            await asyncio.sleep(0.01)
        for connection in state.connections:
            connection.transport.set_write_buffer_limits(1 << 24)
        writer.write(DOCUMENT * 50 + DOCUMENT.replace(b"Host: x", b"Host: x\r\nConnection: close"))
    while not all(connection.transport.is_closing() for connection in state.connections):
        await asyncio.sleep(0.01)
    newcomer, writer = await connect()
    writer.write(PLANS)
    await answered(newcomer)


@pytest.mark.parametrize("size", [20_000, 250_000])
@pytest.mark.parametrize("line", [b"a:\r\n", b"a: " + b"b" * 60 + b"\r\n"])
@pytest.mark.parametrize("before", [b"", PLANS])
@on_server
async def test_of_a_head_too_large_little_is_parsed(
    connect: Open, monkeypatch: pytest.MonkeyPatch, size: int, line: bytes, before: bytes
) -> None:
    parsed: list[bytes] = []
    read = RequestParser.on_header

    def note(connection: RequestParser, name: bytes, value: bytes) -> None:
        parsed.append(name)
        read(connection, name, value)

    monkeypatch.setattr(RequestParser, "on_header", note)
    reader, writer = await connect()
    writer.write(before + PLANS[:-2] + line * (size // len(line)) + b"\r\n")
    assert code(await until_the_end(reader)) == (b"431", "headers_too_large")
    assert len(parsed) <= MAX_HEADERS + 3


@pytest.mark.parametrize(("headers", "status"), [(100, b"200"), (101, b"431")])
@on_server
async def test_the_number_of_headers_has_a_limit(connect: Open, headers: int, status: bytes) -> None:
    reader, writer = await connect()
    writer.write(PLANS[:-2] + b"a:\r\n" * (headers - 2) + b"Connection: close\r\n\r\n")
    assert (await until_the_end(reader)).split()[1] == status


@on_server
async def test_a_head_in_too_many_pieces_is_a_problem(connect: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brskills_server.gateway.request_parser.MAX_PIECES", 20)
    reader, writer = await connect()
    for _ in range(3):  # of each head for itself
        for piece in (PLANS[:10], PLANS[10:20], PLANS[20:]):
            writer.write(piece)
            await asyncio.sleep(0.01)
        await answered(reader)
    answer = asyncio.ensure_future(until_the_end(reader))
    writer.write(PLANS[:-2])
    while not answer.done():
        writer.write(b"a:\r\n")
        await asyncio.sleep(0.01)
    assert code(await answer) == (b"431", "headers_too_large")


@on_server
async def test_a_body_in_too_many_pieces_is_a_problem(connect: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brskills_server.gateway.request_parser.MAX_PIECES", 50)
    reader, writer = await connect()
    writer.write(CHUNKED + b"1\r\n{\r\n" * 40 + b"0\r\n\r\n")
    await answered(reader)
    writer.write(CHUNKED + b"1\r\n{\r\n" * 60)
    assert code(await reader.read()) == (b"413", "body_too_large")


@on_server
async def test_whoever_has_asked_and_sends_no_more_is_answered(connect: Open) -> None:
    reader, writer = await connect()
    writer.write(PLANS)
    writer.write_eof()
    answer = await reader.read()
    assert answer.startswith(b"HTTP/1.1 200")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["planos"]


@pytest.mark.parametrize(("method", "status"), [(b"PURGE", b"404"), (b"brsk_SECRET", b"400")])
@on_server
async def test_a_method_of_the_callers_own_is_not_printed(
    connect: Open, capsys: pytest.CaptureFixture[str], method: bytes, status: bytes
) -> None:
    reader, writer = await connect()
    writer.write(method + b" /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert code(await until_the_end(reader))[0] == status
    printed = capsys.readouterr().err
    assert f" {status.decode()} " in printed
    assert method.decode() not in printed


@on_server
async def test_a_stop_does_not_wait_for_bodies(connect: Open, state: ServerState) -> None:
    reader, writer = await connect()
    writer.write(UPLOAD)
    while not state.tasks:
        await asyncio.sleep(0.01)
    for connection in list(state.connections):
        connection.shutdown()
    assert await reader.read() == b""
    while state.tasks or state.connections:
        await asyncio.sleep(0.01)


class Writes:
    """A transport that keeps what was written to it."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self.each: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if data:
            self.each.append(data)
        self._transport.write(data)


@pytest.mark.parametrize("request_line", [PLANS, PLANS.replace(b"GET", b"HEAD"), b"\x16\r\n\r\n"])
@on_server
async def test_head_and_body_of_an_answer_are_one_write(connect, state, request_line: bytes) -> None:
    reader, writer = await connect()
    while not state.connections:
        await asyncio.sleep(0)
    (connection,) = state.connections
    written = Writes(connection.transport._transport)  # type: ignore[union-attr]
    connection.transport._transport = written  # type: ignore[union-attr]
    writer.write(request_line)
    writer.write_eof()
    assert [await until_the_end(reader)] == written.each

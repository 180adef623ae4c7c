"""Connections that take too long, or are too many: real sockets, limits of milliseconds."""

from __future__ import annotations

import asyncio
import json
import resource
import threading

import pytest
from uvicorn.server import ServerState

from brskills_server.gateway.answer import Answer
from brskills_server.gateway.application import Gateway
from brskills_server.gateway.protocol import max_connections

from .server import DOCUMENT, PLANS, UPLOAD, Open, answered, code, on_server, until_the_end


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
async def test_an_answered_client_may_be_silent_for_longer_than_a_head_may_take(connect, monkeypatch) -> None:
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
async def test_a_burst_of_connections_ends_no_callers(connect, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.gateway.protocol.MAX_CONNECTIONS", 3)
    caller, writer = await connect()
    writer.write(PLANS)
    await answered(caller)
    for _ in range(10):
        await connect()
    writer.write(PLANS)
    await answered(caller)


@on_server
async def test_of_callers_the_one_goes_that_has_asked_nothing_for_longest(connect, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.gateway.protocol.MAX_CONNECTIONS", 2)
    first, writer = await connect()
    writer.write(PLANS)
    await answered(first)
    silent, silent_writer = await connect()
    silent_writer.write(PLANS)
    await answered(silent)
    writer.write(PLANS)
    await answered(first)
    await connect()
    assert await silent.read() == b""
    writer.write(PLANS)
    await answered(first)


@on_server
async def test_a_call_is_not_ended_while_it_is_worked_on(connect, state, monkeypatch) -> None:
    monkeypatch.setattr("brskills_server.gateway.protocol.MAX_CONNECTIONS", 1)
    begun, released = threading.Event(), threading.Event()

    def answer(*_: object) -> Answer:
        begun.set()
        released.wait()
        return 200, {}, b"{}"

    monkeypatch.setattr(Gateway, "_call", answer)
    caller, writer = await connect()
    writer.write(PLANS)
    while not begun.is_set():
        await asyncio.sleep(0.01)
    for _ in range(3):
        await connect()
    while len(state.connections) > 2:
        await asyncio.sleep(0.01)
    released.set()
    await answered(caller)


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
async def test_a_client_that_has_asked_and_sends_no_more_is_answered(connect: Open) -> None:
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


@on_server
async def test_a_stop_loses_no_answer(connect: Open, state: ServerState) -> None:
    reader, writer = await connect()
    writer.write(PLANS * 50)
    await answered(reader)
    for connection in list(state.connections):
        connection.shutdown()
    assert (await reader.read()).count(b"HTTP/1.1 200 ") == 49


@pytest.mark.parametrize(
    ("descriptors", "most"),
    [(64, 32), (256, 128), (1024, 500), (4096, 500), (resource.RLIM_INFINITY, 500)],
)
def test_connections_leave_half_of_the_descriptors(monkeypatch, descriptors: int, most: int) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (descriptors, descriptors))
    assert max_connections() == most

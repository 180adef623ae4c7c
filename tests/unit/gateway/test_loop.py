"""A listening socket that leaves the process its descriptors: real sockets, a limit of a few."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from brskills_server.gateway.loop import ACCEPTED_AT_ONCE, BACKLOG, Listener, Loop, bind


@pytest.fixture
def listener() -> Iterator[Listener]:
    with bind("127.0.0.1", 0) as bound:
        made = Listener(bound.family, bound.type, bound.proto, fileno=bound.dup().detach())
        with closing(made):
            made.listen()
            made.setblocking(False)
            yield made


def lowest_free() -> int:
    with Path(os.devnull).open() as file:
        return file.fileno()


class Kept(asyncio.Protocol):
    """Puts its transport with the others."""

    def __init__(self, made: list[asyncio.Transport]) -> None:
        self._made = made

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._made.append(transport)


def one_round(loop: asyncio.AbstractEventLoop) -> None:
    loop.call_soon(loop.stop)
    loop.run_forever()


def test_a_connection_that_would_take_a_kept_descriptor_is_closed(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        callers = [stack.enter_context(socket.create_connection(listener.getsockname())) for _ in range(5)]
        highest = lowest_free() + 1
        monkeypatch.setattr("brskills_server.gateway.loop.max_descriptor", lambda: highest)
        accepted = [stack.enter_context(listener.accept()[0]) for _ in range(2)]
        for caller in callers[2:]:
            with pytest.raises(BlockingIOError):
                listener.accept()
            assert caller.recv(1) == b""
        assert max(connection.fileno() for connection in accepted) <= highest
        accepted[0].sendall(b"x")
        assert callers[0].recv(1) == b"x"


def test_the_loop_accepts_few_at_once_and_the_system_holds_many(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    listen = socket.socket.listen

    def note(sock: socket.socket, backlog: int) -> None:
        asked.append(backlog)
        listen(sock, backlog)

    with ExitStack() as stack:
        bound = stack.enter_context(bind("127.0.0.1", 0))
        callers = 10 * ACCEPTED_AT_ONCE
        for _ in range(callers):
            stack.enter_context(socket.create_connection(bound.getsockname()))
        monkeypatch.setattr(socket.socket, "listen", note)
        loop = stack.enter_context(closing(Loop()))
        made: list[asyncio.Transport] = []
        rounds: list[int] = []
        server = loop.run_until_complete(loop.create_server(lambda: Kept(made), sock=bound))
        while len(made) < callers:
            before = len(made)
            one_round(loop)
            rounds.append(len(made) - before)
        server.close()
        for transport in made:
            transport.abort()
        one_round(loop)
    assert set(asked) == {BACKLOG}
    assert max(rounds) <= ACCEPTED_AT_ONCE

"""The listening socket leaves the process its descriptors, for every limit that a system may set."""

from __future__ import annotations

import asyncio
import os
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brskills_server.gateway.listener import (
    ACCEPTED_AT_ONCE,
    BACKLOG,
    MIN_DESCRIPTORS,
    Listener,
    Loop,
    bind,
    descriptor_limit,
    max_connections,
    max_descriptor,
    raise_descriptor_limit,
)

ROUNDS = 4
"""Of the event loop, from the round that accepts a connection to the one that closes another for it."""

FILES_AT_REST = 32


class Limits:
    """The system's limits of one process, soft and hard."""

    def __init__(self, soft: int, hard: int, may_raise: bool = True) -> None:
        self.limits, self._may_raise = (soft, hard), may_raise

    def get(self, _: int) -> tuple[int, int]:
        return self.limits

    def set(self, _: int, limits: tuple[int, int]) -> None:
        if not self._may_raise:
            raise ValueError("not allowed to raise maximum limit")
        self.limits = limits


def use(patch: pytest.MonkeyPatch, limits: Limits) -> None:
    patch.setattr(resource, "getrlimit", limits.get)
    patch.setattr(resource, "setrlimit", limits.set)


@given(st.integers(MIN_DESCRIPTORS, 1 << 20))
def test_connections_and_files_at_rest_stay_below_what_is_kept_for_the_process(limit: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        use(patch, Limits(limit, limit))
        most = max_connections() + ROUNDS * ACCEPTED_AT_ONCE + FILES_AT_REST
        assert 0 < max_connections() < most <= max_descriptor() + 1
        assert limit - max_descriptor() - 1 >= min(256, limit // 4)


def test_a_thousand_descriptors_suffice_for_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Limits(1024, 1024))
    assert max_connections() >= 500


@pytest.mark.parametrize(("may_raise", "limit"), [(True, 4096), (False, 256)])
def test_the_soft_limit_is_raised_where_that_is_allowed(monkeypatch, may_raise: bool, limit: int) -> None:
    use(monkeypatch, Limits(256, 4096, may_raise))
    assert raise_descriptor_limit() == descriptor_limit() == limit


def test_too_few_are_an_error_that_says_how_many_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Limits(MIN_DESCRIPTORS - 1, MIN_DESCRIPTORS - 1))
    with pytest.raises(ValueError, match=f"{MIN_DESCRIPTORS} are needed"):
        raise_descriptor_limit()


def test_no_limit_is_a_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Limits(resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert raise_descriptor_limit() > MIN_DESCRIPTORS


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


def test_a_connection_that_would_take_a_kept_descriptor_is_closed(listener: Listener, monkeypatch) -> None:
    with ExitStack() as stack:
        callers = [stack.enter_context(socket.create_connection(listener.getsockname())) for _ in range(5)]
        highest = lowest_free() + 1
        monkeypatch.setattr("brskills_server.gateway.listener.max_descriptor", lambda: highest)
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

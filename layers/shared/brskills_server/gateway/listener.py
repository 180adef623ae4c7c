"""The listening socket, which leaves file descriptors for the store, the register snapshot and providers."""

from __future__ import annotations

import asyncio
import resource
import socket
from contextlib import suppress
from typing import Any

from brskills_server.gateway.log import report_connection_issue

LOOP = "brskills_server.gateway.listener:Loop"
"""The event loop for uvicorn's option ``loop``."""

BACKLOG = 4096
"""Connections that the system queues until they are accepted; ``net.core.somaxconn`` may allow fewer."""

ACCEPTED_AT_ONCE = 8
"""In one round of the event loop; asyncio counts and closes connections up to two rounds later."""

MIN_DESCRIPTORS = 128
_RESERVED = 256  # 100 calls of providers, as many reads of the snapshot, and the store
_AT_REST = 64  # some 20 without connections, some 30 accepted and not yet counted or closed


def raise_descriptor_limit() -> int:
    """Raise the soft limit to the hard one and return it. Raise ``ValueError`` where it is too low."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # a sandbox may forbid it, and macOS accepts no infinity here
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    limit = descriptor_limit()
    if limit < MIN_DESCRIPTORS:
        given = f"a process may open {limit} files (ulimit -n, LimitNOFILE)"
        raise ValueError(f"{given}: at least {MIN_DESCRIPTORS} are needed")
    return limit


def descriptor_limit() -> int:
    """Return the limit in force in this process."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if soft != resource.RLIM_INFINITY else 1 << 20


def max_descriptor() -> int:
    """Return the highest descriptor of a connection; a new descriptor is always the lowest free one."""
    limit = descriptor_limit()
    return limit - min(_RESERVED, limit // 4) - 1


def max_connections() -> int:
    """Return how many connections can be open while none reaches `max_descriptor`."""
    return max_descriptor() + 1 - _AT_REST


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raise ``OSError``."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=BACKLOG)


class Listener(socket.socket):
    """A listening socket that closes connections whose descriptor is reserved for the process."""

    def listen(self, backlog: int = BACKLOG, /) -> None:  # noqa: ARG002, how many asyncio accepts at once
        """Listen with `BACKLOG`: asyncio has one number for this and for how many it accepts at once."""
        super().listen(BACKLOG)

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection. Raise ``BlockingIOError`` if there is none, or no descriptor for it."""
        connection, address = super().accept()
        if connection.fileno() <= max_descriptor():
            return connection, address
        connection.close()
        report_connection_issue("connection refused: too few descriptors")
        raise BlockingIOError


class Loop(asyncio.SelectorEventLoop):
    """asyncio's event loop, whose servers listen by a `Listener`."""

    async def create_server(  # type: ignore[override]
        self, *arguments: Any, sock: socket.socket, **named: Any
    ) -> asyncio.Server:
        """As asyncio's, for a socket that is bound."""
        listener = Listener(sock.family, sock.type, sock.proto, fileno=sock.dup().detach())
        named["backlog"] = ACCEPTED_AT_ONCE
        return await super().create_server(*arguments, sock=listener, **named)

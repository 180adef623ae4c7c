"""The event loop of a server: asyncio's, with a listening socket that never takes the last descriptors."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from brskills_server.gateway.descriptors import max_descriptor
from brskills_server.gateway.log import report_connection_trouble

__all__ = ["ACCEPTED_AT_ONCE", "BACKLOG", "LOOP", "Listener", "Loop", "bind"]

LOOP = "brskills_server.gateway.loop:Loop"
"""What uvicorn calls ``loop``."""

BACKLOG = 4096
"""Connections that the system holds until they are accepted; ``net.core.somaxconn`` may allow fewer."""

ACCEPTED_AT_ONCE = 8
"""In one round of the loop. asyncio counts and closes them in the next ones: three rounds' are in between."""


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that clients connect to; raise ``OSError`` where that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=BACKLOG)


class Listener(socket.socket):
    """A listening socket that closes at once what would take a descriptor of the process' own work."""

    def listen(self, backlog: int = BACKLOG, /) -> None:  # noqa: ARG002, asyncio passes how many it accepts at once
        """Listen with ``BACKLOG``: asyncio has one number for this and for how many it accepts at once."""
        super().listen(BACKLOG)

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection; raise ``BlockingIOError`` where there is none, or no descriptor for it."""
        connection, address = super().accept()
        if connection.fileno() <= max_descriptor():
            return connection, address
        connection.close()
        report_connection_trouble("connection refused: too few descriptors")
        raise BlockingIOError


class Loop(asyncio.SelectorEventLoop):
    """asyncio's event loop whose servers have a ``Listener``."""

    async def create_server(  # type: ignore[override]
        self, *arguments: Any, sock: socket.socket, **named: Any
    ) -> asyncio.Server:
        """As asyncio's, for a socket that is bound."""
        listener = Listener(sock.family, sock.type, sock.proto, fileno=sock.dup().detach())
        named["backlog"] = ACCEPTED_AT_ONCE
        return await super().create_server(*arguments, sock=listener, **named)

"""The listening socket, which leaves file descriptors for the store, the register snapshot and providers."""

from __future__ import annotations

import resource
import socket
from contextlib import suppress

BACKLOG = 4096
"""Connections that the system queues until they are accepted; ``net.core.somaxconn`` may allow fewer."""

MIN_DESCRIPTORS = 128
_RESERVED = 256  # 100 calls of providers, as many reads of the snapshot, and the store
_AT_REST = 64  # some 20 without connections, a few accepted and not yet counted or closed


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


def max_connections() -> int:
    """Return how many connections leave the process its descriptors."""
    limit = descriptor_limit()
    return limit - min(_RESERVED, limit // 4) - _AT_REST


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raise ``OSError``."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=BACKLOG)

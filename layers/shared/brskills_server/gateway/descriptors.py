"""How many descriptors a process may have, and how many of them its connections may take.

The rest is for its own work: files of the store and of the register's copy, calls of providers.
"""

from __future__ import annotations

import resource
from contextlib import suppress

__all__ = ["LEAST", "descriptor_limit", "max_connections", "max_descriptor", "raise_limit"]

LEAST = 128
"""Below this the gateway does not start."""

_OWN = 256  # 100 calls of providers, as many reads of the register's copy, and the store
_AT_REST = (
    64  # some 20 of a worker without connections; some 30 accepted, and not yet counted or not yet closed
)


def raise_limit() -> int:
    """Raise the soft limit to the hard one, for the processes to come too; return the limit in force.

    Raise ``ValueError`` where it is too low.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # a sandbox may forbid it, and macOS knows no infinity here
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    limit = descriptor_limit()
    if limit < LEAST:
        given = f"a process may open {limit} files (ulimit -n, LimitNOFILE)"
        raise ValueError(f"{given}: at least {LEAST} are needed")
    return limit


def descriptor_limit() -> int:
    """Return the limit in force in this process."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if soft != resource.RLIM_INFINITY else 1 << 20


def max_descriptor() -> int:
    """Return the highest descriptor that a connection may have.

    A new descriptor is the lowest free one, so all above it stay free for the process itself.
    """
    limit = descriptor_limit()
    return limit - min(_OWN, limit // 4) - 1


def max_connections() -> int:
    """Return how many connections can be open while none reaches ``max_descriptor``."""
    return max_descriptor() + 1 - _AT_REST

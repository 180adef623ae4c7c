"""Which machines a document may be fetched from: those of the public internet, and nothing behind it."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from ssl import SSLContext

__all__ = ["Forbidden", "Network", "is_public", "resolve"]

_CARRIES_V4 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"), IPv6Network("2001::/23"))
"""NAT64 and Teredo: networks whose addresses are IPv4 addresses in another dress."""

_RESOLVING = ThreadPoolExecutor(32, "resolving")
"""More than are waited for at once: the system looks on for a name after we gave up."""

Resolve = Callable[[str, int], Awaitable[list[str]]]


class Forbidden(Exception):
    """A name that leads where nothing may be fetched."""


def is_public(address: str) -> bool:
    """Whether an address is one of the public internet.

    >>> is_public("8.8.8.8"), is_public("169.254.169.254"), is_public("::ffff:10.0.0.1")
    (True, False, False)
    """
    found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if any(found in network for network in _CARRIES_V4):
            return False
        carried = found.ipv4_mapped or found.sixtofour
        if carried is not None:
            return is_public(str(carried))
        if found.is_site_local or int(found) >> 32 == 0:  # also ::a.b.c.d, which is IPv4 by an old custom
            return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


async def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host, by the system's resolver; raises ``OSError``."""
    ask = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_RESOLVING, ask)
    return [str(address[0]) for _, _, _, _, address in found]


@dataclass(frozen=True)
class Network:
    """How names are reached: as on the internet unless a test has a network of its own.

    ``certificates``: whose certificates are believed; ``None`` is everybody's that the system believes.
    """

    resolve: Resolve = resolve
    is_allowed: Callable[[str], bool] = is_public
    port: int = 443
    certificates: SSLContext | None = field(default=None, repr=False)

    async def addresses_of(self, host: str) -> list[str]:
        """The addresses to connect to, best first; raises ``Forbidden`` if one of them is not allowed."""
        found = await self.resolve(host, self.port)
        if not found or not all(self.is_allowed(address) for address in found):
            raise Forbidden
        return found

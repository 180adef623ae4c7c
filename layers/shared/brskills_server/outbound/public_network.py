"""Where requests may go: addresses of the public internet alone, or hosts that the operator names."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from ssl import SSLContext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from httpx import URL

_EMBEDS_V4 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"), IPv6Network("2001::/23"))
"""NAT64 and Teredo: IPv6 networks whose addresses embed IPv4 addresses."""

_SPECIAL = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"), IPv6Network("3fff::/20"))
"""Protocol assignments (one cloud's metadata among them), 6to4, documentation: global in some Pythons."""

_RESOLVERS = ThreadPoolExecutor(384, "resolving")
"""More than requests at once: the system continues to resolve a name after our time-out."""

Resolve = Callable[[str, int], Awaitable[list[str]]]


class Forbidden(Exception):
    """A host name that resolves to an address that may not be connected to."""


def is_public(address: str) -> bool:
    """Return whether an address is one of the public internet.

    >>> is_public("8.8.8.8"), is_public("169.254.169.254"), is_public("::ffff:10.0.0.1")
    (True, False, False)
    """
    found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if any(found in network for network in _SPECIAL):
        return False
    if isinstance(found, IPv6Address):
        if any(found in network for network in _EMBEDS_V4):
            return False
        embedded = found.ipv4_mapped or found.sixtofour
        if embedded is not None:
            return is_public(str(embedded))
        if found.is_site_local or int(found) >> 32 == 0:  # also ::a.b.c.d, a deprecated form of IPv4
            return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


def is_loopback(host: str) -> bool:
    """Return whether a host names this machine: ``localhost``, or an address of 127.0.0.0/8 or ``::1``.

    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback("127.0.0.1.example")
    (True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


async def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host by the system's resolver. Raise ``OSError``."""
    look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_RESOLVERS, look_up)
    return [str(address[0]) for _, _, _, _, address in found]


Place = tuple[str, int]
"""An address, or the name of a host that the operator trusts, and a port."""


@dataclass(frozen=True)
class Network:
    """How public hosts are reached; tests replace parts.

    ``certificates``: ``None`` trusts certifi's roots. ``connect_to``: by host, in lower case, the host and
    port to connect to instead, which may be on this machine; only the operator writes it.
    ``allow_loopback``: this machine may be connected to, also by http and at any port.
    """

    resolve: Resolve = resolve
    is_allowed: Callable[[str], bool] = is_public
    port: int = 443
    certificates: SSLContext | None = field(default=None, repr=False)
    connect_to: Mapping[str, Place] = field(default_factory=dict)
    allow_loopback: bool = False

    async def places_of(self, url: URL) -> list[Place]:
        """Return the addresses and ports to connect to, best first.

        Raise ``Forbidden`` if one address is not allowed, or ``OSError`` for an unknown host. This is the
        only place that decides where a request may go; the host is read as written, since the resolver's
        IDNA of 2003 would turn straße.example into strasse.example.
        """
        host = url.raw_host.decode()
        if self.allow_loopback and is_loopback(host):
            hosts = ("127.0.0.1", "::1") if host == "localhost" else (host,)
            return [(address, port_of(url)) for address in hosts]
        if port_of(url) != 443 or url.scheme != "https":
            raise Forbidden
        if instead := self.connect_to.get(host):
            return [(address, instead[1]) for address in await self.resolve(*instead)]
        found = await self.resolve(host, self.port)
        if not found or not all(self.is_allowed(address) for address in found):
            raise Forbidden
        return [(address, self.port) for address in found]


@dataclass(frozen=True)
class Named:
    """Hosts that the operator names, on any network."""

    certificates: SSLContext | None = field(default=None, repr=False)

    async def places_of(self, url: URL) -> list[Place]:
        """Return the host's name, which the event loop resolves, and the port."""
        return [(url.raw_host.decode(), port_of(url))]


def port_of(url: URL) -> int:
    """Return the port of an address of http or https."""
    return url.port or (443 if url.scheme == "https" else 80)

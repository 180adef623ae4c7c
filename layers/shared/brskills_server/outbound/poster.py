"""Post to an address that a stranger chose, and read no more of the answer than its head.

As in ``fetcher``: the name is resolved once, and only an address that was checked is connected to; https,
port 443, no redirect, no cookie, no proxy of the environment. The body of the answer is left unread, and its
head is limited, so that no answer costs more than a connection for the whole time limit.
"""

import asyncio
import ssl
from asyncio import StreamReader, StreamWriter
from collections.abc import Mapping
from contextlib import suppress
from socket import gaierror
from typing import NamedTuple
from urllib.parse import urlsplit

import h11

from brskills_server.outbound.public_network import Forbidden, Network, is_loopback

SECONDS = 15.0
"""For name, connection, request and the head of the answer together."""

CONNECT_SECONDS = 5.0
"""For one of several addresses, of which one may be unreachable from here."""

MAX_ADDRESSES = 3
MAX_HEAD_BYTES = 16 * 1024
"""Of an answer, provisional ones included."""

TIMEOUT, CONNECTION, TLS, DNS, FORBIDDEN = "timeout", "connection", "tls", "dns", "forbidden_address"


class Answer(NamedTuple):
    """``status``: of the answer, ``None`` without one; then ``error`` says why: one of the names above.

    ``retry_after``: its header of this name in seconds, 0 without one or for a date.
    """

    status: int | None
    error: str = ""
    retry_after: int = 0


class _Target(NamedTuple):
    """Where a request goes. ``host``: without brackets; ``port``: ``None`` for the scheme's own."""

    host: str
    port: int | None
    is_secure: bool
    authority: str
    path: str


class Poster:
    """Requests with the method POST, one connection each.

    ``allow_loopback``: addresses of this machine are allowed too, also by http and with any port.
    """

    def __init__(
        self, user_agent: str, network: Network | None = None, *, allow_loopback: bool = False
    ) -> None:
        self._user_agent = user_agent
        self._network = network or Network()
        self._tls = self._network.certificates or ssl.create_default_context()  # once: it takes milliseconds
        self._allow_loopback = allow_loopback

    async def post(self, address: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Post to an address and return the answer, or why there is none; raise nothing for either."""
        try:
            async with asyncio.timeout(SECONDS):
                return await self._post(_target_of(address), headers, body)
        except (Forbidden, h11.LocalProtocolError):
            return Answer(None, FORBIDDEN)
        except gaierror:
            return Answer(None, DNS)
        except TimeoutError:
            return Answer(None, TIMEOUT)
        except ssl.SSLError:
            return Answer(None, TLS)
        except (OSError, UnicodeError, h11.RemoteProtocolError):
            return Answer(None, CONNECTION)

    async def _post(self, target: _Target, headers: Mapping[str, str], body: bytes) -> Answer:
        connection = h11.Connection(h11.CLIENT)
        head = {"Host": target.authority, "User-Agent": self._user_agent, "Connection": "close"}
        head |= {**headers, "Content-Length": str(len(body))}
        request = h11.Request(method="POST", target=target.path, headers=list(head.items()))
        events = (request, h11.Data(body), h11.EndOfMessage())
        sent = b"".join(connection.send(event) or b"" for event in events)
        reader, writer = await self._connect(target)
        try:
            writer.write(sent)
            return await _read(connection, reader)
        finally:
            writer.transport.abort()  # a good-bye would have to be waited for

    async def _connect(self, target: _Target) -> tuple[StreamReader, StreamWriter]:
        *others, last = (await self._places_of(target))[:MAX_ADDRESSES]
        for place in others:
            with suppress(OSError):  # a TimeoutError too
                async with asyncio.timeout(CONNECT_SECONDS):
                    return await self._open(target, place)
        return await self._open(target, last)

    async def _places_of(self, target: _Target) -> list[tuple[str, int]]:
        """Return addresses and ports to connect to. Raise ``Forbidden``, or ``OSError`` for an unknown host.

        This is the only place that decides where a request may go.
        """
        if self._allow_loopback and is_loopback(target.host):
            port = target.port or (443 if target.is_secure else 80)
            hosts = ("127.0.0.1", "::1") if target.host.lower() == "localhost" else (target.host,)
            return [(host, port) for host in hosts]
        if not target.is_secure or target.port not in {None, 443}:
            raise Forbidden
        return await self._network.addresses_of(target.host)

    async def _open(self, target: _Target, place: tuple[str, int]) -> tuple[StreamReader, StreamWriter]:
        tls, name = (self._tls, target.host) if target.is_secure else (None, None)
        return await asyncio.open_connection(*place, limit=MAX_HEAD_BYTES, ssl=tls, server_hostname=name)


def _target_of(address: str) -> _Target:
    """Return the parts of an address. Raise ``Forbidden`` if it has none."""
    try:
        parts = urlsplit(address)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        raise Forbidden from None
    if parts.scheme not in {"http", "https"} or not host or parts.username is not None:
        raise Forbidden
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not (path + host).isascii():
        raise Forbidden
    return _Target(host, port, parts.scheme == "https", parts.netloc, path)


async def _read(connection: h11.Connection, reader: StreamReader) -> Answer:
    """Return the head of the final answer. Raise ``OSError`` where it is too long or cut off."""
    left = MAX_HEAD_BYTES
    while not isinstance(event := connection.next_event(), h11.Response):
        if event is h11.NEED_DATA and left:
            received = await reader.read(left)
            connection.receive_data(received)  # nothing is the end
            left -= len(received)
        elif not isinstance(event, h11.InformationalResponse):
            raise ConnectionError("no answer")
    return Answer(event.status_code, "", _retry_after(event))


def _retry_after(answer: h11.Response) -> int:
    values = [value for name, value in answer.headers if name == b"retry-after"]
    written = values[0].decode("latin-1") if len(values) == 1 else ""
    return int(written) if written.isascii() and written.isdigit() and len(written) < 10 else 0

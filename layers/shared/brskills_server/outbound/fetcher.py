"""Requests to others, and what they answer.

Only places that the network allows are connected to. No redirect is followed, no cookie kept, and neither
proxy nor password of the environment used. What is read is bounded as it arrives; the caller bounds the time.
"""

import ssl
import sys
import zlib
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast

import httpx

from brskills_server.outbound.loop_thread import LoopThread
from brskills_server.outbound.public_network import Forbidden, Named, Network
from brskills_server.outbound.wire import Body, Connection, TooLarge

MAX_ADDRESSES = 3
CONNECT_SECONDS = 2.5
"""For TCP, and as many for TLS, at one of several addresses: of IPv4 and IPv6, one may be unreachable."""

FAILURES = (httpx.HTTPError, httpx.InvalidURL, OSError, TimeoutError, UnicodeError, Forbidden)
"""What is raised without a response, with ``TooLarge`` and ``Unreadable``."""

T = TypeVar("T")


class Unreadable(Exception):
    """A response in a coding that is not read."""


class Reply(NamedTuple):
    """A response: ``media_type`` in lower case, without parameters; ``certificate``: the host's, in DER."""

    status: int
    media_type: str
    body: bytes
    certificate: bytes | None = None


class Fetcher:
    """Requests, each over a connection for itself.

    ``most_kept``: connections of one server that are kept for further requests, in one event loop.
    """

    def __init__(self, user_agent: str, network: Network | Named | None = None, most_kept: int = 0) -> None:
        self._user_agent = user_agent
        self._network = network or Network()
        self._most_kept = most_kept
        self._kept: dict[str, list[Connection]] = defaultdict(list)
        self._loop = LoopThread(self.drop)

    @cached_property
    def _certificates(self) -> ssl.SSLContext:  # reading them takes milliseconds
        return self._network.certificates or httpx.create_ssl_context(trust_env=False)

    def run(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Return what work in a background event loop returns. Raise ``TimeoutError`` and cancel it."""
        return self._loop.run(work, seconds)

    def close(self) -> None:
        """Cancel what is under way in the background."""
        self._loop.close()

    async def drop(self) -> None:
        """Close the connections that are kept."""
        for kept in self._kept.values():
            while kept:
                await kept.pop().aclose()

    async def get(self, address: str, accept: str, most: int) -> Reply:
        """Return the response of an address, of up to ``most`` bytes. Raise as ``FAILURES`` says."""
        request = httpx.Request("GET", address, headers={"Accept": accept, "Accept-Encoding": "identity"})
        async with self.send(request, most) as response:
            media_type = response.headers.get("content-type", "").split(";")[0].strip().lower()
            secure = response.extensions["network_stream"].get_extra_info("ssl_object")
            presented = secure.getpeercert(binary_form=True)
            return Reply(response.status_code, media_type, await _read(response, most), presented)

    @asynccontextmanager
    async def send(self, request: httpx.Request, most: int = sys.maxsize) -> AsyncIterator[httpx.Response]:
        """Yield a response whose body, of up to ``most`` bytes, is yet to be read.

        With ``Connection: close`` a request is sent once; another may be sent again, where the server has
        closed a connection that was kept. Raise as ``FAILURES`` says; reading may raise ``TooLarge`` too.
        """
        request.headers["User-Agent"] = self._user_agent
        kept = self._kept[f"{request.url.scheme}://{request.url.netloc.decode()}"] if self._most_kept else []
        async with AsyncExitStack() as stack:
            connection, response = await self._answered(request, most, kept)
            stack.push_async_callback(connection.aclose)
            response.stream = Body(response.stream, most)
            yield response
            if connection.is_idle and len(kept) < self._most_kept:
                kept.append(connection)
                stack.pop_all()

    async def _answered(
        self, request: httpx.Request, most: int, kept: list[Connection]
    ) -> tuple[Connection, httpx.Response]:
        if kept and request.headers.get("connection") != "close":
            connection = kept.pop()
            with suppress(httpx.NetworkError, httpx.RemoteProtocolError):
                return connection, await connection.ask(request, most)
        *others, last = (await self._network.places_of(request.url))[:MAX_ADDRESSES]
        for place in others:
            connection = Connection(request.url, place, self._certificates, CONNECT_SECONDS)
            with suppress(httpx.ConnectError, httpx.ConnectTimeout):
                return connection, await connection.ask(request, most)
        connection = Connection(request.url, last, self._certificates)
        return connection, await connection.ask(request, most)


async def body_of(response: httpx.Response) -> bytes:
    """Return the body as it was sent."""
    # httpx types its generators as iterators; one that is not read to its end must be closed.
    async with aclosing(cast("AsyncGenerator[bytes, None]", response.aiter_raw())) as pieces:
        return b"".join([piece async for piece in pieces])


async def _read(response: httpx.Response, most: int) -> bytes:
    """Return the body, decompressed where the server sent gzip without being asked to."""
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in {"identity", "gzip", ""}:
        raise Unreadable
    body = await body_of(response)  # what inflates to nothing, or follows the end of gzip, has a limit too
    return _inflated(body, most) if coding == "gzip" else body


def _inflated(body: bytes, most: int) -> bytes:
    inflating = zlib.decompressobj(31)
    try:
        found = inflating.decompress(body, most + 1)
    except zlib.error as error:
        raise Unreadable from error
    if len(found) > most:
        raise TooLarge
    if not inflating.eof:
        raise Unreadable
    return found

"""One connection to one place, and bounds on what is read from it."""

import ssl
import sys
from collections.abc import AsyncIterator
from typing import Any

import httpcore
import httpx

from brskills_server.outbound.public_network import Place, port_of

MAX_HEAD_BYTES, MAX_HEAD_READS = 16 * 1024, 256
"""Of an answer, provisional ones included; so many bytes also for the framing of a body."""

MAX_PIECES, PIECE_BYTES = 4096, 256
"""A body may have so many pieces, and one more for every so many bytes: each takes the event loop 10 µs."""

KEPT_SECONDS = 5.0


class TooLarge(ValueError):
    """A body of more bytes, or in more pieces, than are read."""


class Connection(httpx.AsyncHTTPTransport):
    """A connection to the host of ``url`` at ``place``, opened by its first request.

    ``seconds``: for TCP, and as many for TLS. It takes the place of httpx's pool, which has no parameter for
    a backend, and in which a call that is cancelled at the wrong moment would stay.
    """

    def __init__(
        self, url: httpx.URL, place: Place, certificates: ssl.SSLContext, seconds: float | None = None
    ) -> None:
        self._wire = _Wire(place, seconds)
        if url.scheme not in {"http", "https"}:
            raise httpx.UnsupportedProtocol(url.scheme)
        origin = httpcore.Origin(url.raw_scheme, url.raw_host, port_of(url))
        self._connection = httpcore.AsyncHTTPConnection(
            origin, certificates, KEPT_SECONDS, network_backend=self._wire
        )
        self._pool = self._connection  # type: ignore[assignment]

    @property
    def is_idle(self) -> bool:
        """Whether another request can be sent."""
        return self._connection.is_idle()

    async def ask(self, request: httpx.Request, most: int) -> httpx.Response:
        """Return the answer, whose body of up to ``most`` bytes is yet to be read."""
        self._wire.bytes_left, self._wire.reads_left = MAX_HEAD_BYTES, MAX_HEAD_READS
        if self._connection.has_expired():  # or the server has sent something since, if only its end
            await self.aclose()
            raise httpx.ConnectError("the connection has expired")
        try:
            answer = await self.handle_async_request(request)
        except BaseException:  # httpcore does not close what is cancelled before its first byte is sent
            await self.aclose()
            raise
        self._wire.bytes_left, self._wire.reads_left = most + MAX_HEAD_BYTES, sys.maxsize
        return answer


class Body(httpx.AsyncByteStream):
    """The pieces of a body. Raise ``TooLarge`` after ``most`` bytes or too many pieces."""

    def __init__(self, stream: Any, most: int) -> None:
        self._stream, self._most = stream, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        received = pieces = 0
        async for piece in self._stream:
            received, pieces = received + len(piece), pieces + 1
            if received > self._most or pieces > MAX_PIECES + received // PIECE_BYTES:
                raise TooLarge
            yield piece

    async def aclose(self) -> None:
        """Close the connection, unless all was read."""
        await self._stream.aclose()


class _Wire(httpcore.AsyncNetworkBackend, httpcore.AsyncNetworkStream):
    """A backend whose one stream it is itself."""

    def __init__(self, place: Place, seconds: float | None) -> None:
        self._place, self._seconds = place, seconds
        self._stream = httpcore.AsyncNetworkStream()
        self.bytes_left = self.reads_left = 0

    async def connect_tcp(
        self, *_: Any, timeout: float | None = None, **__: Any
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the place, whatever host is named."""
        self._stream = await httpcore.AnyIOBackend().connect_tcp(*self._place, self._seconds or timeout)
        return self

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        seconds = self._seconds or timeout
        try:
            self._stream = await self._stream.start_tls(ssl_context, server_hostname, seconds)
        except BaseException:  # httpcore leaves a cancelled handshake to the garbage collector
            await self._stream.aclose()
            raise
        return self

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self.bytes_left <= 0 or self.reads_left <= 0:
            raise httpcore.RemoteProtocolError("too much is sent")
        received = await self._stream.read(min(max_bytes, self.bytes_left), timeout)
        self.bytes_left, self.reads_left = self.bytes_left - len(received), self.reads_left - 1
        return received

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

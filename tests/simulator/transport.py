"""The simulated providers without sockets: an HTTP transport that waits in the loop's own time."""

import asyncio
import ssl
from collections.abc import AsyncIterator

import httpx

from brskills_server.outbound.fetcher import Fetcher
from brskills_server.outbound.public_network import Named
from brskills_server.outbound.wire import Connection
from tests.simulator.paid import PAID, Plays, paid_address
from tests.simulator.replies import Reply
from tests.simulator.server import DATES, route

_HOSTS = {
    "api.opencnpj.org": "opencnpj",
    "brasilapi.com.br": "brasilapi",
    "minhareceita.org": "minhareceita",
    "open.cnpja.com": "cnpja",
    "api.cnpja.com": "cnpja:paid",
    "publica.cnpj.ws": "cnpjws",
    "comercial.cnpj.ws": "cnpjws:paid",
    "receitaws.com.br": "receitaws",
}


class Answered(Fetcher):
    """A fetcher whose requests a transport answers, without sockets."""

    def __init__(self, transport: httpx.AsyncBaseTransport, user_agent: str = "test") -> None:
        super().__init__(user_agent, Named(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)))
        self._transport = transport

    async def _answered(self, request: httpx.Request, *_: object) -> tuple[Connection, httpx.Response]:
        found = await self._transport.handle_async_request(request)
        stream = httpx.ByteStream(found.content) if found.is_closed else found.stream
        unread = httpx.Response(found.status_code, headers=found.headers, stream=stream)
        return Connection(request.url, ("", 0), self._certificates), unread


def refused(_provider: str, _cnpj: str) -> Reply:
    """A fault: no connection."""
    return Reply(0, b"", manner="refused")


class ProviderTransport(Plays, httpx.AsyncBaseTransport):
    """``calls``: provider, path and the loop's time of every request so far."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, str, float]] = []
        self.cancelled: list[str] = []

    def asked(self, provider: str | None = None) -> int:
        """How many companies a provider, or all of them, were asked for."""
        return sum(path not in DATES and provider in {None, name} for name, path, _ in self.calls)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """One request; a token goes to the paid address that it is for, and nowhere else."""
        path = request.url.path
        address = _HOSTS[request.url.host]
        provider, cnpj = route(address.partition(":")[0], path)
        assert paid_address(provider, request.headers) == address
        assert {header for header in PAID.values() if header in request.headers} <= {PAID.get(provider)}
        self.calls.append((address, path, asyncio.get_running_loop().time()))
        if path in DATES:
            return httpx.Response(200, content=DATES[path])
        reply = self.reply(address, cnpj, request.url.query.decode(), request.headers)
        try:
            await asyncio.sleep(reply.after)
            return await _response(reply)
        except asyncio.CancelledError:
            self.cancelled.append(provider)
            raise


async def _response(reply: Reply) -> httpx.Response:
    if reply.manner == "refused":
        raise httpx.ConnectError("refused")
    if reply.manner == "close":
        raise httpx.RemoteProtocolError("closed")
    if reply.manner == "silent":
        await asyncio.sleep(3600)
    body = _half(reply.body) if reply.manner == "half" else reply.body
    return httpx.Response(reply.status, content=body, headers=reply.headers)


async def _half(body: bytes) -> AsyncIterator[bytes]:
    yield body[: len(body) // 2]
    raise httpx.RemoteProtocolError("peer closed connection without sending complete message body")

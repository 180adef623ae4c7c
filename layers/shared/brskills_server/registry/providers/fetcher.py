"""HTTP calls to one provider: up to 2 MB, within its time-out, without redirects and compression."""

import asyncio
import re
import ssl
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from datetime import date
from functools import cached_property
from http.cookiejar import CookieJar
from types import MappingProxyType
from typing import cast

import httpx

from brskills_server.outbound.connection_trace import ConnectionTrace
from brskills_server.outbound.http_clients import HttpClients
from brskills_server.registry.errors import TokenUnavailable
from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.providers.reply import MALFORMED, Reply, interpret, parse_object
from brskills_server.registry.providers.results import AttemptResult, Failed, Rejected
from brskills_server.registry.values import InvalidResponse, read_date

MAX_BYTES = 2 * 1024 * 1024
_DUMP_DATE_SECONDS = 0.5  # a look-up waits for it, at most once in ten minutes
# No connection (TLS included), or no token: the same for any number.
_UNREACHABLE = (httpx.ConnectError, httpx.InvalidURL, httpx.UnsupportedProtocol, TokenUnavailable)
_FAILURES = (*_UNREACHABLE, httpx.HTTPError, TimeoutError, *MALFORMED)
# The server has dropped a kept-alive connection, as it does while the process is frozen.
_DROPPED = (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError)


class Fetcher:
    """Calls to providers.

    ``urls``: provider id → base address in place of the public ones. ``clock``: epoch seconds. ``tokens``:
    provider id → what reads the token of its paid address (it may block, and raise ``TokenUnavailable``).
    ``certificates``: ``None`` trusts the usual roots.
    """

    def __init__(
        self,
        urls: Mapping[str, str],
        user_agent: str,
        transport: httpx.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.time,
        tokens: Mapping[str, Callable[[], str]] = MappingProxyType({}),
        certificates: ssl.SSLContext | None = None,
    ) -> None:
        self._urls = urls
        self._tokens = tokens
        self._headers = {
            "User-Agent": user_agent,
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        }
        self._transport = transport
        self._clock = clock
        self._given_certificates = certificates
        self._clients = HttpClients(self._new_client)

    @cached_property
    def _certificates(self) -> ssl.SSLContext:
        # Read on first use: it takes time, and stored answers do not need it.
        return self._given_certificates or httpx.create_ssl_context(trust_env=False)

    def _new_client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            verify=self._certificates,
            headers=self._headers,
            timeout=httpx.Timeout(None),  # the time-out is for the whole call, see below
            trust_env=False,
            transport=self._transport,
            cookies=_NoCookies(),
        )

    async def fetch_company(
        self, provider: Provider, cnpj: str, max_data_age: int | None = None
    ) -> AttemptResult:
        """Return the result for a company; every exception becomes a ``Failed`` or a ``Rejected``.

        ``max_data_age``: days, for a paid address.
        """
        path = provider.path.format(cnpj=cnpj)
        try:
            async with asyncio.timeout(provider.timeout):
                if provider.paid:
                    path += provider.paid.query(max_data_age or 0)
                reply = await self._get(provider, path, await self._headers_for(provider))
            return interpret(provider, cnpj, reply, self._clock())
        except _UNREACHABLE:
            return Failed(provider)
        except MALFORMED:
            return Rejected(provider, unusable=True)
        except _FAILURES:
            return Rejected(provider)

    async def has_token(self, provider: Provider) -> bool:
        """Return whether the token of a paid address can be read, and sent in a header."""
        try:
            async with asyncio.timeout(provider.timeout):
                return re.fullmatch("[!-~]+", await self._token_of(provider)) is not None
        except (TokenUnavailable, TimeoutError):
            return False

    async def fetch_dump_date(self, provider: Provider) -> date | None:
        """Return the day of a dump's data; ``None`` if it is not available.

        An address that was put in the place of the public one says nothing of another public one's day.
        """
        dump = provider.dump
        if dump.dump_date is None or (provider.id in self._urls and dump.id not in self._urls):
            return None
        try:
            async with asyncio.timeout(_DUMP_DATE_SECONDS):
                reply = await self._get(dump, dump.dump_date.path)
            return read_date(parse_object(reply.body).get(dump.dump_date.field))
        except _FAILURES:
            return None

    async def close(self) -> None:
        """Close the connections."""
        await self._clients.close()

    async def _headers_for(self, provider: Provider) -> dict[str, str]:
        """Return the headers of a paid address. Its connections are not reused: no call is retried."""
        if provider.paid is None:
            return {}
        return {provider.paid.header: await self._token_of(provider), "Connection": "close"}

    async def _token_of(self, provider: Provider) -> str:
        return await asyncio.get_running_loop().run_in_executor(None, self._tokens[provider.id])

    async def _get(
        self, provider: Provider, path: str, headers: Mapping[str, str] = MappingProxyType({})
    ) -> Reply:
        url = self._urls.get(provider.id, provider.base_url).rstrip("/") + path
        trace = ConnectionTrace()
        async with self._clients.taken(provider.id) as client:
            request = client.build_request("GET", url, headers=headers, extensions={"trace": trace})
            try:
                response = await client.send(request, stream=True)
            except _DROPPED:
                if trace.opened or provider.paid:  # it could be paid for twice
                    raise
                response = await client.send(request, stream=True)
            async with aclosing(response):
                body = await _read_body(response)
        return Reply(response.status_code, response.headers.get("retry-after"), body)


class _NoCookies(CookieJar):
    """A jar without cookies, with which a provider could fill the memory and every later request."""

    def extract_cookies(self, response: object, request: object) -> None:
        """Ignore all cookies."""


async def _read_body(response: httpx.Response) -> bytes:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise InvalidResponse("compressed")
    body = bytearray()
    # httpx types its generators as iterators; one that is not read to its end must be closed.
    async with aclosing(cast("AsyncGenerator[bytes, None]", response.aiter_bytes())) as chunks:
        async for chunk in chunks:
            body += chunk
            if len(body) > MAX_BYTES:
                raise InvalidResponse("too long")
    return bytes(body)

"""Calls to one provider: up to 2 MB, within its time-out, without compression."""

import asyncio
import re
import time
from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType

import httpx

from brskills_server.outbound.fetcher import Fetcher, body_of
from brskills_server.registry.errors import TokenUnavailable
from brskills_server.registry.providers.provider import Provider
from brskills_server.registry.providers.reply import MALFORMED, Reply, interpret, parse_object
from brskills_server.registry.providers.results import AttemptResult, Failed, Rejected
from brskills_server.registry.values import InvalidResponse, read_date

MAX_BYTES = 2 * 1024 * 1024
MAX_CALLS = 100
"""At once, of all providers; the next one waits."""

MAX_KEPT = 20
"""Idle connections of one provider: those of two batches."""

_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity"}
_DUMP_DATE_SECONDS = 0.5  # a look-up waits for it, at most once in ten minutes
# No connection (TLS included), or no token: the same for any number.
_UNREACHABLE = (httpx.ConnectError, httpx.InvalidURL, httpx.UnsupportedProtocol, TokenUnavailable)
_FAILURES = (*_UNREACHABLE, httpx.HTTPError, TimeoutError, *MALFORMED)


class ProviderClient:
    """Calls to providers.

    ``urls``: provider id → base address in place of the public ones. ``clock``: epoch seconds. ``tokens``:
    provider id → what reads the token of its paid address (it may block, and raise ``TokenUnavailable``).
    """

    def __init__(
        self,
        urls: Mapping[str, str],
        fetcher: Fetcher,
        clock: Callable[[], float] = time.time,
        tokens: Mapping[str, Callable[[], str]] = MappingProxyType({}),
    ) -> None:
        self._urls = urls
        self._fetcher = fetcher
        self._clock = clock
        self._tokens = tokens
        self._places = asyncio.Semaphore(MAX_CALLS)

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
        await self._fetcher.drop()

    async def _headers_for(self, provider: Provider) -> dict[str, str]:
        """Return the headers of a paid address. Each has its own connection: no call is repeated."""
        if provider.paid is None:
            return {}
        return {provider.paid.header: await self._token_of(provider), "Connection": "close"}

    async def _token_of(self, provider: Provider) -> str:
        return await asyncio.get_running_loop().run_in_executor(None, self._tokens[provider.id])

    async def _get(
        self, provider: Provider, path: str, headers: Mapping[str, str] = MappingProxyType({})
    ) -> Reply:
        url = self._urls.get(provider.id, provider.base_url).rstrip("/") + path
        request = httpx.Request("GET", url, headers={**_HEADERS, **headers})
        async with self._places, self._fetcher.send(request, MAX_BYTES) as response:
            if response.headers.get("content-encoding", "identity") != "identity":
                raise InvalidResponse("compressed")
            body = await body_of(response)
            return Reply(response.status_code, response.headers.get("retry-after"), body)

"""Asking one provider over HTTP, and believing only what makes sense.

An answer is read up to 2 MB, in the provider's time, from its own host (a redirect is a failure), as
plain bytes (a compressed one could swell without bound), and must be strict JSON. The meaning counts,
not the status: a 200 must hold a record of the very company, a 404 a JSON object of the provider's.
"""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, suppress
from datetime import UTC, date
from decimal import Decimal
from email.utils import parsedate_to_datetime
from functools import cached_property
from http import HTTPStatus
from typing import Any, cast

import httpx

from registry.outcome import LONGEST_REST, Failed, Found, Missing, Outcome, Skipped
from registry.providers import Provider
from registry.values import Garbage

__all__ = ["MAX_BYTES", "Fetcher"]

MAX_BYTES = 2 * 1024 * 1024
_DATE_TIMEOUT = 0.5  # a look-up waits for it, at most once in ten minutes
_DEFAULT_REST = 60  # after a 429 that names no time: the quotas are per minute
# What a hostile answer can make the JSON reader or a provider module raise.
_NONSENSE = (ValueError, ArithmeticError, RecursionError, TypeError, LookupError, AttributeError)
# The server has dropped a kept-alive connection, as after the process was frozen for a while.
_DROPPED = (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError)


class Fetcher:
    """Providers over one pool of connections.

    ``urls``: provider id → scheme, host and port in place of the public ones. ``clock``: epoch seconds.
    """

    def __init__(
        self,
        urls: Mapping[str, str],
        user_agent: str,
        transport: httpx.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._urls = urls
        self._headers = {
            "User-Agent": user_agent,
            "Accept": "application/json",
            "Accept-Encoding": "identity",
        }
        self._transport = transport
        self._clock = clock

    @cached_property
    def _client(self) -> httpx.AsyncClient:
        # Made when first needed: certificates take tens of milliseconds that stored answers can do without.
        return httpx.AsyncClient(
            headers=self._headers,
            timeout=httpx.Timeout(None),  # one time-out for the whole call is enough, see company()
            trust_env=False,
            transport=self._transport,
        )

    async def company(self, provider: Provider, cnpj: str) -> Outcome:
        """Ask for a company; whatever goes wrong is an outcome, never an error."""
        try:
            async with asyncio.timeout(provider.timeout):
                response, body = await self._get(provider, provider.path.format(cnpj=cnpj))
            return self._judge(provider, cnpj, response, body)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, *_NONSENSE):
            return Failed(provider)

    async def data_date(self, provider: Provider) -> date | None:
        """The day of a dump's data; ``None`` where it is not to be had."""
        if provider.data_date is None:
            return None
        try:
            async with asyncio.timeout(_DATE_TIMEOUT):
                _, body = await self._get(provider, provider.data_date.path)
            return provider.data_date.read(_object(body))
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, *_NONSENSE):
            return None

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _get(self, provider: Provider, path: str) -> tuple[httpx.Response, bytes]:
        url = self._urls.get(provider.id, provider.base).rstrip("/") + path
        fresh = False

        async def watch(event: str, _: object) -> None:
            nonlocal fresh
            fresh = fresh or event == "connection.connect_tcp.started"

        request = self._client.build_request("GET", url, extensions={"trace": watch})
        try:
            response = await self._client.send(request, stream=True)
        except _DROPPED:
            if fresh:
                raise
            response = await self._client.send(request, stream=True)
        async with aclosing(response):
            return response, await _read(response)

    def _judge(self, provider: Provider, cnpj: str, response: httpx.Response, body: bytes) -> Outcome:
        status = response.status_code
        if status in {HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY}:
            return Skipped(provider)  # our check digits are right: it does not know letters yet
        if status not in {HTTPStatus.OK, HTTPStatus.NOT_FOUND}:
            return Failed(provider, self._rest(status, response.headers.get("retry-after")))
        answer = _object(body)
        if provider.denies(status, answer):
            return Missing(provider)
        if status != HTTPStatus.OK:
            return Failed(provider)
        record = provider.read(answer)
        if record.cnpj != cnpj:
            raise Garbage("another company")
        return Found(provider, record)

    def _rest(self, status: int, header: str | None) -> int | None:
        """Seconds to leave the provider alone: Retry-After as seconds or as a date (RFC 9110, 10.2.3)."""
        seconds: float | None = _DEFAULT_REST if status == HTTPStatus.TOO_MANY_REQUESTS else None
        if header:
            with suppress(ValueError):
                seconds = int(header) if header.isdecimal() else self._until(header)
        return None if seconds is None else int(min(max(seconds, 1), LONGEST_REST))

    def _until(self, header: str) -> float:
        moment = parsedate_to_datetime(header)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - self._clock()


async def _read(response: httpx.Response) -> bytes:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise Garbage("compressed unasked")
    body = bytearray()
    # httpx types its generators as mere iterators; one given up must be closed, not forgotten.
    async with aclosing(cast("AsyncGenerator[bytes, None]", response.aiter_bytes())) as chunks:
        async for chunk in chunks:
            body += chunk
            if len(body) > MAX_BYTES:
                raise Garbage("too long")
    return bytes(body)


def _object(body: bytes) -> dict[str, Any]:
    answer = json.loads(body, parse_float=Decimal, parse_constant=_refuse)
    if not isinstance(answer, dict):
        raise Garbage("no object")
    return answer


def _refuse(name: str) -> None:
    raise Garbage(name)

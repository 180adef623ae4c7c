"""Asking one provider over HTTP, and checking what it answers.

A response is read up to 2 MB, within the provider's time-out, from its own host (a redirect is a
failure), uncompressed (a compressed one could expand without limit), and must be strict JSON. Its
meaning counts, not its status: a 200 must hold a record of the company asked for, a 404 a JSON object.
A token goes out in its header, to the paid address that it is for, and nowhere else.
"""

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, suppress
from datetime import UTC, date
from decimal import Decimal
from email.utils import parsedate_to_datetime
from functools import cached_property
from http import HTTPStatus
from http.cookiejar import CookieJar
from types import MappingProxyType
from typing import Any, cast

import httpx

from registry.attempt import MAX_RETRY_AFTER, AttemptResult, Failed, Found, Missing, Skipped
from registry.errors import TokenUnavailable
from registry.providers import Provider
from registry.providers.reader import read_record
from registry.values import InvalidResponse, read_date

__all__ = ["MAX_BYTES", "Fetcher"]

MAX_BYTES = 2 * 1024 * 1024
_DUMP_DATE_SECONDS = 0.5  # a look-up waits for it, at most once in ten minutes
_DEFAULT_RETRY_AFTER = 60  # after a 429 that names no time: the quotas are per minute
# A paid address refuses the token or the account: asking on would only use up the day's calls.
_REFUSALS = {HTTPStatus.UNAUTHORIZED, HTTPStatus.PAYMENT_REQUIRED, HTTPStatus.FORBIDDEN}
_REFUSED_RETRY_AFTER = 600
# What a malformed response can make the JSON parser or a provider's reader raise.
_MALFORMED = (ValueError, ArithmeticError, RecursionError, TypeError, LookupError, AttributeError)
_FAILURES = (httpx.HTTPError, httpx.InvalidURL, TimeoutError, TokenUnavailable, *_MALFORMED)
# The server has dropped a kept-alive connection, as it does while the process is frozen.
_DROPPED = (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError)


class Fetcher:
    """Calls to providers over one pool of connections.

    ``urls``: provider id → base address in place of the public ones. ``clock``: epoch seconds. ``tokens``:
    provider id → what reads the token of its paid address (it may block, and raise ``TokenUnavailable``).
    """

    def __init__(
        self,
        urls: Mapping[str, str],
        user_agent: str,
        transport: httpx.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.time,
        tokens: Mapping[str, Callable[[], str]] = MappingProxyType({}),
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

    @cached_property
    def _client(self) -> httpx.AsyncClient:
        # Created on first use: loading certificates takes time, and stored answers do not need it.
        return httpx.AsyncClient(
            headers=self._headers,
            timeout=httpx.Timeout(None),  # the time-out is for the whole call, see below
            trust_env=False,
            transport=self._transport,
            cookies=_NoCookies(),
        )

    async def fetch_company(
        self, provider: Provider, cnpj: str, max_data_age: int | None = None
    ) -> AttemptResult:
        """Ask for a company; whatever goes wrong is a ``Failed``, never an exception.

        ``max_data_age``: days, for a paid address.
        """
        path = provider.path.format(cnpj=cnpj)
        try:
            async with asyncio.timeout(provider.timeout):
                if provider.paid:
                    path += provider.paid.query(max_data_age or 0)
                response, body = await self._get(provider, path, await self._headers_for(provider))
            return self._interpret(provider, cnpj, response, body)
        except _FAILURES:
            return Failed(provider)

    async def has_token(self, provider: Provider) -> bool:
        """Whether the token of a paid address can be read, and sent in a header."""
        try:
            async with asyncio.timeout(provider.timeout):
                return re.fullmatch("[!-~]+", await self._token_of(provider)) is not None
        except (TokenUnavailable, TimeoutError):
            return False

    async def fetch_dump_date(self, provider: Provider) -> date | None:
        """The day of a dump's data; ``None`` if the provider does not tell it."""
        if provider.dump_date is None:
            return None
        try:
            async with asyncio.timeout(_DUMP_DATE_SECONDS):
                _, body = await self._get(provider, provider.dump_date.path)
            return read_date(_parse_object(body).get(provider.dump_date.field))
        except _FAILURES:
            return None

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _headers_for(self, provider: Provider) -> dict[str, str]:
        """What only a paid address is sent. Its connections are not kept: its calls are not repeated."""
        if provider.paid is None:
            return {}
        return {provider.paid.header: await self._token_of(provider), "Connection": "close"}

    async def _token_of(self, provider: Provider) -> str:
        return await asyncio.get_running_loop().run_in_executor(None, self._tokens[provider.id])

    async def _get(
        self, provider: Provider, path: str, headers: Mapping[str, str] = MappingProxyType({})
    ) -> tuple[httpx.Response, bytes]:
        url = self._urls.get(provider.id, provider.base_url).rstrip("/") + path
        fresh = False

        async def watch(event: str, _: object) -> None:
            nonlocal fresh
            fresh = fresh or event == "connection.connect_tcp.started"

        request = self._client.build_request("GET", url, headers=headers, extensions={"trace": watch})
        try:
            response = await self._client.send(request, stream=True)
        except _DROPPED:
            if fresh or provider.paid:  # it could be paid for twice
                raise
            response = await self._client.send(request, stream=True)
        async with aclosing(response):
            return response, await _read_body(response)

    def _interpret(
        self, provider: Provider, cnpj: str, response: httpx.Response, body: bytes
    ) -> AttemptResult:
        status = response.status_code
        if status in {HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY}:
            return Skipped(provider)  # the number is valid: this provider does not accept letters yet
        if status not in {HTTPStatus.OK, HTTPStatus.NOT_FOUND}:
            rest = self._retry_after(status, response.headers.get("retry-after"))
            is_refused = provider.paid and status in _REFUSALS
            return Failed(provider, max(rest or 0, _REFUSED_RETRY_AFTER) if is_refused else rest)
        answer = _parse_object(body)
        if provider.says_missing(status, answer):
            return Missing(provider)
        if status != HTTPStatus.OK:
            return Failed(provider)
        record = read_record(provider, answer)
        if record.cnpj != cnpj:
            raise InvalidResponse("another company")
        return Found(provider, record)

    def _retry_after(self, status: int, header: str | None) -> int | None:
        """Seconds not to call the provider: Retry-After as seconds or as a date (RFC 9110, 10.2.3)."""
        seconds: float | None = _DEFAULT_RETRY_AFTER if status == HTTPStatus.TOO_MANY_REQUESTS else None
        if header:
            with suppress(ValueError):
                seconds = int(header) if header.isdecimal() else self._seconds_until(header)
        return None if seconds is None else int(min(max(seconds, 1), MAX_RETRY_AFTER))

    def _seconds_until(self, header: str) -> float:
        moment = parsedate_to_datetime(header)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - self._clock()


class _NoCookies(CookieJar):
    """Keeps none: a provider could fill the memory and every later request with them."""

    def extract_cookies(self, response: object, request: object) -> None:
        """Nothing."""


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


def _parse_object(body: bytes) -> dict[str, Any]:
    text = body.decode("utf-8-sig")
    answer = json.loads(text, parse_float=Decimal, parse_constant=_refuse)
    if "\\ud" in text.lower():
        # Half a surrogate pair, which JSON can escape, could be neither stored nor sent: UnicodeEncodeError.
        json.dumps(answer, ensure_ascii=False, default=str).encode()
    if not isinstance(answer, dict):
        raise InvalidResponse("not an object")
    return answer


def _refuse(constant: str) -> None:
    raise InvalidResponse(constant)  # NaN and Infinity are not JSON

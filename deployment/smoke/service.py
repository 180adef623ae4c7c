"""Requests to the service under test, each with a deadline, and what may be printed of its replies."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

_MAX_BYTES = 2_000_000
_CODE, _REQUEST_ID, _MEDIA_TYPE = map(
    re.compile, ("[a-z_]{1,40}", "[A-Za-z0-9=-]{1,64}", "[a-z0-9.+/-]{1,60}")
)


class Unreachable(Exception):
    """A request without a complete answer; the message names the cause."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete answer."""

    status: int
    headers: httpx.Headers
    content: bytes

    @property
    def body(self) -> dict[str, Any]:
        """Return the JSON object, or an empty one."""
        try:
            parsed = json.loads(self.content)
        except ValueError:
            return {}
        return parsed if isinstance(parsed, dict) else {}

    @property
    def media_type(self) -> str:
        """Return the media type, without parameters."""
        return _matching(_MEDIA_TYPE, self.headers.get("content-type", "").split(";")[0])

    @property
    def code(self) -> str:
        """Return the problem's code, or nothing."""
        return _matching(_CODE, self.body.get("code"))

    def __str__(self) -> str:
        """Return status, problem code or media type, and request id, without anything else of the body."""
        request_id = _matching(_REQUEST_ID, self.headers.get("x-request-id"))
        named = f"{self.status} {self.code or self.media_type}".strip()
        return f"{named}, request_id {request_id}" if request_id else named


class Service:
    """A client of the service at ``base``. It sends its ``key``, if any, and counts its ``requests``."""

    def __init__(self, base: str, seconds: float) -> None:
        self._base, self._seconds = base, seconds
        self._runner = asyncio.Runner()
        self._http = httpx.AsyncClient(timeout=None)  # noqa: S113, each request has a deadline
        self.key = ""
        self.requests = 0

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._http.aclose())
        self._runner.close()

    def call(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> Reply:
        """Return the reply to one request, with the key if there is one. Raise ``Unreachable``."""
        self.requests += 1
        sent = {**(headers or {}), **({"X-API-Key": self.key} if self.key else {})}
        request = self._http.build_request(method, self._base + path, json=body, headers=sent)
        try:
            return self._runner.run(self._fetch(request))
        except TimeoutError as error:
            raise Unreachable(f"no complete answer within {self._seconds:g} s") from error
        except httpx.HTTPError as error:
            raise Unreachable(_explain(error)) from error

    async def _fetch(self, request: httpx.Request) -> Reply:
        """Raise ``TimeoutError`` at the deadline, which a server that trickles cannot extend."""
        content = b""
        async with asyncio.timeout(self._seconds):
            answer = await self._http.send(request, stream=True)
            try:
                async for chunk in answer.aiter_bytes():
                    content += chunk
                    if len(content) > _MAX_BYTES:
                        raise Unreachable(f"an answer of more than {_MAX_BYTES:,} bytes")
            finally:
                await answer.aclose()
        return Reply(answer.status_code, answer.headers, content)


def _explain(error: BaseException) -> str:
    """Return the cause of a request without an answer, in words that a person can act on."""
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"a TLS certificate that is not valid here: {cause.verify_message}"
        if isinstance(cause, ssl.SSLError):
            return f"a TLS error: {cause.reason or 'the handshake failed'}"
        if isinstance(cause, socket.gaierror):
            return "a host name that DNS does not resolve"
        if isinstance(cause, ConnectionRefusedError):
            return "a refused connection: nothing listens at this host and port"
    return f"no HTTP answer ({type(error).__name__})"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):  # one for each address of a name
            yield from error.exceptions
        error = error.__cause__ or error.__context__


def _matching(pattern: re.Pattern[str], value: object) -> str:
    """Return a value of this form, or nothing: a reply may repeat the key anywhere."""
    return value if isinstance(value, str) and pattern.fullmatch(value) else ""

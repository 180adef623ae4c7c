"""Fetch a document from an address that a stranger chose.

The name is resolved once, and only the address that was checked is connected to: https, port 443, no
redirect, no cookie, no proxy of the environment. Sizes are limited while reading and decompressing.
"""

import ssl
import zlib
from collections.abc import Coroutine
from contextlib import aclosing, suppress
from functools import cached_property
from http.cookiejar import CookieJar
from typing import Any, NamedTuple, TypeVar

import httpx

from brskills_server.outbound.connection_trace import ConnectionTrace
from brskills_server.outbound.loop_thread import LoopThread
from brskills_server.outbound.public_network import Forbidden, Network

MAX_ADDRESSES = 3
FAILURES = (httpx.HTTPError, httpx.InvalidURL, OSError, TimeoutError, UnicodeError, Forbidden)
"""What ``Fetcher.get`` raises without a response, with ``TooLarge`` and ``Unreadable``."""

T = TypeVar("T")


class TooLarge(Exception):
    """A response of more bytes than asked for."""


class Unreadable(Exception):
    """A response in a coding that is not read."""


class Reply(NamedTuple):
    """A response: ``media_type`` in lower case, without parameters; ``certificate``: the host's, in DER."""

    status: int
    media_type: str
    body: bytes
    certificate: bytes | None = None


class Fetcher:
    """Requests in a background event loop, one connection each."""

    def __init__(self, user_agent: str, network: Network | None = None) -> None:
        self._user_agent = user_agent
        self._network = network or Network()
        self._loop = LoopThread(_close_nothing)

    @cached_property
    def _certificates(self) -> ssl.SSLContext:
        return self._network.certificates or httpx.create_ssl_context(trust_env=False)

    def run(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Return what work in the event loop returns. Raise ``TimeoutError`` and cancel it."""
        return self._loop.run(work, seconds)

    def close(self) -> None:
        """Cancel what is under way."""
        self._loop.close()

    async def get(self, address: str, accept: str, most: int) -> Reply:
        """Return the response of an https address, of up to ``most`` bytes. Raise as ``FAILURES`` says."""
        url = httpx.URL(address)
        *others, last = (await self._network.addresses_of(host_of(url)))[:MAX_ADDRESSES]
        for place in others:  # of IPv4 and IPv6, one may be unreachable from here
            with suppress(httpx.ConnectError):
                return await self._get(url, place, accept, most)
        return await self._get(url, last, accept, most)

    async def _get(self, url: httpx.URL, place: tuple[str, int], accept: str, most: int) -> Reply:
        # One client a document, so that nothing of one site is shared with the next.
        async with httpx.AsyncClient(
            verify=self._certificates,
            trust_env=False,
            timeout=httpx.Timeout(None),  # limited as a whole by the caller
            cookies=_NoCookies(),
        ) as http:
            request = http.build_request(
                "GET",
                url.copy_with(host=place[0], port=place[1]),
                headers={
                    "Host": host_of(url),
                    "User-Agent": self._user_agent,
                    "Accept": accept,
                    "Accept-Encoding": "identity",
                },
                extensions={
                    "sni_hostname": host_of(url),  # the certificate is verified for it
                    "trace": ConnectionTrace(),
                },
            )
            response = await http.send(request, stream=True, follow_redirects=False)
            async with aclosing(response):
                media_type = response.headers.get("content-type", "").split(";")[0].strip().lower()
                secure = response.extensions["network_stream"].get_extra_info("ssl_object")
                presented = secure.getpeercert(binary_form=True)
                return Reply(response.status_code, media_type, await _read(response, most), presented)


def host_of(url: httpx.URL) -> str:
    """Return the host as written.

    httpx would decode an internationalised name, and the resolver, which follows IDNA 2003, would turn
    straße.example into strasse.example, another host.
    """
    return url.raw_host.decode()


async def _read(response: httpx.Response, most: int) -> bytes:
    """Return the body, decompressed where the server sent gzip without being asked to."""
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in {"identity", "gzip", ""}:
        raise Unreadable
    inflated = zlib.decompressobj(31) if coding == "gzip" else None
    body, received = bytearray(), 0
    async for chunk in response.aiter_raw():
        received += len(chunk)  # what inflates to nothing, or follows the end of gzip, has a limit too
        try:
            body += inflated.decompress(chunk, most + 1 - len(body)) if inflated else chunk
        except zlib.error as error:
            raise Unreadable from error
        if max(len(body), received) > most:
            raise TooLarge
    if inflated and not inflated.eof:
        raise Unreadable
    return bytes(body)


async def _close_nothing() -> None:
    """Do nothing: no connection outlives its document."""


class _NoCookies(CookieJar):
    """A jar that stays empty."""

    def extract_cookies(self, response: object, request: object) -> None:
        """Ignore the cookies of a response."""

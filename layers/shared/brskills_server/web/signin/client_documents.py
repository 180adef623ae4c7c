"""Fetch client ID metadata documents (CIMD): JSON at the address that is the client's id.

Strangers choose the address, so the name is resolved once, and only a public address is connected to.
"""

import asyncio
from collections.abc import Callable
from contextlib import aclosing, suppress
from http.cookiejar import CookieJar
from threading import Semaphore

import httpx

from brskills_server.accounts.grant import Client
from brskills_server.registry.lookup.loop_thread import LoopThread
from brskills_server.skills.errors import ApiError
from brskills_server.web.body import parse_json
from brskills_server.web.signin.client_lookup import Busy, is_document_address
from brskills_server.web.signin.public_network import Forbidden, Network
from brskills_server.web.signin.registration import InvalidMetadata, read_metadata

SECONDS = 5.0
MAX_BYTES = 64 * 1024
MAX_ADDRESSES = 3
MAX_CONCURRENT = 8
"""In one process: the same threads issue tokens, and must not wait for third parties."""

_ERRORS = (httpx.HTTPError, httpx.InvalidURL, OSError, TimeoutError, UnicodeError)


class _NotADocument(Exception):
    """A response that is not a document."""


class ClientDocuments:
    """Fetcher of documents, one connection each. ``clock``: Unix seconds."""

    def __init__(self, user_agent: str, clock: Callable[[], float], network: Network | None = None) -> None:
        self._user_agent = user_agent
        self._clock = clock
        self._network = network or Network()
        self._loop = LoopThread(_close_nothing)
        self._slots = Semaphore(MAX_CONCURRENT)

    def client(self, address: str) -> Client | None:
        """Return the client of a document, or ``None`` if there is no valid one. Raise ``Busy``."""
        if not is_document_address(address):
            return None
        if not self._slots.acquire(blocking=False):
            raise Busy
        try:
            content = parse_json(self._loop.run(self._fetch(address), SECONDS + 1))
            if not isinstance(content, dict) or content.get("client_id") != address:
                return None
            metadata = read_metadata(content)
        except (*_ERRORS, Forbidden, _NotADocument, ApiError, InvalidMetadata):
            return None
        finally:
            self._slots.release()
        redirect_uris = tuple(metadata.redirect_uris)
        return Client(address, metadata.name, redirect_uris, int(self._clock()), metadata.client_uri)

    def close(self) -> None:
        """Cancel fetches."""
        self._loop.close()

    async def _fetch(self, address: str) -> bytes:
        async with asyncio.timeout(SECONDS):
            url = httpx.URL(address)
            *others, last = (await self._network.addresses_of(_host_of(url)))[:MAX_ADDRESSES]
            for ip_address in others:  # of IPv4 and IPv6, one may be unreachable from here
                with suppress(httpx.ConnectError):
                    return await self._get(url, ip_address)
            return await self._get(url, last)

    async def _get(self, url: httpx.URL, ip_address: str) -> bytes:
        # One client a document, so that nothing of one site is shared with the next.
        async with httpx.AsyncClient(
            verify=self._network.certificates or True,
            trust_env=False,
            timeout=httpx.Timeout(None),  # limited as a whole by the caller
            cookies=_NoCookies(),
        ) as http:
            request = http.build_request(
                "GET",
                url.copy_with(host=ip_address, port=self._network.port),
                headers={
                    "Host": _host_of(url),
                    "User-Agent": self._user_agent,
                    "Accept": "application/json",
                    "Accept-Encoding": "identity",
                },
                extensions={"sni_hostname": _host_of(url)},  # the certificate is verified for it
            )
            response = await http.send(request, stream=True, follow_redirects=False)
            async with aclosing(response):
                return await _read(response)


def _host_of(url: httpx.URL) -> str:
    # As written: httpx would decode an internationalised name, and the resolver, which follows IDNA 2003,
    # would turn straße.example into strasse.example, another host.
    return url.raw_host.decode()


async def _read(response: httpx.Response) -> bytes:
    media_type = response.headers.get("content-type", "").split(";")[0].strip().lower()
    is_json = media_type == "application/json" or media_type.endswith("+json")
    if response.status_code != 200 or not is_json or "content-encoding" in response.headers:
        raise _NotADocument
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > MAX_BYTES:
            raise _NotADocument
    return bytes(body)


async def _close_nothing() -> None:
    """Do nothing: no connection outlives its document."""


class _NoCookies(CookieJar):
    """A jar that stays empty."""

    def extract_cookies(self, response: object, request: object) -> None:
        """Ignore the cookies of a response."""

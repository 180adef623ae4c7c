"""Clients that introduce themselves by a document at the address that is their id (CIMD).

We fetch what a stranger names, so much is refused: anything but ``https`` at its own port, hosts that lead
into a network behind us, redirects, what comes slowly, what is long. The name is resolved once and the
address that was checked is the one that is connected to, whatever the name means a moment later.
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
from brskills_server.web.signin.addresses import Forbidden, Network
from brskills_server.web.signin.introductions import Busy, is_address
from brskills_server.web.signin.registration import InvalidMetadata, read_metadata

__all__ = ["AT_ONCE", "MAX_BYTES", "SECONDS", "Documents"]

SECONDS = 5.0
MAX_BYTES = 64 * 1024
MOST_TRIED = 3
AT_ONCE = 8
"""In one process: tokens are given by the same threads, and must not wait for strangers."""

_FAILURES = (httpx.HTTPError, httpx.InvalidURL, OSError, TimeoutError, UnicodeError)


class Unreadable(Exception):
    """An answer that is not a document."""


class Documents:
    """Fetches documents, one connection each. ``clock``: epoch seconds."""

    def __init__(self, user_agent: str, clock: Callable[[], float], network: Network | None = None) -> None:
        self._user_agent = user_agent
        self._clock = clock
        self._network = network or Network()
        self._loop = LoopThread(_nothing)
        self._room = Semaphore(AT_ONCE)

    def client(self, address: str) -> Client | None:
        """The client that a document introduces; ``None`` where there is none that could be taken.

        Raises ``Busy`` where ``AT_ONCE`` are being read.
        """
        if not is_address(address):
            return None
        if not self._room.acquire(blocking=False):
            raise Busy
        try:
            body = self._loop.run(self._fetch(address), SECONDS + 1)
            content = parse_json(body)
            if not isinstance(content, dict) or content.get("client_id") != address:
                return None
            said = read_metadata(content)
        except (*_FAILURES, Forbidden, Unreadable, ApiError, InvalidMetadata):
            return None
        finally:
            self._room.release()
        return Client(address, said.name, tuple(said.redirect_uris), int(self._clock()), said.client_uri)

    def close(self) -> None:
        """End what is under way."""
        self._loop.close()

    async def _fetch(self, address: str) -> bytes:
        async with asyncio.timeout(SECONDS):
            named = httpx.URL(address)
            *others, last = (await self._network.addresses_of(_host_of(named)))[:MOST_TRIED]
            for number in others:  # where a name has addresses of both kinds, one may be out of our reach
                with suppress(httpx.ConnectError):
                    return await self._get(named, number)
            return await self._get(named, last)

    async def _get(self, named: httpx.URL, number: str) -> bytes:
        """What lies at an address, asked of the machine with that number."""
        # One client a document: nothing of one site, not even a connection, is there for the next.
        async with httpx.AsyncClient(
            verify=self._network.certificates or True,
            trust_env=False,
            timeout=httpx.Timeout(None),  # the time-out is for all of it
            cookies=_NoCookies(),
        ) as http:
            request = http.build_request(
                "GET",
                named.copy_with(host=number, port=self._network.port),
                headers={
                    "Host": _host_of(named),
                    "User-Agent": self._user_agent,
                    "Accept": "application/json",
                    "Accept-Encoding": "identity",
                },
                extensions={"sni_hostname": _host_of(named)},  # so the certificate is held to it
            )
            response = await http.send(request, stream=True, follow_redirects=False)
            async with aclosing(response):
                return await _read(response)


def _host_of(named: httpx.URL) -> str:
    # As it is written: httpx would decode a name of other letters, and the resolver, which knows only the
    # older rules for these, make of straße.example strasse.example, which is somebody else's.
    return named.raw_host.decode()


async def _read(response: httpx.Response) -> bytes:
    media_type = response.headers.get("content-type", "").split(";")[0].strip().lower()
    is_json = media_type == "application/json" or media_type.endswith("+json")
    if response.status_code != 200 or not is_json or "content-encoding" in response.headers:
        raise Unreadable
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > MAX_BYTES:
            raise Unreadable
    return bytes(body)


async def _nothing() -> None:
    """No connection outlives its document."""


class _NoCookies(CookieJar):
    """Keeps none."""

    def extract_cookies(self, response: object, request: object) -> None:
        """Nothing."""

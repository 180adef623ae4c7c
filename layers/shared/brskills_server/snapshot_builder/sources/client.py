"""HTTP with a share: listings and files, from its own host, with all that a server may do named.

Answers are taken uncompressed, cookies are not kept (a Nextcloud answers the requests of one session one
after the other), and a redirect is followed only within the same scheme, host and port.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import partial
from http import HTTPStatus

import httpx

from brskills_server.snapshot_builder.errors import SnapshotError, TransientError
from brskills_server.snapshot_builder.sources.address import Address
from brskills_server.snapshot_builder.sources.listing import ASKED, Folder, read_listing
from brskills_server.snapshot_builder.sources.retry_policy import RetryPolicy

__all__ = ["Client"]

LISTING_BYTES = 4 * 1024 * 1024
_REDIRECTS = 5
_FOLLOWED = {301, 302, 307, 308}
_PASSING = {408, 423, 425, 429, *range(500, 600)}
_HEADERS = {
    "Accept-Encoding": "identity",
    # Without it, a Nextcloud that does not share with other servers answers 401 at public.php/webdav.
    "X-Requested-With": "XMLHttpRequest",
}


class Client:
    """Requests to one share, each over a connection of its own.

    A pool of connections would lose one for good where a request is cancelled at the wrong moment, and with
    the second lost everything would wait forever; a month needs some fifty requests.
    """

    def __init__(self, address: Address, retry_policy: RetryPolicy, user_agent: str) -> None:
        self._url = address.url
        self._patience = retry_policy
        self._open = partial(
            httpx.AsyncClient,
            auth=address.user,
            headers=_HEADERS | {"User-Agent": user_agent},
            timeout=httpx.Timeout(retry_policy.silence, connect=retry_policy.connect),
            verify=httpx.create_ssl_context(trust_env=False),
            trust_env=False,
        )

    async def list(self, folder: str = "") -> Folder:
        """What is in the share's folder, or in one in it (``2026-10/``)."""
        body = bytearray()
        try:
            async with (
                asyncio.timeout(self._patience.listing),
                self._answer(
                    "PROPFIND", folder, {"Depth": "1", "Content-Type": "application/xml"}, ASKED
                ) as answer,
            ):
                _check_listing(answer.status_code)
                async for chunk in answer.aiter_raw():
                    body += chunk
                    if len(body) > LISTING_BYTES:
                        raise SnapshotError(f"the listing is longer than {LISTING_BYTES} bytes")
        except TimeoutError:
            raise TransientError(f"the listing was not whole after {self._patience.listing:g} s") from None
        return read_listing(bytes(body))

    @asynccontextmanager
    async def get(self, path: str, headers: Mapping[str, str]) -> AsyncIterator[httpx.Response]:
        """A file's answer, to be read within the ``async with``; its status is the caller's to judge."""
        async with self._answer("GET", path, headers) as answer:
            yield answer

    @asynccontextmanager
    async def _answer(
        self, method: str, path: str, headers: Mapping[str, str], content: bytes | None = None
    ) -> AsyncIterator[httpx.Response]:
        url = self._url.join(path)
        for _ in range(_REDIRECTS + 1):
            with _failures_named(self._patience):
                async with self._open() as http, _sent(http, method, url, headers, content) as answer:
                    if answer.status_code not in _FOLLOWED:
                        self._check(answer)
                        yield answer
                        return
                    url = _target(url, answer)
        raise SnapshotError("redirects without end")

    def _check(self, answer: httpx.Response) -> None:
        status = answer.status_code
        if status in _PASSING:
            asked = _seconds_asked(answer.headers.get("retry-after", ""))
            if asked > self._patience.longest_asked:
                raise SnapshotError(f"answers {status} and asks to wait {asked:.0f} s")
            raise TransientError(f"answers {status}", asked)
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            raise SnapshotError(f"refuses ({status}): the token or password is missing or not right")
        if answer.headers.get("content-encoding", "identity") != "identity":
            raise SnapshotError("answers compressed, which was not asked for")


@asynccontextmanager
async def _sent(
    http: httpx.AsyncClient, method: str, url: httpx.URL, headers: Mapping[str, str], content: bytes | None
) -> AsyncIterator[httpx.Response]:
    request = http.build_request(method, url, headers=headers, content=content)
    try:
        answer = await http.send(request, stream=True)
    except (httpx.InvalidURL, UnicodeError):
        raise SnapshotError("redirects to an address that is not valid") from None
    async with aclosing(answer):
        yield answer


def _check_listing(status: int) -> None:
    if status == HTTPStatus.NOT_FOUND:
        raise SnapshotError("no share or folder is at this address (404)")
    if status != HTTPStatus.MULTI_STATUS:
        raise SnapshotError(f"answers {status} and not a WebDAV listing (207)")


@contextmanager
def _failures_named(retry_policy: RetryPolicy) -> Iterator[None]:
    try:
        yield
    except httpx.ConnectTimeout:
        raise TransientError(f"no connection within {retry_policy.connect:g} s") from None
    except httpx.ConnectError as error:
        raise TransientError(f"no connection: {error}") from None
    except httpx.TimeoutException:
        raise TransientError(f"not a byte for {retry_policy.silence:g} s") from None
    except httpx.HTTPError:
        raise TransientError("the connection broke off, or it is not HTTP") from None


def _target(url: httpx.URL, answer: httpx.Response) -> httpx.URL:
    """Where a redirect leads, without the user info that it may hold."""
    if answer.next_request is None:
        raise SnapshotError("redirects without saying where to")
    target = answer.next_request.url
    if (target.scheme, target.host, target.port) != (url.scheme, url.host, url.port):
        raise SnapshotError("redirects elsewhere; only its own scheme, host and port are followed")
    return url.copy_with(raw_path=target.raw_path)


def _seconds_asked(header: str) -> float:
    """Retry-After as seconds or as a date (RFC 9110, 10.2.3); 0 if it is neither."""
    if header.isascii() and header.isdecimal():
        return float(header)
    with suppress(ValueError):
        moment = parsedate_to_datetime(header)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - time.time()
    return 0

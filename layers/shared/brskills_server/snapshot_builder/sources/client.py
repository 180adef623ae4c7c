"""HTTP requests to one share, for listings and files.

Answers are requested uncompressed, no cookie is sent (a Nextcloud answers the requests of one session one
at a time), and redirects are followed only within the same scheme, host and port.
"""

import asyncio
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import httpx

from brskills_server.outbound.fetcher import Fetcher
from brskills_server.outbound.public_network import Named
from brskills_server.outbound.wire import TooLarge
from brskills_server.snapshot_builder.errors import SnapshotError, TransientError
from brskills_server.snapshot_builder.sources.address import Address
from brskills_server.snapshot_builder.sources.listing import PROPFIND_BODY, Folder, read_listing
from brskills_server.snapshot_builder.sources.retry_policy import RetryPolicy

_MAX_LISTING_BYTES = 4 * 1024 * 1024
_MAX_REDIRECTS = 5
_REDIRECTS = {301, 302, 307, 308}
_TRANSIENT = {408, 423, 425, 429, *range(500, 600)} - {501}  # not implemented: it will not be
_HEADERS = {
    "Accept-Encoding": "identity",
    # Without it, a Nextcloud that does not share with other servers answers 401 at public.php/webdav.
    "X-Requested-With": "XMLHttpRequest",
}
_PROPFIND_HEADERS = {"Depth": "1", "Content-Type": "application/xml"}


class Client:
    """Requests to one share, each over a new connection: a month needs only some fifty."""

    def __init__(self, address: Address, retry_policy: RetryPolicy, user_agent: str) -> None:
        self._url = address.url
        self._retry_policy = retry_policy
        self._fetcher = Fetcher(user_agent, Named())
        self._headers = {**_HEADERS}
        if address.user:
            self._headers["Authorization"] = f"Basic {b64encode(':'.join(address.user).encode()).decode()}"

    async def list(self, folder: str) -> Folder:
        """Return the content of the share's folder (empty text), or of one in it (``2026-10/``)."""
        body = bytearray()
        seconds = self._retry_policy.listing
        try:
            async with (
                asyncio.timeout(seconds),
                self.request("PROPFIND", folder, _PROPFIND_HEADERS, PROPFIND_BODY) as answer,
            ):
                if answer.status_code == HTTPStatus.NOT_FOUND:
                    raise SnapshotError("no share or folder is at this address (404)")
                if answer.status_code != HTTPStatus.MULTI_STATUS:
                    raise SnapshotError(
                        f"answers {answer.status_code} and not a WebDAV listing (207): it is no Nextcloud "
                        "share or WebDAV folder. Download the files, and give their folder"
                    )
                async for chunk in answer.aiter_raw():
                    body += chunk
                    if len(body) > _MAX_LISTING_BYTES:
                        raise SnapshotError(f"the listing is longer than {_MAX_LISTING_BYTES} bytes")
        except TimeoutError:
            raise TransientError(f"the listing was not whole after {seconds:g} s") from None
        return read_listing(bytes(body))

    @asynccontextmanager
    async def request(
        self, method: str, path: str, headers: Mapping[str, str], content: bytes | None = None
    ) -> AsyncIterator[httpx.Response]:
        """Yield an answer, its body unread, whose status is neither a redirect nor a server's failure.

        Raise `TransientError` or `SnapshotError` for all others, also while the body is read.
        """
        url, headers = self._url.join(path), {**self._headers, **headers}
        timeout = httpx.Timeout(self._retry_policy.silence, connect=self._retry_policy.connect).as_dict()
        for _ in range(_MAX_REDIRECTS + 1):
            request = httpx.Request(
                method, url, headers=headers, content=content, extensions={"timeout": timeout}
            )
            with _named_failures(self._retry_policy):
                async with self._fetcher.send(request) as answer:
                    if answer.status_code not in _REDIRECTS:
                        self._check(answer)
                        yield answer
                        return
                    url = _redirect_target(url, answer.headers.get("location"))
        raise SnapshotError("redirects without end")

    def _check(self, answer: httpx.Response) -> None:
        status = answer.status_code
        if status in _TRANSIENT:
            asked = _seconds_asked(answer.headers.get("retry-after", ""))
            if asked > self._retry_policy.longest_asked:
                raise SnapshotError(f"answers {status} and asks to wait {asked:.0f} s")
            raise TransientError(f"answers {status}", asked)
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            raise SnapshotError(f"refuses ({status}): the token or password is missing or not right")
        if answer.headers.get("content-encoding", "identity") != "identity":
            raise SnapshotError("answers compressed, which was not requested")


@contextmanager
def _named_failures(retry_policy: RetryPolicy) -> Iterator[None]:
    try:
        yield
    except httpx.ConnectTimeout:
        raise TransientError(f"no connection within {retry_policy.connect:g} s") from None
    except httpx.ConnectError as error:
        raise TransientError(f"no connection: {error}") from None
    except httpx.TimeoutException:
        raise TransientError(f"not a byte for {retry_policy.silence:g} s") from None
    except (httpx.InvalidURL, UnicodeError):
        raise SnapshotError("redirects to an address that is not valid") from None
    except httpx.HTTPError:
        raise TransientError("the connection broke off, or it is not HTTP") from None
    except TooLarge:
        raise SnapshotError("sends its answer in too many small pieces") from None


def _redirect_target(url: httpx.URL, location: str | None) -> httpx.URL:
    """Return the target of a redirect without its user info. Raise `SnapshotError` if it is elsewhere."""
    if location is None:
        raise SnapshotError("redirects without a target")
    target = url.join(location)
    if (target.scheme, target.host, target.port) != (url.scheme, url.host, url.port):
        raise SnapshotError("redirects elsewhere; only its own scheme, host and port are followed")
    return url.copy_with(raw_path=target.raw_path)


def _seconds_asked(header: str) -> float:
    """Return the seconds of ``Retry-After``, a number or a date (RFC 9110, 10.2.3); 0 if it is neither."""
    if header.isascii() and header.isdecimal():
        return float(header)
    with suppress(ValueError):
        moment = parsedate_to_datetime(header)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - time.time()
    return 0

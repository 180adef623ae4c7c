"""Post to a webhook's address, and read no more of the answer than its head."""

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import replace
from socket import gaierror
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx

from brskills_server.outbound.fetcher import FAILURES, Fetcher
from brskills_server.outbound.public_network import Forbidden, Network
from brskills_server.webhooks.address import find_fault

SECONDS = 15.0
"""For name, connection, request and the head of the answer together."""

TIMEOUT, CONNECTION, TLS, DNS, FORBIDDEN = "timeout", "connection", "tls", "dns", "forbidden_address"


class Answer(NamedTuple):
    """``status``: of the answer, ``None`` without one; then ``error`` says why: one of the names above.

    ``retry_after``: its header of this name in seconds, 0 without one or for a date.
    """

    status: int | None
    error: str = ""
    retry_after: int = 0


class Poster:
    """Requests with the method POST, one connection each.

    ``network``: where it has no certificates, the system's roots are trusted.
    """

    def __init__(self, user_agent: str, network: Network | None = None) -> None:
        network = network or Network()
        self._allow_loopback = network.allow_loopback
        roots = network.certificates or ssl.create_default_context()
        self._fetcher = Fetcher(user_agent, replace(network, certificates=roots))

    async def post(self, address: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Post to an address and return the answer, or why there is none; raise nothing for either."""
        if find_fault(address, allow_loopback=self._allow_loopback):
            return Answer(None, FORBIDDEN)
        try:
            request = _request(address, headers, body)
            async with asyncio.timeout(SECONDS), self._fetcher.send(request) as found:
                return Answer(found.status_code, "", _retry_after(found))
        except FAILURES as error:
            return Answer(None, _reason(error))


def _request(address: str, headers: Mapping[str, str], body: bytes) -> httpx.Request:
    """Return a request whose host and path are as the account wrote them, not as httpx would."""
    parts = urlsplit(address)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    head = {"Host": parts.netloc, "Connection": "close", **headers}
    extensions = {"target": path.encode()}
    return httpx.Request("POST", address, headers=head, content=body, extensions=extensions)


def _reason(error: BaseException | None) -> str:
    """Return why there is no answer: what the exception says, or else the one that it replaced."""
    reasons = (Forbidden, FORBIDDEN), (gaierror, DNS), (TimeoutError, TIMEOUT), (ssl.SSLError, TLS)
    while error:
        for kind, reason in reasons:
            if isinstance(error, kind):
                return reason
        error = error.__context__  # httpcore takes away the cause
    return CONNECTION


def _retry_after(answer: httpx.Response) -> int:
    written = answer.headers.get("retry-after", "")  # several are joined by commas
    return int(written) if written.isascii() and written.isdigit() and len(written) < 10 else 0

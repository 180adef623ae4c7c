"""Fetch client ID metadata documents (CIMD): JSON at the address that is the client's id."""

import asyncio
from collections.abc import Callable
from threading import Semaphore

from brskills_server.accounts.grant import Client
from brskills_server.outbound.fetcher import FAILURES, Fetcher, Reply, Unreadable
from brskills_server.outbound.public_network import Network
from brskills_server.outbound.wire import TooLarge
from brskills_server.skills.errors import ApiError
from brskills_server.web.body import parse_json
from brskills_server.web.signin.client_lookup import Busy, is_document_address
from brskills_server.web.signin.registration import InvalidMetadata, read_metadata

SECONDS = 5.0
MAX_BYTES = 64 * 1024
MAX_CONCURRENT = 8
"""In one process: the same threads issue tokens, and must not wait for third parties."""


class _NotADocument(Exception):
    """A response that is not a document."""


class ClientDocuments:
    """Fetcher of documents. ``clock``: Unix seconds."""

    def __init__(self, user_agent: str, clock: Callable[[], float], network: Network | None = None) -> None:
        self._clock = clock
        self._fetcher = Fetcher(user_agent, network)
        self._slots = Semaphore(MAX_CONCURRENT)

    def client(self, address: str) -> Client | None:
        """Return the client of a document, or ``None`` if there is no valid one. Raise ``Busy``."""
        if not is_document_address(address):
            return None
        if not self._slots.acquire(blocking=False):
            raise Busy
        try:
            content = parse_json(_document(self._fetcher.run(self._fetch(address), SECONDS + 1)))
            if not isinstance(content, dict) or content.get("client_id") != address:
                return None
            metadata = read_metadata(content)
        except (*FAILURES, TooLarge, Unreadable, _NotADocument, ApiError, InvalidMetadata):
            return None
        finally:
            self._slots.release()
        redirect_uris = tuple(metadata.redirect_uris)
        return Client(address, metadata.name, redirect_uris, int(self._clock()), metadata.client_uri)

    def close(self) -> None:
        """Cancel fetches."""
        self._fetcher.close()

    async def _fetch(self, address: str) -> Reply:
        async with asyncio.timeout(SECONDS):
            return await self._fetcher.get(address, "application/json", MAX_BYTES)


def _document(reply: Reply) -> bytes:
    is_json = reply.media_type == "application/json" or reply.media_type.endswith("+json")
    if reply.status != 200 or not is_json:
        raise _NotADocument
    return reply.body

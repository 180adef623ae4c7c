"""OAuth clients: those that registered here, and those whose metadata document was read."""

import hashlib
import json
import time
from collections.abc import Callable, Sequence

from brskills_server.accounts import tokens
from brskills_server.accounts.grant import Client
from brskills_server.accounts.ports import ClientStore

UNGRANTED_SECONDS = 24 * 60 * 60
"""How long a registered client without a grant is kept."""

GRANTED_SECONDS = 90 * 24 * 60 * 60
"""How long a client is kept after it last got a code or tokens."""

PER_DAY, PER_MONTH = 20, 300
"""New clients that one address may register, in a day and in thirty."""

READ_PER_DAY, READ_PER_MONTH = 100, 1500
"""Metadata documents that the server reads for one address, in a day and in thirty."""

EXTENDED_SECONDS = 60 * 60
"""The shortest time between two extensions of a client that registers again: such a write is not limited."""

LONGEST_ID = 512
"""Characters of a client's id, which is a key of the store."""


class Clients:
    """The clients of a store; every method may raise ``StoreUnavailable``."""

    def __init__(self, store: ClientStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def recall(self, name: str, redirect_uris: Sequence[str], uri: str | None = None) -> Client | None:
        """Return the stored client that registered with the same metadata, and extend it."""
        client, now = _id_of(name, redirect_uris, uri), int(self._clock())
        ends = now + UNGRANTED_SECONDS
        known = self._store.read_client(client, ends - EXTENDED_SECONDS)
        if known is not None:  # kept for long enough
            return known
        known = self._store.read_client(client, now)
        if known is not None:
            self._store.extend_client(client, ends)
        return known

    def register(self, name: str, redirect_uris: Sequence[str], uri: str | None = None) -> Client:
        """Store a new client of validated metadata.

        Equal metadata gives an equal id (RFC 7591 §3.2.1 allows it): a hosted program that registers for
        each of its users is one client. It has no secret, so knowing the id gives nothing.
        """
        now = int(self._clock())
        client = Client(_id_of(name, redirect_uris, uri), name, tuple(redirect_uris), now, uri)
        self._store.keep_client(client, now + UNGRANTED_SECONDS)
        return client

    def find(self, client: str) -> Client | None:
        """Return the client with this id; a malformed id is not looked up."""
        if len(client) > LONGEST_ID or (_is_registered(client) and not tokens.read(tokens.CLIENT, client)):
            return None
        return self._store.read_client(client, int(self._clock()))

    def remember(self, client: Client, seconds: int) -> None:
        """Store a client of a metadata document for ``seconds``; its id is the document's address.

        Raise ``ValueError`` if the id has the form of a registered client's, or is longer than
        ``LONGEST_ID``.
        """
        if _is_registered(client.id) or len(client.id) > LONGEST_ID:
            raise ValueError("this cannot be the id of a metadata document's client")
        self._store.keep_client(client, int(self._clock()) + seconds)


def extend(store: ClientStore, client: str, now: int) -> None:
    """Extend a registered client that gets a code or tokens; a metadata document has its own lifetime."""
    if _is_registered(client):
        store.extend_client(client, now + GRANTED_SECONDS)


def _is_registered(client: str) -> bool:
    return client.startswith(tokens.CLIENT)


def _id_of(name: str, redirect_uris: Sequence[str], uri: str | None) -> str:
    metadata = json.dumps([name, list(redirect_uris), uri])
    return tokens.write(tokens.CLIENT, tokens.id_for(hashlib.sha256(metadata.encode()).digest()))

"""Clients that sign in for people: those that registered here, and those whose metadata document was read."""

import hashlib
import json
import time
from collections.abc import Callable, Sequence

from brskills_server.accounts import tokens
from brskills_server.accounts.grant import Client
from brskills_server.accounts.ports import ClientStore

__all__ = [
    "EXTENDED_SECONDS",
    "GRANTED_SECONDS",
    "LONGEST_ID",
    "PER_DAY",
    "PER_MONTH",
    "READ_PER_DAY",
    "READ_PER_MONTH",
    "UNGRANTED_SECONDS",
    "Clients",
    "extend",
]

UNGRANTED_SECONDS = 24 * 60 * 60
"""How long a registered client is kept that nobody has granted anything."""

GRANTED_SECONDS = 90 * 24 * 60 * 60
"""How long one is that somebody has, since it last got a code or tokens."""

PER_DAY, PER_MONTH = 20, 300
"""New clients that one address may register, in a day and in thirty."""

READ_PER_DAY, READ_PER_MONTH = 100, 1500
"""Metadata documents that one address may have read, in a day and in thirty."""

EXTENDED_SECONDS = 60 * 60
"""How often at most a client that registers again is kept for longer: a write that nobody counts."""

LONGEST_ID = 512
"""Characters that a client's id may have: it is a key of the store."""


class Clients:
    """The clients of a store; every method may raise ``StoreUnavailable``."""

    def __init__(self, store: ClientStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def recall(self, name: str, redirect_uris: Sequence[str], uri: str | None = None) -> Client | None:
        """The client that has registered with the very same words before, if it is kept."""
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
        """A new client with an id of ours; what it says of itself has been checked before.

        The same words give the same id (RFC 7591 §3.2.1 allows it): a hosted program that registers anew for
        each of its people is one client. It has no secret, so nobody gains by knowing the id.
        """
        now = int(self._clock())
        client = Client(_id_of(name, redirect_uris, uri), name, tuple(redirect_uris), now, uri)
        self._store.keep_client(client, now + UNGRANTED_SECONDS)
        return client

    def find(self, client: str) -> Client | None:
        """The client with this id, if it is kept; one of no possible form is not looked for."""
        if len(client) > LONGEST_ID or (_is_registered(client) and not tokens.read(tokens.CLIENT, client)):
            return None
        return self._store.read_client(client, int(self._clock()))

    def remember(self, client: Client, seconds: int) -> None:
        """Keep for so long what a metadata document says; the client's id is the document's address.

        ``ValueError`` where the id is of the form of ours, or longer than ``LONGEST_ID``.
        """
        if _is_registered(client.id) or len(client.id) > LONGEST_ID:
            raise ValueError("this cannot be the id of a metadata document's client")
        self._store.keep_client(client, int(self._clock()) + seconds)


def extend(store: ClientStore, client: str, now: int) -> None:
    """Keep a registered client that gets a code or tokens; a metadata document is as old as it is."""
    if _is_registered(client):
        store.extend_client(client, now + GRANTED_SECONDS)


def _is_registered(client: str) -> bool:
    return client.startswith(tokens.CLIENT)


def _id_of(name: str, redirect_uris: Sequence[str], uri: str | None) -> str:
    told = json.dumps([name, list(redirect_uris), uri])
    return tokens.write(tokens.CLIENT, tokens.id_for(hashlib.sha256(told.encode()).digest()))

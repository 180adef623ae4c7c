"""Find a client by its id: a registered one, or one with a metadata document at its address (CIMD)."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

from brskills_server.accounts.clients import Clients
from brskills_server.accounts.grant import Client
from brskills_server.accounts.signup import Signups

DOCUMENT_SECONDS = 3600
"""How long a document that was fetched is cached."""

MAX_LETTERS = 300

_ADDRESS = re.compile(
    r"https://(?P<host>[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)(?P<path>/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)"
)
_DOTS = re.compile(r"/\.{1,2}(?:/|$)")
_NUMBER = re.compile(r"[0-9.]+|0x[0-9a-f.x]*")  # what a resolver may take for an IPv4 address


def is_document_address(client_id: str) -> bool:
    """Return whether an id can be a document's address: ``https``, a host name, no port, a path, no query.

    >>> is_document_address("https://app.example/client.json"), is_document_address("https://app.example/")
    (True, False)
    """
    found = _ADDRESS.fullmatch(client_id)
    if not found or len(client_id) > MAX_LETTERS or _NUMBER.fullmatch(found["host"]):
        return False
    return "." in found["host"] and found["path"] != "/" and not _DOTS.search(unquote(found["path"]))


class Busy(Exception):
    """As many documents as allowed are being fetched."""


@dataclass
class ClientLookup:
    """Lookup of clients. ``fetch`` returns the client of a document or ``None``, or raises ``Busy``.

    ``fetches`` limits documents by network: each is a request to a third party, and a record.
    """

    clients: Clients
    fetch: Callable[[str], Client | None]
    fetches: Signups

    def find(self, client_id: str, network: str) -> Client | None:
        """Return the client for a consent page. Raise ``Busy``, ``SignupLimit`` or ``StoreUnavailable``."""
        known = self.clients.find(client_id)
        if known is not None or not is_document_address(client_id):
            return known
        self.fetches.take(network, None)
        found = self.fetch(client_id)
        if found is not None:
            self.clients.remember(found, DOCUMENT_SECONDS)
        return found

    def identify(self, client_id: str) -> Client | None:
        """Return the client for a code or token, whose grant names its client.

        No document is fetched, so that a client whose site is down continues to work.
        """
        if is_document_address(client_id):
            return Client(client_id, client_id, (), 0)
        return self.clients.find(client_id)

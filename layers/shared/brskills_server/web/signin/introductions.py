"""Which client an id stands for: one that registered, or one with a document at that very address."""

import re
from collections.abc import Callable
from urllib.parse import unquote

from brskills_server.accounts.clients import Clients
from brskills_server.accounts.grant import Client
from brskills_server.accounts.signup import Signups

__all__ = ["Busy", "Introductions", "is_address"]

DOCUMENT_SECONDS = 3600
"""How long a document that was read is taken for what still stands there."""

MAX_LETTERS = 300

_ADDRESS = re.compile(
    r"https://(?P<host>[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)(?P<path>/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)"
)
_DOTS = re.compile(r"/\.{1,2}(?:/|$)")
_NUMBER = re.compile(r"[0-9.]+|0x[0-9a-f.x]*")  # what a resolver may take for an IPv4 address


def is_address(client_id: str) -> bool:
    """Whether an id can be the address of a document: ``https``, a name, no port, a path, no query.

    >>> is_address("https://app.example/client.json"), is_address("https://app.example/")
    (True, False)
    """
    found = _ADDRESS.fullmatch(client_id)
    if not found or len(client_id) > MAX_LETTERS or _NUMBER.fullmatch(found["host"]):
        return False
    return "." in found["host"] and found["path"] != "/" and not _DOTS.search(unquote(found["path"]))


class Busy(Exception):
    """So many documents are being read that another has to wait; it is not waited for here."""


class Introductions:
    """``read_document``: the client that the document at an address introduces, or ``None``; raises ``Busy``.

    ``readings`` counts how many a network has us read: each is a request to a stranger, and a record.
    """

    def __init__(
        self, clients: Clients, read_document: Callable[[str], Client | None], readings: Signups
    ) -> None:
        self._clients = clients
        self._read_document = read_document
        self._readings = readings

    def find(self, client_id: str, network: str) -> Client | None:
        """The client, as a person sees it; raises ``Busy``, ``SignupLimit``, ``StoreUnavailable``."""
        known = self._clients.find(client_id)
        if known is not None or not is_address(client_id):
            return known
        self._readings.take(network, None)
        found = self._read_document(client_id)
        if found is not None:
            self._clients.remember(found, DOCUMENT_SECONDS)
        return found

    def recall(self, client_id: str) -> Client | None:
        """The client, as it comes back with a code or a token, which say themselves whose they are.

        A document is not read again for that: a client whose site is down goes on.
        """
        if is_address(client_id):
            return Client(client_id, client_id, (), 0)
        return self._clients.find(client_id)

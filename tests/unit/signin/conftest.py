"""The function of the sign-in over a separate store, called as API Gateway calls it."""

from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.clients import PER_DAY, PER_MONTH, Clients
from brskills_server.accounts.grants import Grants
from brskills_server.accounts.network_hash import Pseudonyms
from brskills_server.accounts.signup import Signups
from functions.oauth import app

HOST = "abc123.execute-api.sa-east-1.amazonaws.com"
BASE = f"https://{HOST}/v1"


class Function:
    """The function behind a stage, over https."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts

    def call(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, str] | None = None,
        form: dict[str, str] | None = None,
        body: str | None = None,
        peer: str = "192.0.2.1",
        at: str = BASE,
        **headers: str,
    ) -> dict[str, Any]:
        """The answer at a base; header names are given with underscores for hyphens."""
        address = urlsplit(at)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        media_type = "application/json" if form is None else "application/x-www-form-urlencoded"
        answer: dict[str, Any] = app.handler(
            {
                "httpMethod": method,
                "resource": path,
                "headers": {"X-Forwarded-Proto": "https", "Content-Type": media_type, **sent},
                "queryStringParameters": query,
                "body": body if form is None else urlencode(form),
                "requestContext": {
                    "requestId": "r-1",
                    "domainName": address.hostname,
                    "path": address.path + path,
                    "identity": {"sourceIp": peer},
                },
            },
            None,
        )
        return answer


@pytest.fixture
def function(store, accounts, clock, monkeypatch) -> Function:
    clients, grants = Clients(store, clock), Grants(store, accounts, clock)
    monkeypatch.setattr(app, "clients", clients)
    monkeypatch.setattr(app, "grants", grants)
    monkeypatch.setattr(app.client_lookup, "clients", clients)
    readings = Signups(store, Pseudonyms(store), 2, 5, clock, "document")
    monkeypatch.setattr(app.client_lookup, "fetches", readings)
    monkeypatch.setattr(app.consent, "grants", grants)
    monkeypatch.setattr(app.consent, "accounts", accounts)
    monkeypatch.setattr(app.consent, "signups", Signups(store, Pseudonyms(store), 2, 5, clock))
    registrations = Signups(store, Pseudonyms(store), PER_DAY, PER_MONTH, clock, "client")
    monkeypatch.setattr(app.services, "registrations", registrations)
    return Function(accounts)

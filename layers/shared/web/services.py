"""What the functions share, put together once per process from the settings."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from access import Accounts, Caller, InvalidKey, Ledger, Pseudonyms, Session, Signups, network_of
from access.api_key import digest
from adapters.dynamodb.access import DynamoAccess
from adapters.dynamodb.client import dynamodb_client

if TYPE_CHECKING:
    from collections.abc import Callable

    from web.request import Request
    from web.response import Response
    from web.settings import Settings

__all__ = ["Services"]


class Services:
    """The ledger and its neighbours over one store."""

    def __init__(self, settings: Settings) -> None:
        self.client = dynamodb_client(settings.store_seconds)
        self.store = DynamoAccess(self.client, settings.access_table)
        self._settings = settings
        self._pseudonyms = Pseudonyms(self.store)
        self.ledger = Ledger(self.store, settings.demo_monthly_limit)
        self.signups = Signups(self.store, self._pseudonyms, settings.signups_per_day)
        self.accounts = Accounts(self.store, digest(settings.demo_api_key))

    def network(self, request: Request) -> str:
        """The network a request comes from, as sign-ups and the demo key count it."""
        return network_of(request.client_address(self._settings.trusted_proxies))

    def session(self, request: Request) -> Session:
        """The session of a request that API Gateway's authorizer let through."""
        if not {"account", "key"} <= request.authorizer.keys():
            raise InvalidKey
        return self._session(Caller(request.authorizer["account"], request.authorizer["key"]), request)

    def session_of_key(self, api_key: str, request: Request) -> Session:
        """The session of a key on a route without authorizer; raises ``InvalidKey``."""
        caller, _ = self.accounts.identify(api_key)
        return self._session(caller, request)

    def keyed(self, handler: Callable[[Request, Session], Response]) -> Callable[[Request], Response]:
        """A route that needs a key: whatever it answers, the key must be active at that moment."""

        def run(request: Request) -> Response:
            session = self.session(request)
            try:
                return handler(request, session)
            finally:
                session.ensure_checked()

        return run

    def _session(self, caller: Caller, request: Request) -> Session:
        if caller.is_demo:
            address = self._pseudonyms.of(f"address:{self.network(request)}", time.time())
            caller = Caller(caller.account, caller.key, address)
        return Session(self.ledger, caller)

"""A caller who grants access to a client, over any store."""

from dataclasses import dataclass
from typing import Any

from brskills_server.accounts.account import Caller
from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.clients import Clients
from brskills_server.accounts.errors import AccessError, InvalidToken
from brskills_server.accounts.grant import Client, Grant, Terms, Tokens
from brskills_server.accounts.grants import Grants
from brskills_server.adapters.stores import AccessStore
from tests.conftest import Clock

__all__ = ["World", "terms_of"]


def terms_of(client: Client) -> Terms:
    """Return the terms of these tests' grants."""
    scopes = frozenset({"pix", "cnpj"})
    return Terms(client, scopes, "https://api.example/mcp", client.redirect_uris[0], "challenge")


@dataclass
class World:
    """A person with an account and a key, and a client."""

    store: AccessStore
    clock: Clock
    caller: Caller
    key: str
    client: Client

    @classmethod
    def new(cls, store: AccessStore, clock: Clock) -> "World":
        """A new account and a newly registered client."""
        accounts = Accounts(store, "no demo", clock)
        key = accounts.open("free").api_key
        client = Clients(store, clock).register("Assistente", ["https://client.example/cb"])
        return cls(store, clock, accounts.identify(key)[0], key, client)

    @property
    def accounts(self) -> Accounts:
        """Of the store as it is."""
        return Accounts(self.store, "no demo", self.clock)

    def grants(self, store: Any = None) -> Grants:
        """Over the store as it is, or as another sees it."""
        behind = store or self.store
        return Grants(behind, Accounts(behind, "no demo", self.clock), self.clock)

    def code(self) -> str:
        """A code of the caller for the client."""
        return self.grants().open(self.caller, terms_of(self.client))

    def sign_in(self) -> Tokens:
        """The first tokens of a new grant."""
        tokens = self.redeem(self.code())
        assert tokens is not None
        return tokens

    def redeem(self, code: str, grants: Grants | None = None) -> Tokens | None:
        """As the token endpoint does it."""
        grants = grants or self.grants()
        grant = grants.find_code(code)
        return grants.redeem(grant) if grant else None

    def refresh(self, token: str, grants: Grants | None = None) -> Tokens | None:
        """As the token endpoint does it."""
        grants = grants or self.grants()
        grant = grants.find_refresh(token)
        return grants.refresh(grant, token) if grant else None

    def works(self, tokens: Tokens | None) -> bool:
        """Whether an access token gives access."""
        try:
            return tokens is not None and self.grants().identify(tokens.access_token)[0] == self.caller
        except InvalidToken:
            return False

    def listed(self) -> list[Grant]:
        """Return the grants that the owner sees."""
        return self.grants().of(self.accounts.get(self.caller.account))

    def kept(self, grant: str) -> Grant | None:
        """A grant as the store has it."""
        return self.store.read_grant(grant, int(self.clock()))

    def attempt(self, action: Any) -> Any:
        """What an action returns, or the class of what kept it from that."""
        try:
            return action()
        except AccessError as error:
            return type(error)

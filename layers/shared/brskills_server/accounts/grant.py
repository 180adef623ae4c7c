"""The values of signing in by OAuth 2.1: a client, what a person allows it, and the tokens it gets for that.

A grant is one record. What a client holds carries the grant's id, so one read finds it, and the end of the
record is the end of everything.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

__all__ = [
    "ACCESS_SECONDS",
    "CODE_SECONDS",
    "REFRESH_SECONDS",
    "Client",
    "Grant",
    "Terms",
    "Tokens",
]

CODE_SECONDS = 60
ACCESS_SECONDS = 60 * 60
REFRESH_SECONDS = 30 * 24 * 60 * 60
"""How long a code, an access token and an unused refresh token live."""


@dataclass(frozen=True, slots=True)
class Client:
    """A program that asks for tokens. All that it says of itself is its own claim; ``uri``: its page.

    ``id``: of the form ``brsk_cl_…`` where it registered here, else the address of its metadata document.
    """

    id: str
    name: str
    redirect_uris: tuple[str, ...]
    created_at: int
    uri: str | None = None


class Terms(NamedTuple):
    """What a person agrees to: who may do what where; ``challenge``: of PKCE, by S256."""

    client: Client
    scopes: frozenset[str]
    resource: str
    redirect_uri: str
    challenge: str


@dataclass(frozen=True, slots=True)
class Grant:
    """What a person allowed a client, as the store has it; times are Unix seconds.

    ``key``: digest of the key it was granted by, whose end is the grant's. ``code``, ``family``, ``turn``,
    ``access`` and ``former``: digests of the code, of both secrets of the refresh token, and of the last two
    access tokens; empty while there is none. ``version`` grows when they change. ``used_at``: when a client
    last came. ``calls``: month as ``2026-11`` → calls that were answered, a figure and no bill.
    """

    id: str
    account: str
    key: str
    client: str
    client_name: str
    scopes: frozenset[str]
    resource: str
    redirect_uri: str
    challenge: str
    code: str
    created_at: int
    used_at: int
    expires_at: int
    family: str = ""
    turn: str = ""
    access: str = ""
    access_ends: int = 0
    former: str = ""
    former_ends: int = 0
    version: int = 0
    calls: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_redeemed(self) -> bool:
        """Whether tokens were given for its code."""
        return bool(self.family)

    def accepts(self, access: str, now: int) -> bool:
        """Whether an access token, by its digest, gives access."""
        ends = {self.former: self.former_ends, self.access: self.access_ends}
        return now < ends.get(access, 0)

    def renewed(self, family: str, turn: str, access: str, now: int) -> "Grant":
        """The same with new tokens. The latest access token lives on, so that calls under way do not fail."""
        return replace(
            self,
            family=family,
            turn=turn,
            access=access,
            access_ends=now + ACCESS_SECONDS,
            former=self.access,
            former_ends=self.access_ends,
            used_at=now,
            expires_at=now + REFRESH_SECONDS,
            version=self.version + 1,
        )


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a client gets, shown this once; ``expires_in``: seconds that the access token lives."""

    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)
    expires_in: int
    grant: Grant

"""The values of an OAuth 2.1 sign-in: a client, the grant that a person gives it, and its tokens."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

CODE_SECONDS = 60
ACCESS_SECONDS = 60 * 60
REFRESH_SECONDS = 30 * 24 * 60 * 60
"""Lifetimes of a code, an access token and an unused refresh token."""


@dataclass(frozen=True, slots=True)
class Client:
    """A program that requests tokens. Its metadata is unverified; ``uri``: its page.

    ``id``: of the form ``brsk_cl_…`` if it registered here, else the address of its metadata document.
    """

    id: str
    name: str
    redirect_uris: tuple[str, ...]
    created_at: int
    uri: str | None = None


class Terms(NamedTuple):
    """What a person consents to; ``challenge``: of PKCE, by S256."""

    client: Client
    scopes: frozenset[str]
    resource: str
    redirect_uri: str
    challenge: str


@dataclass(frozen=True, slots=True)
class Grant:
    """A person's consent to a client, one record whose id codes and tokens carry; times are Unix seconds.

    ``key``: digest of the key that the person used; the grant ends with it. ``code``, ``family``, ``turn``,
    ``access``, ``former``: digests of the code, both secrets of the refresh token and the last two access
    tokens; empty until issued. ``version`` grows when they change. ``used_at``: last use by the client.
    ``calls``: month as ``2026-11`` → answered calls, for information.
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
        """Whether its code was exchanged for tokens."""
        return bool(self.family)

    def accepts(self, access: str, now: int) -> bool:
        """Return whether an access token, by its digest, is valid."""
        ends = {self.former: self.former_ends, self.access: self.access_ends}
        return now < ends.get(access, 0)

    def renewed(self, family: str, turn: str, access: str, now: int) -> "Grant":
        """Return the grant with new tokens. The latest access token stays valid for calls under way."""
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
    """Tokens of a grant, shown once; ``expires_in``: seconds until the access token expires."""

    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)
    expires_in: int
    grant: Grant

"""Grants of accounts to OAuth clients: issue, verify and end codes and tokens.

A code and a refresh token work once: a used one may have been stolen, so showing it again ends its grant.
"""

import time
from collections.abc import Callable

from brskills_server.accounts import calendar, tokens
from brskills_server.accounts.account import Account, Caller
from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.api_key import digest
from brskills_server.accounts.clients import extend
from brskills_server.accounts.errors import InvalidKey, InvalidToken, StoreUnavailable, TooManyGrants
from brskills_server.accounts.grant import ACCESS_SECONDS, CODE_SECONDS, Grant, Terms, Tokens
from brskills_server.accounts.ports import GrantStore

MAX_GRANTS = 50
"""Grants that an account may have."""


class Grants:
    """The grants of a store; every method may raise ``StoreUnavailable``."""

    def __init__(self, store: GrantStore, accounts: Accounts, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._accounts = accounts
        self._clock = clock

    def open(self, caller: Caller, terms: Terms) -> str:
        """Return the code of a new grant. Raise ``InvalidKey``, ``DemoKey`` or ``TooManyGrants``."""
        self._accounts.own(caller)
        name, secret, now = tokens.new_id(), tokens.new_secret(), self._now()
        grant = Grant(
            id=name,
            account=caller.account,
            key=caller.key,
            client=terms.client.id,
            client_name=terms.client.name,
            scopes=terms.scopes,
            resource=terms.resource,
            redirect_uri=terms.redirect_uri,
            challenge=terms.challenge,
            code=digest(secret),
            created_at=now,
            used_at=now,
            expires_at=now + CODE_SECONDS,
        )
        extend(self._store, grant.client, now)
        while not self._store.open_grant(grant, MAX_GRANTS, now):
            if not self._end_one_of_an_ended_key(self._accounts.own(caller), now):
                raise TooManyGrants
        return tokens.write(tokens.CODE, name, secret)

    def find_code(self, code: str) -> Grant | None:
        """Return the grant of a code that may be redeemed; a redeemed code ends its grant."""
        grant, digests = self._shown(tokens.CODE, code)
        if grant is None or digests != [grant.code]:
            return None
        return self._alive(grant, was_used=grant.is_redeemed)

    def redeem(self, grant: Grant) -> Tokens | None:
        """Return the first tokens of a grant from :meth:`find_code`.

        ``None`` if it has ended, or ends now because another request showed the code at the same moment.
        """
        return self._renew(grant, tokens.new_secret())

    def find_refresh(self, token: str) -> Grant | None:
        """Return the grant of a refresh token that may be used; a used one ends its grant."""
        grant, digests = self._shown(tokens.REFRESH, token)
        if grant is None or digests[0] != grant.family:
            return None
        return self._alive(grant, was_used=digests[1] != grant.turn)

    def refresh(self, grant: Grant, token: str) -> Tokens | None:
        """Return further tokens of a grant from :meth:`find_refresh`; ``None`` as :meth:`redeem`.

        ``token``: the same again, since the next one repeats its family's secret, which is not stored.
        """
        parts = tokens.read(tokens.REFRESH, token)
        if parts is None or digest(parts[1]) != grant.family:
            raise ValueError("not a refresh token of this grant")
        return self._renew(grant, parts[1])

    def identify(self, token: str) -> tuple[Caller, Grant]:
        """Return the caller and grant of an access token. Raise ``InvalidToken``, also for an ended key."""
        grant, digests = self._shown(tokens.ACCESS, token)
        if grant is None or not grant.accepts(digests[0], self._now()) or not self._has_active_key(grant):
            raise InvalidToken
        return Caller(grant.account, grant.key), grant

    def revoke(self, token: str, client: str) -> bool:
        """End the grant of an access or refresh token, used or not; ``False`` if it is another client's."""
        for form in (tokens.ACCESS, tokens.REFRESH):
            grant, digests = self._shown(form, token)
            if grant and digests[0] in (grant.access, grant.former, grant.family):
                if grant.client != client:
                    return False
                self._end(grant)
        return True

    def of(self, account: Account) -> list[Grant]:
        """Return the grants that clients can use now, the latest first."""
        now = self._now()
        grants = [
            grant
            for grant in self._store.grants_of(account.id, now)
            if grant.is_redeemed and account.is_active(grant.key, now)
        ]
        return sorted(grants, key=lambda grant: (-grant.created_at, grant.id))

    def end(self, account: str, grant: str) -> bool:
        """End a grant by its id; ``False`` if the account has no such grant."""
        return tokens.is_id(grant) and self._store.end_grant(account, grant)

    def count(self, grant: Grant, month: str, calls: int) -> None:
        """Add answered calls to a grant's month, unless it has ended; billing does not depend on it."""
        oldest = calendar.shift_month(month, -calendar.HISTORY_MONTHS)
        self._store.count_grant(grant.id, month, oldest, calls, self._now())

    def _now(self) -> int:
        return int(self._clock())

    def _shown(self, form: str, text: str) -> tuple[Grant | None, list[str]]:
        """Return the grant named in a code or token, and the digests of its secrets."""
        parts = tokens.read(form, text)
        if parts is None:
            return None, []
        return self._store.read_grant(parts[0], self._now()), [digest(secret) for secret in parts[1:]]

    def _alive(self, grant: Grant, *, was_used: bool) -> Grant | None:
        """Return the grant, or end it if the shown code or token ``was_used`` before or the key has ended."""
        if not was_used and self._has_active_key(grant):
            return grant
        self._end(grant)
        return None

    def _has_active_key(self, grant: Grant) -> bool:
        try:
            self._accounts.own(Caller(grant.account, grant.key))
        except InvalidKey:
            return False
        return True

    def _renew(self, grant: Grant, family: str) -> Tokens | None:
        turn, access, now = tokens.new_secret(), tokens.new_secret(), self._now()
        renewed = grant.renewed(digest(family), digest(turn), digest(access), now)
        extend(self._store, grant.client, now)
        if not self._change(renewed):
            self._end(grant)
            return None
        return Tokens(
            tokens.write(tokens.ACCESS, grant.id, access),
            tokens.write(tokens.REFRESH, grant.id, family, turn),
            ACCESS_SECONDS,
            renewed,
        )

    def _change(self, grant: Grant) -> bool:
        try:
            return self._store.change_grant(grant)
        except StoreUnavailable:
            # It may have been applied, and no other request knows the new tokens: read again.
            found = self._store.read_grant(grant.id, self._now())
            if found is None or found.turn != grant.turn:
                raise
            return True

    def _end(self, grant: Grant) -> None:
        self._store.end_grant(grant.account, grant.id)

    def _end_one_of_an_ended_key(self, account: Account, now: int) -> bool:
        """Make room for another; ``False`` if every grant of the account is usable."""
        grants = self._store.grants_of(account.id, now)
        dead = (grant for grant in grants if not account.is_active(grant.key, now))
        return any(self._store.end_grant(account.id, grant.id) for grant in dead)

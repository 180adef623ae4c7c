"""Accounts and their keys: opening, finding, rotating, revoking.

Which account a key was made for and whether it is active are two facts; the second is the account's
alone, so revoking is one write and holds at once.
"""

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from brskills_server.accounts import api_key
from brskills_server.accounts.account import DEMO, Account, Caller
from brskills_server.accounts.errors import (
    DemoKey,
    InvalidKey,
    StoreUnavailable,
    TooManyKeys,
    UnconfirmedRotation,
)
from brskills_server.accounts.plans import PLANS, Plan
from brskills_server.accounts.ports import AccountStore

__all__ = ["Accounts", "Issued"]

MAX_KEYS = 10
"""Active keys that an account's owner may have, those in overlap included."""

_TRIES = 5
_PAUSES = (0.0, 0.3)
"""Seconds before each look at a rotation that the store did not confirm."""


class Issued(NamedTuple):
    """A new key. ``api_key`` exists nowhere else: it is shown once and only its digest is kept."""

    api_key: str
    account: str
    plan: Plan


class Accounts:
    """The accounts of a store; every method may raise ``StoreUnavailable``.

    ``demo_digest``: of the public key; ``None`` where there is none. ``pause``: waits so many seconds.
    """

    def __init__(
        self,
        store: AccountStore,
        demo_digest: str | None,
        clock: Callable[[], float] = time.time,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._store = store
        self._demo_digest = demo_digest
        self._clock = clock
        self._pause = pause

    def identify(self, key: str) -> tuple[Caller, Account | None]:
        """The caller an active key belongs to and their account (the demo key has none).

        Raises ``InvalidKey``; a key of the wrong form is refused without asking the store.
        """
        digest = api_key.digest(key)
        if digest == self._demo_digest:
            return Caller(DEMO, digest), None
        name = self._store.account_of_key(digest) if api_key.is_well_formed(key) else None
        if name is None:
            raise InvalidKey
        caller = Caller(name, digest)
        return caller, self.own(caller)

    def own(self, caller: Caller) -> Account:
        """The account of a caller whose key is active; raises ``DemoKey`` or ``InvalidKey``."""
        if caller.is_demo:
            raise DemoKey
        account = self._store.read_account(caller.account)
        if account is None or not account.is_active(caller.key, self._clock()):
            raise InvalidKey
        return account

    def open(self, plan_id: str, email: str | None = None) -> Issued:
        """A new account on a plan, with one key."""
        plan = PLANS[plan_id]
        key, digest = _new_key()
        account = Account(
            id=f"acc_{secrets.token_hex(8)}",
            plan=plan.id,
            monthly_limit=plan.monthly_limit,
            keys={digest: 0},
            created_at=int(self._clock()),
            email=email,
        )
        if not self._store.open_account(account):
            raise StoreUnavailable("the account id drawn is taken")
        return Issued(key, account.id, plan)

    def rotate(self, caller: Caller, overlap: int) -> Issued:
        """A further key of the same account; the caller's own ends ``overlap`` seconds from now.

        Raises ``DemoKey``, ``InvalidKey``, ``TooManyKeys`` or, with the new key, ``UnconfirmedRotation``. An
        overlap never lengthens the life of a key that is already ending.
        """
        key, digest = _new_key()
        for _ in range(_TRIES):
            account = self.own(caller)
            try:
                rotated = self._rotate(account, caller.key, digest, overlap)
            except StoreUnavailable as failure:
                if not self._was_added(account.id, digest):
                    raise UnconfirmedRotation(key) from failure
                rotated = True
            if rotated:
                return Issued(key, account.id, PLANS[account.plan])
            # Another rotation or a revocation was faster: look again.
        raise StoreUnavailable("too many rotations at once")

    def _rotate(self, account: Account, old: str, new: str, overlap: int) -> bool:
        now = int(self._clock())
        expired = {key for key in account.keys if not account.is_active(key, now)} - {old}
        kept = len(account.keys) - len(expired)
        if overlap and kept >= MAX_KEYS:
            raise TooManyKeys(MAX_KEYS)
        most = MAX_KEYS if overlap else kept + 1  # without overlap the old one is listed, but has ended
        ends = min(account.keys[old] or now + overlap, now + overlap)
        return self._store.rotate_key(
            account.id, old, new, ends=ends, expired=expired, most=most, now=int(self._clock())
        )

    def _was_added(self, account: str, key: str) -> bool:
        """Look whether an account has a key; after ``False`` it may still be added at any moment."""
        for seconds in _PAUSES:
            self._pause(seconds)
            with suppress(StoreUnavailable):
                found = self._store.read_account(account)
                if found and key in found.keys:
                    return True
        return False

    def revoke(self, caller: Caller) -> None:
        """End the caller's key at once; raises ``DemoKey`` or ``InvalidKey``."""
        self.own(caller)
        if not self._store.revoke_key(caller.account, caller.key, int(self._clock())):
            raise InvalidKey

    def add_key(self, account: str) -> Issued:
        """A further key of an account whose owner lost theirs: for the operator. KeyError if unknown."""
        plan = PLANS[self.get(account).plan]
        key, digest = _new_key()
        if not self._store.add_key(account, digest):
            raise KeyError(account)
        return Issued(key, account, plan)

    def revoke_all(self, account: str) -> Account:
        """End every key of an account, which is returned as it was: for the operator. KeyError if unknown."""
        before = self._store.revoke_all_keys(account, int(self._clock()))
        if before is None:
            raise KeyError(account)
        return before

    def set_plan(self, account: str, plan_id: str) -> None:
        """Move an account to a plan; its keys and the month's count stay. KeyError if unknown."""
        if not self._store.set_plan(account, plan_id, PLANS[plan_id].monthly_limit):
            raise KeyError(account)

    def set_limit(self, account: str, monthly_limit: int | None) -> None:
        """Another limit than the plan's (``None``: none), until the plan changes. KeyError if unknown."""
        if not self._store.set_limit(account, monthly_limit):
            raise KeyError(account)

    def grant(self, account: str, skill: str) -> None:
        """Let an account use a custom skill, whatever its plan is: for the operator. KeyError if unknown."""
        self._set_skills(account, self.get(account).skills | {skill})

    def withdraw(self, account: str, skill: str) -> None:
        """Take a granted skill back: for the operator. KeyError if the account is unknown."""
        self._set_skills(account, self.get(account).skills - {skill})

    def _set_skills(self, account: str, skills: frozenset[str]) -> None:
        if not self._store.set_skills(account, skills):
            raise KeyError(account)

    def delete(self, account: str) -> Account:
        """Delete an account for good; returns it as it was. KeyError if unknown."""
        before = self._store.delete_account(account)
        if before is None:
            raise KeyError(account)
        return before

    def get(self, account: str) -> Account:
        """The account with this id; KeyError if there is none."""
        found = self._store.read_account(account)
        if found is None:
            raise KeyError(account)
        return found

    def find_by_key(self, key: str) -> tuple[Account, int] | None:
        """Return the account that lists a key, with the key's expiry (0 for none): for the operator.

        A key that a rotation ended is listed until the account's next one.
        """
        digest = api_key.digest(key)
        found = (account for account in self.all() if digest in account.keys)
        return next(((account, account.keys[digest]) for account in found), None)

    def all(self) -> Iterator[Account]:
        """Every account, in no order: for the operator."""
        return self._store.list_accounts()

    def demo_calls(self) -> Iterator[Mapping[str, int]]:
        """The demo key's calls by month, of each address that used it: for the operator."""
        return self._store.list_demo_calls()


def _new_key() -> tuple[str, str]:
    key = api_key.generate()
    return key, api_key.digest(key)

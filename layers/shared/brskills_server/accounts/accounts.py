"""Operations on accounts and their keys; the account alone determines which of its keys are active."""

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple, TypeVar

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

MAX_KEYS = 10
"""Active keys of an account that its owner may have, those in overlap included."""

Found = TypeVar("Found")

_TRIES = 5
_PAUSES = (0.0, 0.3)
"""Seconds before each check of a rotation that the store did not confirm."""


class Issued(NamedTuple):
    """A new key; ``api_key`` is shown once, only its digest is stored."""

    api_key: str
    account: str
    plan: Plan


class Accounts:
    """The accounts of a store; every method may raise ``StoreUnavailable``.

    ``demo_digest``: of the demo key, ``None`` if there is none. ``pause``: sleeps for seconds.
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
        """Return the caller of an active key and the account, ``None`` for the demo. Raise ``InvalidKey``."""
        digest = api_key.digest(key)
        if digest == self._demo_digest:
            return Caller(DEMO, digest), None
        name = self._store.account_of_key(digest) if api_key.is_well_formed(key) else None
        if name is None:
            raise InvalidKey
        caller = Caller(name, digest)
        return caller, self.own(caller)

    def own(self, caller: Caller) -> Account:
        """Return the account of a caller with an active key. Raise ``DemoKey`` or ``InvalidKey``."""
        if caller.is_demo:
            raise DemoKey
        account = self._store.read_account(caller.account)
        if account is None or not account.is_active(caller.key, self._clock()):
            raise InvalidKey
        return account

    def open(self, plan_id: str, email: str | None = None) -> Issued:
        """Open an account on a plan, with one key."""
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
        """Issue a further key; the caller's own expires in ``overlap`` seconds, or earlier if it did already.

        Raise ``DemoKey``, ``InvalidKey``, ``TooManyKeys`` or, with the new key, ``UnconfirmedRotation``.
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
            # Another rotation or a revocation was faster: read again.
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
        """Return whether an account has a key; after ``False`` it may still be added at any moment."""
        for seconds in _PAUSES:
            self._pause(seconds)
            with suppress(StoreUnavailable):
                found = self._store.read_account(account)
                if found and key in found.keys:
                    return True
        return False

    def revoke(self, caller: Caller) -> None:
        """End the caller's key at once. Raise ``DemoKey`` or ``InvalidKey``."""
        self.own(caller)
        if not self._store.revoke_key(caller.account, caller.key, int(self._clock())):
            raise InvalidKey

    def get(self, account: str) -> Account:
        """Return the account with this id. Raise ``KeyError``."""
        return _known(account, self._store.read_account(account))

    # The methods below are for the operator. They raise ``KeyError`` if the account is unknown.

    def add_key(self, account: str) -> Issued:
        """Issue a further key of an account whose owner lost the keys."""
        plan = PLANS[self.get(account).plan]
        key, digest = _new_key()
        _known(account, self._store.add_key(account, digest))
        return Issued(key, account, plan)

    def revoke_all(self, account: str) -> Account:
        """End every key of an account; return the account as it was."""
        return _known(account, self._store.revoke_all_keys(account, int(self._clock())))

    def set_plan(self, account: str, plan_id: str) -> None:
        """Move an account to a plan; its keys and the month's count stay."""
        _known(account, self._store.set_plan(account, plan_id, PLANS[plan_id].monthly_limit))

    def set_limit(self, account: str, monthly_limit: int | None) -> None:
        """Set a limit other than the plan's (``None``: unlimited), until the plan changes."""
        _known(account, self._store.set_limit(account, monthly_limit))

    def grant(self, account: str, skill: str) -> None:
        """Let an account use a custom skill on any plan."""
        _known(account, self._store.set_skills(account, self.get(account).skills | {skill}))

    def withdraw(self, account: str, skill: str) -> None:
        """Withdraw a granted skill."""
        _known(account, self._store.set_skills(account, self.get(account).skills - {skill}))

    def delete(self, account: str) -> Account:
        """Delete an account for good; return it as it was."""
        return _known(account, self._store.delete_account(account))

    def find_by_key(self, key: str) -> tuple[Account, int] | None:
        """Return the account that lists a key, even if a rotation ended it, and its expiry (0 for none)."""
        digest = api_key.digest(key)
        found = (account for account in self.all() if digest in account.keys)
        return next(((account, account.keys[digest]) for account in found), None)

    def all(self) -> Iterator[Account]:
        """Return every account, in no order."""
        return self._store.list_accounts()

    def demo_calls(self) -> Iterator[Mapping[str, int]]:
        """Return the demo key's calls by month, of each address."""
        return self._store.list_demo_calls()


def _known(account: str, found: Found | None) -> Found:
    """Return what a store found or did; raise ``KeyError`` if that is nothing."""
    if not found:
        raise KeyError(account)
    return found


def _new_key() -> tuple[str, str]:
    key = api_key.generate()
    return key, api_key.digest(key)

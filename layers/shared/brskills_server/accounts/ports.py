"""The stores of accounts, sign-ups, subscriptions and grants, as the rules need them.

Every method may raise ``StoreUnavailable``, and is atomic across processes. A method that returns ``False``
or ``None`` instead of writing has changed nothing. A key is its digest, a month ``2026-11``, a time whole
Unix seconds; from ``expires_at`` on a record may be deleted.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Protocol

from brskills_server.accounts.account import Account
from brskills_server.accounts.grant import Client, Grant


class AccountReader(Protocol):
    """Consistent reads of accounts."""

    def read_account(self, account: str) -> Account | None:
        """Return the account with this id as it was written last."""


class AccountStore(AccountReader, Protocol):
    """Accounts and their keys. Where an account is unknown, methods return ``False`` or ``None``."""

    def account_of_key(self, key: str) -> str | None:
        """Return the id of the account that a key was made for; the key itself may have ended."""

    def open_account(self, account: Account) -> bool:
        """Store a new account with its keys; ``False`` if the id is taken."""

    def add_key(self, account: str, key: str) -> bool:
        """Add a key that never expires."""

    def rotate_key(
        self, account: str, old: str, new: str, *, ends: int, expired: Collection[str], most: int, now: int
    ) -> bool:
        """Add the key ``new``, let ``old`` expire at ``ends`` and remove the keys ``expired``.

        Return ``False`` if ``old`` is not an active key at ``now``, some of ``expired`` are removed already,
        or there would be more than ``most`` keys.
        """

    def revoke_key(self, account: str, key: str, now: int) -> bool:
        """Remove a key; ``False`` if it is not an active key of the account."""

    def revoke_all_keys(self, account: str, now: int) -> Account | None:
        """Remove every key; return the account as it was."""

    def set_plan(self, account: str, plan: str, monthly_limit: int | None) -> bool:
        """Set an account's plan and limit."""

    def set_limit(self, account: str, monthly_limit: int | None) -> bool:
        """Set an account's own limit; the plan stays."""

    def set_skills(self, account: str, skills: Collection[str]) -> bool:
        """Set the custom skills granted to an account."""

    def set_dedicated_gateway_key(self, account: str, plan: str) -> bool:
        """Set the plan for which an account's dedicated gateway key is ready, or ""."""

    def delete_account(self, account: str) -> Account | None:
        """Delete an account, its keys and its grants; return it as it was.

        If it raises, the account may be deleted or not; calling it again finishes.
        """

    def list_accounts(self) -> Iterator[Account]:
        """Return every account, in no order: for the operator and the schedule, never in a call."""

    def list_demo_calls(self) -> Iterator[Mapping[str, int]]:
        """Return the demo key's calls by month, of each address: for the operator."""


class WindowStore(Protocol):
    """Counters by name and day (as ``2026-11-20``) of issued keys and of everything limited in a window."""

    def read_window(self, name: str) -> Mapping[str, int]:
        """Return the counts of a name by day."""

    def count_in_window(self, name: str, day: str, limit: int, expires_at: int) -> bool:
        """Add one to the count of a day; ``False`` if it has reached ``limit``."""


class SaltStore(Protocol):
    """The secret salt of each month's pseudonyms."""

    def month_salt(self, month: str, proposed: bytes, expires_at: int) -> bytes:
        """Return the month's salt, which is ``proposed`` if there was none."""


class SubscriptionStore(AccountReader, Protocol):
    """Events of the payment processor, and the plans that follow from them."""

    def has_event(self, event: str) -> bool:
        """Return whether an event was recorded."""

    def record_event(self, event: str, expires_at: int, before: Account, after: Account) -> bool:
        """Record an event with the billing and, if changed, plan and limit of ``after``; keys and calls stay.

        Return ``False`` if the event is recorded already, or plan or billing version differ from ``before``.
        """


class ClientStore(Protocol):
    """OAuth clients by id."""

    def keep_client(self, client: Client, expires_at: int) -> None:
        """Store a client, replacing one with this id."""

    def read_client(self, client: str, now: int) -> Client | None:
        """Return a client unless it has expired."""

    def extend_client(self, client: str, expires_at: int) -> None:
        """Let a stored client expire no earlier than ``expires_at``."""


class GrantStore(ClientStore, Protocol):
    """Grants that accounts gave to clients."""

    def open_grant(self, grant: Grant, most: int, now: int) -> bool:
        """Store a new grant.

        Return ``False`` if its key is not an active key of the account at ``now``, or the account has
        ``most`` grants that have not expired.
        """

    def read_grant(self, grant: str, now: int) -> Grant | None:
        """Return a grant unless it has expired."""

    def grants_of(self, account: str, now: int) -> list[Grant]:
        """Return the account's grants that have not expired, in no order."""

    def change_grant(self, grant: Grant) -> bool:
        """Store a grant's tokens, ``used_at`` and ``expires_at``.

        Return ``False`` if it has ended, or its stored version is not the one before this grant's.
        """

    def end_grant(self, account: str, grant: str) -> bool:
        """End a grant; ``False`` if the account has no such grant."""

    def count_grant(self, grant: str, month: str, oldest: str, calls: int, now: int) -> None:
        """Add calls to a month of a grant used ``now``, unless it has ended.

        Counters of earlier months are dropped as in ``CallStore.reserve_calls``.
        """

"""What the rules ask of a store: each operation by what it does, on plain values.

Every method may raise ``StoreUnavailable``. A method that refuses by its return value has changed no
account, counter or event. Each is atomic, however many processes call it. A key is named by its digest,
a month as ``2026-11``; times are whole Unix seconds; from ``expires_at`` on a record may be deleted.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, Protocol, Self

from brskills_server.accounts.account import Account
from brskills_server.accounts.grant import Client, Grant
from brskills_server.metering.idempotency_record import IdempotencyRecord, KeptClaim, Step
from brskills_server.metering.reservation import Release

__all__ = [
    "KEPT_MONTHS",
    "AccessStore",
    "AccountReader",
    "AccountStore",
    "CallRefused",
    "CallStore",
    "ClaimChanged",
    "ClientStore",
    "Counted",
    "DayCounts",
    "GrantStore",
    "HistoryStore",
    "SaltStore",
    "SignupStore",
    "SubscriptionStore",
]

KEPT_MONTHS = 16
"""The newest months of a record whose counters stay, whatever a clock says: 13 and three to spare."""


class CallRefused(Exception):
    """A call was not counted; ``account`` is the account as it was then, ``None`` if there is none."""

    def __init__(self, account: Account | None) -> None:
        super().__init__("call refused")
        self.account = account


class ClaimChanged(Exception):
    """Nothing was changed: a claim is not as a ``Step`` goes out from."""


class Counted(NamedTuple):
    """How an account stands right after a call was counted; ``calls`` are the month's."""

    plan: str
    monthly_limit: int | None
    calls: int


class DayCounts(NamedTuple):
    """Calls of skills that were due an answer, and how many of them failed: accounts', and the demo key's."""

    calls: int
    failed: int
    demo_calls: int = 0
    demo_failed: int = 0

    def plus(self, more: Self) -> Self:
        """Return the sums of both."""
        return type(self)(*map(sum, zip(self, more, strict=True)))


class AccountReader(Protocol):
    """Reads what was written last, never an older copy."""

    def read_account(self, account: str) -> Account | None:
        """The account with this id, if there is one."""


class AccountStore(AccountReader, Protocol):
    """Accounts and their keys."""

    def account_of_key(self, key: str) -> str | None:
        """The id of the account a key was made for; the key itself may have ended."""

    def open_account(self, account: Account) -> bool:
        """Keep a new account with its keys; ``False``: the id is taken."""

    def add_key(self, account: str, key: str) -> bool:
        """Add a key that never expires; ``False``: the account is unknown."""

    def rotate_key(
        self, account: str, old: str, new: str, *, ends: int, expired: Collection[str], most: int, now: int
    ) -> bool:
        """Add the key ``new``, let ``old`` expire at ``ends`` and forget the keys ``expired``.

        ``False``: ``old`` is not an active key of the account at ``now``, some of ``expired`` are forgotten
        already, or there would be more than ``most`` keys.
        """

    def revoke_key(self, account: str, key: str, now: int) -> bool:
        """Remove a key; ``False``: it is not an active key of the account."""

    def revoke_all_keys(self, account: str, now: int) -> Account | None:
        """Remove every key; returns the account as it was, ``None`` if there is none."""

    def set_plan(self, account: str, plan: str, monthly_limit: int | None) -> bool:
        """Put an account on a plan with its limit; ``False``: the account is unknown."""

    def set_limit(self, account: str, monthly_limit: int | None) -> bool:
        """Give an account a limit of its own, its plan as it is; ``False``: the account is unknown."""

    def delete_account(self, account: str) -> Account | None:
        """Delete an account, its keys and its grants; returns it as it was, ``None`` if there is none.

        Where it raises, the account may be deleted or not, and calling it again finishes what it began.
        """

    def set_skills(self, account: str, skills: Collection[str]) -> bool:
        """Make these the custom skills granted to an account, and no others; ``False``: it is unknown."""

    def set_own_lane(self, account: str, plan: str) -> bool:
        """Set the plan for which an account's own gateway key is ready, or ""; ``False``: it is unknown."""

    def list_accounts(self) -> Iterator[Account]:
        """Every account, in no order: for the operator and the schedule, never for a call."""

    def list_demo_calls(self) -> Iterator[Mapping[str, int]]:
        """The demo key's calls by month, of each address that used it: for the operator's tools, too."""


class CallStore(AccountReader, Protocol):
    """Counters of calls by month: of accounts, and of the addresses that use the demo key.

    With a ``step`` the claim's calls change with the month's, both or neither; raises ``ClaimChanged``.
    """

    def reserve_calls(
        self,
        account: str,
        key: str,
        month: str,
        oldest: str,
        now: int,
        calls: int = 1,
        step: Step | None = None,
    ) -> Counted:
        """Count so many calls. With the first of a month, counters of the months up to ``oldest`` are dropped
        that are not among the ``KEPT_MONTHS`` newest of the record.

        Raises ``CallRefused`` unless the key is active and the month has room for all of them.
        """

    def release(self, release: Release, step: Step | None = None) -> bool:
        """Take calls of an account, or of an address, back; one that was applied is not applied again.

        ``False``: not so many are counted, or so many absences were free already.
        """

    def has_release(self, release: str) -> bool:
        """Whether the release with this id was applied."""

    def count_uncounted(self, account: str, key: str, month: str, now: int, units: int) -> tuple[str, int]:
        """Add units to a month's work that counts no call; return the plan and the month's units.

        Raises ``CallRefused`` unless the key is active.
        """

    def count_demo_uncounted(self, address: str, month: str, expires_at: int, units: int) -> int:
        """Add units to those of an address; return the month's."""

    def reserve_demo_calls(
        self,
        address: str,
        month: str,
        limit: int,
        expires_at: int,
        calls: int = 1,
        step: Step | None = None,
    ) -> int | None:
        """Count calls of an address and return those of the month; ``None``: the limit has no room."""

    def demo_calls(self, address: str) -> Mapping[str, int]:
        """The calls of an address by month."""

    def read_claim(self, claim: str, now: int) -> KeptClaim | None:
        """What is kept of a claim; nothing from its end on."""

    def answer_claim(self, claim: IdempotencyRecord, calls: int, now: int) -> bool:
        """Let so many calls of a claim stay counted; ``False``: not so many are, or for another request."""


class SignupStore(Protocol):
    """Counters by pseudonym and day (as ``2026-11-20``): of issued keys, and of what else is limited so."""

    def signups(self, pseudonym: str) -> Mapping[str, int]:
        """Sign-ups by day."""

    def count_signup(self, pseudonym: str, day: str, limit: int, expires_at: int) -> bool:
        """Count one sign-up of a day; ``False``: the day has ``limit`` of them."""


class SaltStore(Protocol):
    """The secret that a month's pseudonyms are made with."""

    def month_salt(self, month: str, proposed: bytes, expires_at: int) -> bytes:
        """The month's salt; ``proposed`` becomes it where there is none yet."""


class SubscriptionStore(AccountReader, Protocol):
    """Events of the payment processor, and what follows from them."""

    def has_event(self, event: str) -> bool:
        """Whether an event was recorded."""

    def record_event(self, event: str, expires_at: int, before: Account, after: Account) -> bool:
        """Keep an event with the billing of ``after`` and, where it is another, its plan with the limit.

        Keys and calls stay. ``False``: the event is recorded already, or plan or billing version differ from
        ``before``.
        """


class ClientStore(Protocol):
    """Clients that ask for tokens, by their ids."""

    def keep_client(self, client: Client, expires_at: int) -> None:
        """Keep a client, in the place of the one with this id if there is one."""

    def read_client(self, client: str, now: int) -> Client | None:
        """The client with this id; nothing from its end on."""

    def extend_client(self, client: str, expires_at: int) -> None:
        """Let a client end no earlier than that; nothing where it is not kept."""


class GrantStore(ClientStore, Protocol):
    """What accounts allowed clients."""

    def open_grant(self, grant: Grant, most: int, now: int) -> bool:
        """Keep a new grant of an account.

        ``False``: the grant's key is not an active key of the account at ``now``, or the account has ``most``
        grants that have not expired.
        """

    def read_grant(self, grant: str, now: int) -> Grant | None:
        """The grant with this id; nothing from its end on."""

    def grants_of(self, account: str, now: int) -> list[Grant]:
        """The grants of an account that have not expired, in no order; none of an unknown account."""

    def change_grant(self, grant: Grant) -> bool:
        """Keep a grant's tokens with ``used_at`` and ``expires_at``.

        ``False``: it has ended, or the version that is kept is not the one before this grant's.
        """

    def end_grant(self, account: str, grant: str) -> bool:
        """End a grant of an account; ``False``: it has no such grant."""

    def count_grant(self, grant: str, month: str, oldest: str, calls: int, now: int) -> None:
        """Add calls to a month of a grant, which is used ``now``; nothing where it has ended.

        Counters of earlier months are dropped as in :meth:`CallStore.reserve_calls`.
        """


class HistoryStore(Protocol):
    """Counts by day (as ``2026-11-20``) of all calls together."""

    def add_to_day(self, day: str, more: DayCounts, expires_at: int) -> None:
        """Add to the counts of a day."""

    def days(self, first: str, last: str) -> Mapping[str, DayCounts]:
        """The counts of each day from ``first`` to ``last`` that has any."""


class AccessStore(
    AccountStore,
    CallStore,
    SignupStore,
    SaltStore,
    SubscriptionStore,
    GrantStore,
    HistoryStore,
    Protocol,
):
    """All of it, as an adapter offers it."""

    def ping(self) -> None:
        """Read something, to see that the store answers."""

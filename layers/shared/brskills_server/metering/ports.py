"""The store of counted calls, as metering needs it.

The conventions of ``brskills_server.accounts.ports`` apply. With a ``transition`` an idempotency record
changes together with the month's count, both or neither; ``RecordChanged`` if it is not as expected.
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from brskills_server.accounts.account import Account, Caller
from brskills_server.accounts.ports import AccountReader
from brskills_server.metering.idempotency_record import IdempotencyRecord, IdempotentRequest, Transition


class CallRefused(Exception):
    """A call was not counted; ``account``: as it was then, ``None`` if unknown."""

    def __init__(self, account: Account | None) -> None:
        super().__init__("call refused")
        self.account = account


class RecordChanged(Exception):
    """An idempotency record is not as a ``Transition`` expects; nothing was changed."""


class Counted(NamedTuple):
    """An account right after calls were counted; ``calls``: the month's."""

    plan: str
    monthly_limit: int | None
    calls: int


class AccountCalls(NamedTuple):
    """Calls to count for an active key of an account. ``oldest``: the last month that may be dropped."""

    account: str
    key: str
    month: str
    oldest: str
    now: int
    calls: int = 1
    transition: Transition | None = None


class AddressCalls(NamedTuple):
    """Calls to count for an address that uses the demo key; ``limit``: of its month."""

    address: str
    month: str
    limit: int
    expires_at: int
    calls: int = 1
    transition: Transition | None = None


class Release(NamedTuple):
    """Calls to release in a caller's month. A store applies each ``id`` only once.

    ``expires_at``: Unix seconds until which the store keeps the id. ``allowance``: the release is of one
    call, as one of this many free absences of the month; ``None``: of any calls.
    """

    id: str
    caller: Caller
    month: str
    calls: int
    expires_at: int
    allowance: int | None = None


class CallStore(AccountReader, Protocol):
    """Counters of calls by month: of accounts, and of addresses that use the demo key."""

    def reserve_calls(self, wanted: AccountCalls) -> Counted:
        """Count calls. Raise ``CallRefused`` unless the key is active and the month has room for all of them.

        The first calls of a month drop the counters of months up to ``oldest`` that are not among the
        account's ``calendar.KEPT_MONTHS`` newest.
        """

    def reserve_demo_calls(self, wanted: AddressCalls) -> int | None:
        """Count calls and return the month's; ``None`` if the limit has no room for all."""

    def release(self, release: Release, transition: Transition | None = None) -> bool:
        """Release calls of an account or address; a release that was applied is not applied again.

        Return ``False`` if fewer calls are counted, or its allowance of free absences is used up.
        """

    def has_release(self, release: str) -> bool:
        """Return whether the release with this id was applied."""

    def count_uncounted(self, account: str, key: str, month: str, now: int, units: int) -> tuple[str, int]:
        """Add units; return plan and month's units. Raise ``CallRefused`` unless the key is active."""

    def count_demo_uncounted(self, address: str, month: str, expires_at: int, units: int) -> int:
        """Add units of uncounted work to an address; return the month's."""

    def demo_calls(self, address: str) -> Mapping[str, int]:
        """Return the calls of an address by month."""

    def read_idempotency_record(self, request: str, now: int) -> IdempotencyRecord | None:
        """Return the record of a request, by its id; ``None`` from ``expires_at`` on."""

    def mark_answered(self, request: IdempotentRequest, calls: int, now: int) -> bool:
        """Keep this many calls counted; return ``False`` if fewer are, or the fingerprint is another."""

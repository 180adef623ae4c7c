"""What is done to a store as a whole: when the service starts, by the hour, and when everything moves."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Protocol

from brskills_server.accounts.account import Account
from brskills_server.accounts.grant import Client, Grant
from brskills_server.metering.idempotency_record import IdempotencyRecord
from brskills_server.registry.store import Fields
from brskills_server.telemetry.day_counts import DayCounts

__all__ = [
    "KeptAccount",
    "KeptClient",
    "KeptCompany",
    "KeptCounts",
    "KeptEvent",
    "KeptHistory",
    "KeptRequest",
    "KeptSalt",
    "KeptState",
    "Maintenance",
    "Record",
    "Sum",
]


@dataclass(frozen=True, slots=True)
class KeptAccount:
    """An account with everything that hangs on it; ``absences``: month → those that were free.

    ``grants``: by their ids.
    """

    account: Account
    absences: Mapping[str, int] = field(default_factory=dict)
    grants: tuple[Grant, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptClient:
    """A client that registered, or whose metadata document was read."""

    client: Client
    expires_at: int


@dataclass(frozen=True, slots=True)
class KeptCounts:
    """``demo``: an address' calls and free absences by month; ``signup``: a pseudonym's keys by day."""

    kind: str
    name: str
    counts: Mapping[str, int]
    absences: Mapping[str, int]
    expires_at: int


@dataclass(frozen=True, slots=True)
class KeptSalt:
    """The secret of a month's pseudonyms."""

    month: str
    salt: bytes
    expires_at: int


@dataclass(frozen=True, slots=True)
class KeptEvent:
    """An event of the payment processor that was taken in."""

    id: str
    expires_at: int


@dataclass(frozen=True, slots=True)
class KeptRequest:
    """A request that may be repeated without being counted again."""

    id: str
    claim: IdempotencyRecord


@dataclass(frozen=True, slots=True)
class KeptHistory:
    """The counts of a month by day."""

    month: str
    days: Mapping[str, DayCounts]
    expires_at: int


@dataclass(frozen=True, slots=True)
class KeptCompany:
    """A stored answer."""

    cnpj: str
    entry: Fields
    expires_at: int


@dataclass(frozen=True, slots=True)
class KeptState:
    """A field of the shared state of the providers."""

    field: str
    value: str | int


Record = (
    KeptAccount
    | KeptClient
    | KeptCounts
    | KeptSalt
    | KeptEvent
    | KeptRequest
    | KeptHistory
    | KeptCompany
    | KeptState
)


class Maintenance(Protocol):
    """Every method may raise ``StoreUnavailable``."""

    def prepare(self) -> None:
        """Make what is missing in the database; to be called once where the service starts."""

    def tidy(self, now: int) -> None:
        """Delete what has expired by Unix time ``now``; to be called by the hour.

        ``now`` alone deletes little: a store that was tidied before goes on from there, two hours at most.
        """

    def records(self) -> Generator[Record, None, None]:
        """Everything there is, in no order; keys that were taken from their account are forgotten.

        The iterator holds a connection until it ends or is closed.
        """

    def keep(self, records: Iterable[Record]) -> None:
        """Write records to a store that holds none."""


@dataclass(slots=True)
class Sum:
    """How many records there are of each kind, and what they add up to: equal only for equal records."""

    counts: Counter[str] = field(default_factory=Counter)
    total: int = 0

    def of(self, records: Iterable[Record]) -> Iterator[Record]:
        """The same records, added on their way."""
        for record in records:
            self.counts[type(record).__name__.removeprefix("Kept").lower()] += 1
            content = json.dumps(asdict(record), sort_keys=True, default=_plain)
            self.total += int.from_bytes(hashlib.sha256(content.encode()).digest())
            yield record


def _plain(value: bytes | frozenset[str]) -> str | list[str]:
    return value.hex() if isinstance(value, bytes) else sorted(value)

"""Maintenance of a whole store: preparation, deletion of what has expired, export and import."""

import hashlib
import json
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, NamedTuple, Protocol

from brskills_server.accounts.account import Account
from brskills_server.accounts.grant import Grant
from brskills_server.telemetry.day_counts import DayCounts
from brskills_server.watches.watch import Listed, Watch
from brskills_server.webhooks.webhook import Delivery, Webhook


@dataclass(frozen=True, slots=True)
class Watching:
    """An account's watches, ordered by number, and its feed: the last place, changes with their expiry."""

    watches: tuple[Watch, ...] = ()
    last_place: int = 0
    changes: tuple[tuple[Listed, int], ...] = ()


class StoredWebhook(NamedTuple):
    """A webhook with its pending deliveries; its attempts are not moved."""

    webhook: Webhook
    deliveries: tuple[Delivery, ...]


@dataclass(frozen=True, slots=True)
class StoredAccount:
    """An account with its grants and webhooks, ordered by id; by month: free absences, uncounted work.

    ``account.calls`` has every month of ``uncounted``. ``events``: those added once, id → expiry.
    """

    account: Account
    absences: Mapping[str, int] = field(default_factory=dict)
    uncounted: Mapping[str, int] = field(default_factory=dict)
    grants: tuple[Grant, ...] = ()
    watching: Watching = Watching()
    webhooks: tuple[StoredWebhook, ...] = ()
    events: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredCounts:
    """The counters of an address by month (``demo``), or of a name by day (``signup``).

    ``counts``: calls or sign-ups; ``absences`` and ``uncounted``: as in ``StoredAccount``, of ``demo`` alone.
    """

    kind: str
    name: str
    counts: Mapping[str, int]
    absences: Mapping[str, int]
    expires_at: int
    uncounted: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredHistory:
    """The counts of a month by day."""

    month: str
    days: Mapping[str, DayCounts]
    expires_at: int


@dataclass(frozen=True, slots=True)
class StoredRow:
    """Any other record; ``fields`` has no ``None``, and ``expires_at`` except for the last two kinds.

    ``salt``: of a month's pseudonyms, bytes. ``event``: of the payment processor. ``request``: the fields of
    ``IdempotencyRecord``, the fingerprint as ``request``. ``client``: the fields of ``Client``. ``company``:
    ``entry`` as saved. ``state``: a field of the providers' state, ``number`` or ``text``. ``announcement``:
    the fields of ``Announcement``, ``after`` as ``after_cnpj`` and ``after_account``.
    """

    kind: str
    name: str
    fields: Mapping[str, Any]


Record = StoredAccount | StoredCounts | StoredHistory | StoredRow


class Maintenance(Protocol):
    """Operations on a whole store. Every method may raise ``StoreUnavailable``."""

    def prepare(self) -> None:
        """Create what the database lacks: once, when the service starts."""

    def tidy(self, now: int) -> None:
        """Delete what has expired by Unix time ``now``: every hour.

        A run deletes at most two hours beyond the run before it, so a wrong ``now`` deletes little.
        """

    def records(self) -> Generator[Record, None, None]:
        """Return every record, in no order, without ids of releases and keys removed from their account.

        The iterator holds a connection until it ends or is closed.
        """

    def insert_records(self, records: Iterable[Record]) -> None:
        """Insert records that the store lacks; it may be in use."""


@dataclass(slots=True)
class Sum:
    """Counts of records by kind and a checksum, equal only for equal records."""

    counts: Counter[str] = field(default_factory=Counter)
    total: int = 0

    def of(self, records: Iterable[Record]) -> Iterator[Record]:
        """Return the same records and add each to the sum."""
        for record in records:
            content = as_content(record)
            self.counts[content["kind"]] += 1
            text = json.dumps(content, sort_keys=True)
            self.total += int.from_bytes(hashlib.sha256(text.encode()).digest())
            yield record


def as_content(record: Record) -> dict[str, Any]:
    """Return a record's kind and fields as JSON has them: bytes are hexadecimal, sets ordered."""
    return {"kind": type(record).__name__.removeprefix("Stored").lower(), **_plain(record)}


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        value = value._asdict()
    match value:
        case bytes():
            return value.hex()
        case frozenset():
            return sorted(value)
        case Mapping():
            return {name: _plain(one) for name, one in value.items()}
        case tuple() | list():
            return [_plain(one) for one in value]
        case _ if is_dataclass(value):
            return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    return value

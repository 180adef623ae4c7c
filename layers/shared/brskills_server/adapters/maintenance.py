"""Maintenance of a whole store: preparation, deletion of what has expired, export and import."""

import hashlib
import json
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from brskills_server.accounts.account import Account
from brskills_server.accounts.grant import Grant
from brskills_server.telemetry.day_counts import DayCounts


@dataclass(frozen=True, slots=True)
class KeptAccount:
    """An account with its grants, ordered by id; ``absences``: month → free absences."""

    account: Account
    absences: Mapping[str, int] = field(default_factory=dict)
    grants: tuple[Grant, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptCounts:
    """Calls and free absences of an address by month (``demo``), or a name's counts by day (``signup``)."""

    kind: str
    name: str
    counts: Mapping[str, int]
    absences: Mapping[str, int]
    expires_at: int


@dataclass(frozen=True, slots=True)
class KeptHistory:
    """The counts of a month by day."""

    month: str
    days: Mapping[str, DayCounts]
    expires_at: int


@dataclass(frozen=True, slots=True)
class KeptRow:
    """Any other record; ``fields`` has no ``None``, and ``expires_at`` except for ``state``.

    ``salt``: of a month's pseudonyms, bytes. ``event``: of the payment processor. ``request``: the fields of
    ``IdempotencyRecord``, the fingerprint as ``request``. ``client``: the fields of ``Client``. ``company``:
    ``entry`` as saved. ``state``: a field of the providers' state, ``number`` or ``text``.
    """

    kind: str
    name: str
    fields: Mapping[str, Any]


Record = KeptAccount | KeptCounts | KeptHistory | KeptRow


class Maintenance(Protocol):
    """Operations on a whole store. Every method may raise ``StoreUnavailable``."""

    def prepare(self) -> None:
        """Create what the database lacks: once, when the service starts."""

    def tidy(self, now: int) -> None:
        """Delete what has expired by Unix time ``now``: every hour.

        A run deletes at most two hours beyond the run before it, so a wrong ``now`` deletes little.
        """

    def records(self) -> Generator[Record, None, None]:
        """Return every record, in no order, without keys that were removed from their account.

        The iterator holds a connection until it ends or is closed.
        """

    def keep(self, records: Iterable[Record]) -> None:
        """Write records to an empty store."""


@dataclass(slots=True)
class Sum:
    """Counts of records by kind and a checksum, equal only for equal records."""

    counts: Counter[str] = field(default_factory=Counter)
    total: int = 0

    def of(self, records: Iterable[Record]) -> Iterator[Record]:
        """Return the same records and add each to the sum."""
        for record in records:
            kind = type(record).__name__.removeprefix("Kept").lower()
            self.counts[record.kind if isinstance(record, KeptRow) else kind] += 1
            content = json.dumps(asdict(record), sort_keys=True, default=_plain)
            self.total += int.from_bytes(hashlib.sha256(content.encode()).digest())
            yield record


def _plain(value: bytes | frozenset[str]) -> str | list[str]:
    return value.hex() if isinstance(value, bytes) else sorted(value)
